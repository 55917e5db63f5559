package import Matching

/// The content of a row of `reading`: one record's observations in the minutes of one block.
package struct ReadingRow: Equatable {
    /// Minutes of the block that the record covers, as bits.
    package var minutes: UInt16
    /// Seconds in each of these minutes in which the receiver listened.
    package var listened: Int64
    package var clockIsSynchronized: Bool
    /// Subjects in the order of their numbers.
    package var subjects: [(number: Int64, code: HearingCode)]

    /// Length in bytes of the row of a record that has no subjects.
    package static let lengthOfNobody = 3

    package static func == (left: Self, right: Self) -> Bool { left.packed == right.packed }

    package init(
        minutes: UInt16, listened: Int64, clockIsSynchronized: Bool, subjects: [(number: Int64, code: HearingCode)]
    ) {
        self.minutes = minutes
        self.listened = listened
        self.clockIsSynchronized = clockIsSynchronized
        self.subjects = subjects
    }

    package var packed: [UInt8] {
        var writer = PackedWriter()
        writer.append(word: minutes)
        writer.append(UInt8(min(max(listened, 0), 60)) | (clockIsSynchronized ? 0 : 0x80))
        var before: Int64 = 0
        for (number, code) in subjects {
            writer.append(number: UInt64(number - before))
            before = number
            writer.append(word: code.rawValue)
        }
        return writer.bytes
    }

    /// Unpacks a row.
    ///
    /// - Parameter isWanted: whether a subject is wanted, by its number; others are left out.
    /// - Returns: `nil` for bytes that are not such a row.
    package init?(packed bytes: [UInt8], _ isWanted: (Int64) -> Bool = { _ in true }) {
        var reader = PackedReader(bytes)
        guard let minutes = reader.word(), let listened = reader.byte() else { return nil }
        self.init(
            minutes: minutes, listened: Int64(listened & 0x7F), clockIsSynchronized: listened & 0x80 == 0, subjects: [])
        var number: Int64 = 0
        while !reader.isAtEnd {
            guard let delta = reader.number(), delta < 1 << 40, let code = reader.word() else { return nil }
            number += Int64(delta)
            if isWanted(number) { subjects.append((number, HearingCode(rawValue: code))) }
        }
    }

    /// The minutes of the block that the record covers, 0 to 14.
    package var minuteNumbers: [Int] { (0..<ReadingBlock.minutes).filter { minutes >> UInt16($0) & 1 == 1 } }
}
