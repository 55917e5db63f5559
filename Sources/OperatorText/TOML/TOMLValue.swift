/// A value of a TOML document.
package enum TOMLValue: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    /// - Parameter minutesFromUTC: offset of the local time from UTC.
    case offsetDateTime(TOMLDate, TOMLTime, minutesFromUTC: Int)
    case localDateTime(TOMLDate, TOMLTime)
    case localDate(TOMLDate)
    case localTime(TOMLTime)
    case array([TOMLNode])
    case table(TOMLTable)

    /// Type of the value, for messages.
    package var kind: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .float: "a decimal number"
        case .boolean: "true or false"
        case .offsetDateTime, .localDateTime, .localDate, .localTime: "a date or time"
        case .array: "a list"
        case .table: "a table"
        }
    }
}

/// A value with its position in the document.
package struct TOMLNode: Equatable, Sendable {
    package var value: TOMLValue
    /// Position of the key; for an element of an array, that of the element.
    ///
    /// A key that is part of a header or of a dotted key has a position of its own there.
    package var position: TextPosition

    package init(value: TOMLValue, position: TextPosition) {
        self.value = value
        self.position = position
    }
}

package typealias TOMLTable = [String: TOMLNode]

/// A day of the Gregorian calendar.
package struct TOMLDate: Equatable, Sendable {
    /// 0 to 9999.
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
}

/// A time of day.
package struct TOMLTime: Equatable, Sendable {
    /// 0 to 23.
    package var hour: Int
    /// 0 to 59.
    package var minute: Int
    /// 0 to 60; 60 is a leap second.
    package var second: Int
    /// 0 to 999,999,999. Further digits are cut off.
    package var nanosecond: Int
}
