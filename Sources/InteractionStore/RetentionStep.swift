/// A step in deleting expired data; others can use the store between two steps.
package enum RetentionStep: Equatable, Sendable {
    /// A whole day of interactions in PostgreSQL, in days since 1970.
    case day(Int64)
    /// Interactions at some places that ended before a time, or began after another; seconds since 1970.
    case places([Int64], before: Int64, after: Int64?)
    /// Readings of a day since 1970, UTC.
    case readings(day: Int64)
    /// Unsettled readings from before a time or after another; seconds since 1970.
    case unsettledReadings(before: Int64, after: Int64?)
    /// Located stays that ended before a time, or began after another; seconds since 1970.
    case locatedStays(before: Int64, after: Int64?)
    /// Names that were not used since a day, and data that is not needed today; days since 1970.
    case names(before: Int64, today: Int64, clockIsSynchronized: Bool)
    /// Reports received before a time, exposures from before another, and whatever is no longer valid now.
    case reports(before: Int64, exposuresBefore: Int64, now: Int64)
}
