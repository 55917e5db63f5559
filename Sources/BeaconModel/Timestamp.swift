/// A point in UTC with microsecond resolution, between 1970-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z.
///
/// Values outside that range are clamped to it, so that a hostile capture file can't make arithmetic overflow.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, in `0...Timestamp.latest.microseconds`.
    public let microseconds: Int64

    /// 1970-01-01T00:00:00Z.
    public static let epoch = Timestamp(microseconds: 0)
    /// 9999-12-31T23:59:59.999999Z.
    public static let latest = Timestamp(microseconds: 253_402_300_799_999_999)

    /// Creates a time from microseconds since 1970; values outside of 1970 to 9999 are brought into it.
    public init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, 0), 253_402_300_799_999_999)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// Returns the time from `right` to `left`; negative when `left` is earlier.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds - right.microseconds)
    }

    /// Returns the sum, clamped to the range of `Timestamp`.
    public static func + (left: Timestamp, right: Duration) -> Timestamp {
        let (sum, overflow) = left.microseconds.addingReportingOverflow(right.clampedMicroseconds)
        // `left` is not negative, so only a positive sum can overflow.
        return overflow ? .latest : Timestamp(microseconds: sum)
    }

    /// Time in RFC 3339 format in UTC with milliseconds (truncated), for example `2020-08-21T09:30:00.125Z`.
    public var rfc3339: String {
        let milliseconds = microseconds / 1000
        let secondOfDay = milliseconds / 1000 % 86_400
        return day + "T" + padded(secondOfDay / 3600, 2) + ":" + padded(secondOfDay / 60 % 60, 2) + ":"
            + padded(secondOfDay % 60, 2) + "." + padded(milliseconds % 1000, 3) + "Z"
    }

    /// UTC calendar day, for example `2020-08-21`.
    public var day: String {
        // Days to civil date for the proleptic Gregorian calendar, counting years from 1 March so that the leap
        // day is the last of its year.
        let days = microseconds / 86_400_000_000 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }
}

/// Coding as microseconds since 1970.
extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

extension Duration {
    /// Whole microseconds, clamped to the range of `Int64`.
    public var clampedMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }

    /// Seconds as a floating-point number, for formulas.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

private func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
