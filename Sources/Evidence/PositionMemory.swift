import RecordContract

/// A memory of a gateway's received records, with two characters for the contents of each. Pure.
///
/// Rows of interactions contain only the latest record of each. Without this memory another interaction could take the
/// boot and sequence of a record that a later one has replaced.
package struct PositionMemory {
    /// The number of sequences in one text. Records arrive in order, so a batch changes few texts.
    package static let blockSize: UInt64 = 64
    /// The entry of a record that did not arrive, or was not stored.
    private static let none: [UInt8] = Array("..".utf8)
    private static let emptyBlock: [UInt8] = Array(repeating: none, count: Int(blockSize)).flatMap(\.self)
    fileprivate static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private var blocks: [String: [UInt8]] = [:]
    package private(set) var changed: Set<String> = []

    /// Restores a memory.
    ///
    /// - Parameter stored: texts by their names, as returned by `text(of:)`.
    package init(_ stored: [String: String] = [:]) {
        for (name, text) in stored where text.utf8.count == Int(Self.blockSize) * 2 { blocks[name] = Array(text.utf8) }
    }

    /// A record's position, with two characters for its contents.
    package struct Entry {
        fileprivate var gateway: String
        fileprivate var position: RecordPosition
        fileprivate var digest: [UInt8]

        /// The name of the text that contains the record.
        package var block: String { "\(gateway)/\(position.boot)/\(position.sequence / PositionMemory.blockSize)" }

        fileprivate var index: Int { Int(position.sequence % PositionMemory.blockSize) * 2 }
    }

    /// Whether the block of a record is not in the memory yet.
    package func isNew(_ entry: Entry) -> Bool { blocks[entry.block] == nil }

    /// Creates an empty block for a record. It is written only when an entry is stored in it.
    package mutating func begin(_ entry: Entry) {
        if isNew(entry) { blocks[entry.block] = Self.emptyBlock }
    }

    /// Whether a record of the same gateway, boot and sequence was received with the same contents; `nil` when none was
    /// received. Of 4096 records with different contents, one is taken for the same and counted as such: in neither
    /// case is the record stored.
    package func isSame(_ entry: Entry) -> Bool? {
        guard let block = blocks[entry.block] else { return nil }
        let known = Array(block[entry.index..<entry.index + 2])
        return known == Self.none ? nil : known == entry.digest
    }

    package mutating func remember(_ entry: Entry) {
        let name = entry.block
        var block = blocks[name] ?? Self.emptyBlock
        block.replaceSubrange(entry.index..<entry.index + 2, with: entry.digest)
        blocks[name] = block
        changed.insert(name)
    }

    package func text(of block: String) -> String { String(decoding: blocks[block] ?? [], as: UTF8.self) }

    /// FNV-1a (Fowler, Noll and Vo; RFC 9923): the same in every process.
    fileprivate struct Hash {
        private var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }

        mutating func add(_ number: Int64) {
            for shift in stride(from: 0, to: 64, by: 8) {
                add(CollectionOfOne(UInt8(truncatingIfNeeded: number >> shift)))
            }
        }

        mutating func add(_ text: String) {
            add(text.utf8)
            add(CollectionOfOne(0))
        }

        var characters: [UInt8] {
            let bits = Int(truncatingIfNeeded: value ^ value >> 24 ^ value >> 48)
            return [PositionMemory.alphabet[bits & 63], PositionMemory.alphabet[bits >> 6 & 63]]
        }
    }
}

// The characters stand for everything in a record but its subjects: when a subject is erased, nothing of it is left
// here.

extension InteractionRecord {
    package var entry: PositionMemory.Entry {
        var hash = PositionMemory.Hash()
        for text in [origin, place.key] { hash.add(text) }
        for value in [number, start] + content { hash.add(value ?? .min) }
        return .init(gateway: gateway, position: position, digest: hash.characters)
    }
}

extension ReadingsRecord {
    package var entry: PositionMemory.Entry {
        var hash = PositionMemory.Hash()
        for text in [receiver, place.key] { hash.add(text) }
        for value in [start, end, Int64(bitPattern: listened.bitPattern), clockIsSynchronized ? 1 : 0] {
            hash.add(value)
        }
        for subject in subjects {
            hash.add(subject.count)
            hash.add(subject.rssi.map { Int64(bitPattern: $0.bitPattern) } ?? .min)
        }
        return .init(gateway: gateway, position: position, digest: hash.characters)
    }
}
