/// Who looked like one subject in a block of 15 minutes, and how much in each minute, as it is stored.
public struct BlockCompany: Equatable, Sendable {
    /// By the other subject's number; of each the level of each minute.
    public private(set) var levels: [Int64: BlockLevels] = [:]
    /// Bits of the minutes in which the subject could be compared with others: at least two receivers listened on its floor.
    public private(set) var compared: UInt16 = 0

    public init() {}

    public var isEmpty: Bool { levels.isEmpty && compared == 0 }

    /// - Parameter minute: 0 to 14.
    public mutating func setCompared(inMinute minute: Int) {
        if (0..<ReadingBlock.minutes).contains(minute) { compared |= 1 << UInt16(minute) }
    }

    /// Takes over what another row says of subjects that aren't among some.
    public mutating func keep(_ other: BlockCompany, without subjects: Set<Int64>) {
        for (subject, levels) in other.levels where !subjects.contains(subject) { self.levels[subject] = levels }
    }

    /// - Parameter minute: 0 to 14.
    public mutating func set(_ level: SimilarityLevel, with other: Int64, inMinute minute: Int) {
        guard level > .none, (0..<ReadingBlock.minutes).contains(minute) else { return }
        levels[other, default: BlockLevels()][minute] = level
    }

    /// Says how alike another subject looked in the whole block.
    mutating func set(_ levels: BlockLevels, with other: Int64) { self.levels[other] = levels }

    public mutating func remove(_ other: Int64) { levels[other] = nil }

    /// The row: the minutes that could be compared; for each other subject, the minutes that there are and their levels, two in
    /// a byte.
    public var packed: [UInt8] {
        var writer = PackedWriter()
        writer.append(word: compared)
        var before: Int64 = 0
        for (other, levels) in levels.sorted(by: { $0.key < $1.key }) {
            writer.append(number: UInt64(other - before))
            before = other
            writer.append(word: levels.indices.reduce(0) { $0 | (levels[$1] > .none ? 1 << $1 : 0) })
            var half: UInt8?
            for level in levels where level > .none {
                if let low = half {
                    writer.append(low | level.rawValue << 4)
                    half = nil
                } else {
                    half = level.rawValue
                }
            }
            if let half { writer.append(half) }
        }
        return writer.bytes
    }

    /// - Returns: `nil` for what isn't such a row.
    public init?(packed bytes: [UInt8]) {
        var reader = PackedReader(bytes)
        guard let compared = reader.word() else { return nil }
        self.compared = compared
        var other: Int64 = 0
        while !reader.isAtEnd {
            guard let delta = reader.number(), delta < 1 << 40, let mask = reader.word() else { return nil }
            other += Int64(delta)
            guard other < 1 << 40 else { return nil }
            var levels = BlockLevels()
            var high: UInt8?
            for minute in levels.indices where mask >> UInt16(minute) & 1 == 1 {
                if let next = high {
                    levels[minute] = SimilarityLevel(rawValue: next)
                    high = nil
                } else {
                    guard let byte = reader.byte() else { return nil }
                    levels[minute] = SimilarityLevel(rawValue: byte & 15)
                    high = byte >> 4
                }
            }
            self.levels[other] = levels
        }
    }
}
