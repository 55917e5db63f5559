/// A part of what is deleted for its age: between two of them others may use the store.
package enum RetentionStep: Equatable, Sendable {
    /// A whole day of PostgreSQL, since 1970.
    case day(Int64)
    /// Interactions at some places that were over before a time, or began after another; seconds since 1970.
    case places([Int64], before: Int64, after: Int64?)
    /// Readings of a day since 1970, UTC.
    case readings(day: Int64)
    /// Readings that aren't settled, of before a time or after another; seconds since 1970.
    case unsettledReadings(before: Int64, after: Int64?)
    /// Names that weren't used since a day, and what nobody needs today: days since 1970.
    case names(before: Int64, today: Int64, clockIsSynchronized: Bool)
    /// Reports that were received before a time, exposures of before another; what isn't valid any more now.
    case reports(before: Int64, exposuresBefore: Int64, now: Int64)
}
