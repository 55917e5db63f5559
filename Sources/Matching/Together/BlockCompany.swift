/// Subjects similar to one subject in a block of 15 minutes, with the similarity in each minute, in stored form.
package struct BlockCompany: Equatable, Sendable {
    /// Other subjects in the order of their numbers, each once.
    package private(set) var others: [Other] = []
    /// Bits of the minutes in which the subject could be compared with all others: at least two receivers of its floor
    /// received it, and the number of subjects was within the limit.
    package private(set) var compared: UInt16 = 0

    /// Another subject, with its similarity in each minute.
    package struct Other: Hashable, Sendable {
        /// Number of the subject.
        package var subject: Int64
        package var levels: BlockLevels
    }

    package init() {}

    package var isEmpty: Bool { others.isEmpty && compared == 0 }

    /// Returns the levels of another subject.
    ///
    /// - Returns: `nil` for a subject that was similar in no minute.
    package subscript(other: Int64) -> BlockLevels? {
        let index = index(of: other)
        return index < others.endIndex && others[index].subject == other ? others[index].levels : nil
    }

    /// Returns the index of a subject, or the index at which to insert it.
    private func index(of subject: Int64) -> Int {
        var (low, high) = (0, others.count)
        while low < high {
            let middle = (low + high) / 2
            if others[middle].subject < subject { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Marks a minute as compared with all others.
    ///
    /// - Parameter minute: 0 to 14.
    package mutating func setCompared(inMinute minute: Int) {
        if (0..<ReadingBlock.minutes).contains(minute) { compared |= 1 << UInt16(minute) }
    }

    /// Replaces the given minutes (bits) with those of another row.
    package mutating func take(_ minutes: UInt16, of other: BlockCompany) {
        compared = compared & ~minutes | other.compared & minutes
        var merged = BlockCompany()
        merged.compared = compared
        for own in others { merged.set(own.levels.only(~minutes), with: own.subject) }
        for new in other.others {
            merged.set((merged[new.subject] ?? BlockLevels()).merging(new.levels.only(minutes)), with: new.subject)
        }
        merged.others.removeAll { $0.levels.isEmpty }
        self = merged
    }

    /// Removes the given minutes (bits) with another subject.
    ///
    /// - Returns: whether anything was removed.
    @discardableResult
    package mutating func strike(_ minutes: UInt16, with other: Int64) -> Bool {
        let index = index(of: other)
        guard index < others.endIndex, others[index].subject == other else { return false }
        let left = others[index].levels.only(~minutes)
        guard left != others[index].levels else { return false }
        if left.isEmpty { others.remove(at: index) } else { others[index].levels = left }
        return true
    }

    /// Removes all subjects but the kept ones.
    ///
    /// - Returns: the minutes in which a subject was removed, as bits.
    mutating func keep(_ kept: Set<Int64>) -> UInt16 {
        var struck: UInt16 = 0
        for other in others where !kept.contains(other.subject) { struck |= other.levels.minutes }
        if struck != 0 { others.removeAll { !kept.contains($0.subject) } }
        return struck
    }

    /// Adds the similarities on a further floor.
    ///
    /// - Parameter struck: minutes, as bits, in which the subject was not compared with all subjects on that floor.
    mutating func add(_ row: BlockCompany, without struck: UInt16) {
        if others.isEmpty {
            others = row.others
        } else {
            for other in row.others { add(other.levels, with: other.subject) }
        }
        compared &= ~struck
    }

    /// Sets the level of another subject in a minute.
    ///
    /// - Parameter minute: 0 to 14.
    package mutating func set(_ level: SimilarityLevel, with other: Int64, inMinute minute: Int) {
        guard level > .none, (0..<ReadingBlock.minutes).contains(minute) else { return }
        var levels = self[other] ?? BlockLevels()
        levels[minute] = level
        set(levels, with: other)
    }

    /// Sets the levels of another subject for the whole block.
    mutating func set(_ levels: BlockLevels, with other: Int64) {
        let index = index(of: other)
        if index < others.endIndex, others[index].subject == other {
            others[index].levels = levels
        } else {
            others.insert(Other(subject: other, levels: levels), at: index)
        }
    }

    /// Merges levels of another subject into the known ones: in each minute the greater level counts.
    mutating func add(_ levels: BlockLevels, with other: Int64) {
        set(self[other]?.maximum(levels) ?? levels, with: other)
    }

    package mutating func remove(_ other: Int64) { others.removeAll { $0.subject == other } }

    /// Stored row: the compared minutes; then for each other subject its minutes and their levels, two in a byte.
    package var packed: [UInt8] {
        var writer = PackedWriter(capacity: 2 + others.count * 12)
        writer.append(word: compared)
        var before: Int64 = 0
        for other in others {
            writer.append(number: UInt64(other.subject - before))
            before = other.subject
            writer.append(word: other.levels.indices.reduce(0) { $0 | (other.levels[$1] > .none ? 1 << $1 : 0) })
            var half: UInt8?
            for level in other.levels where level > .none {
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

    /// Parses a stored row.
    ///
    /// - Returns: `nil` for malformed bytes.
    package init?(packed bytes: [UInt8]) {
        var reader = PackedReader(bytes)
        guard let compared = reader.word() else { return nil }
        self.compared = compared
        // An entry takes at least one byte for the number and three for a minute.
        others.reserveCapacity(bytes.count / 4)
        var other: Int64 = 0
        while !reader.isAtEnd {
            guard let delta = reader.number(), delta > 0, delta < 1 << 40, let mask = reader.word() else { return nil }
            other += Int64(delta)
            guard other < 1 << 40 else { return nil }
            var levels = BlockLevels()
            var high: UInt8?
            var rest = mask & (1 << UInt16(ReadingBlock.minutes) - 1)
            while rest != 0 {
                let minute = rest.trailingZeroBitCount
                rest &= rest - 1
                if let next = high {
                    levels[minute] = SimilarityLevel(rawValue: next)
                    high = nil
                } else {
                    guard let byte = reader.byte() else { return nil }
                    levels[minute] = SimilarityLevel(rawValue: byte & 15)
                    high = byte >> 4
                }
            }
            others.append(Other(subject: other, levels: levels))
        }
    }
}
