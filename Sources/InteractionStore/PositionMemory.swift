import RecordContract

/// Which of a gateway's records were taken, and two characters of what each says. Pure.
///
/// Rows of interactions have the latest record of each only. Without this memory another interaction could take the boot and
/// sequence of a record that a later one has replaced.
struct PositionMemory {
    /// The number of sequences in one text. Records come in order, so that a batch changes few texts.
    static let blockSize: UInt64 = 64
    /// The entry of a record that didn't come, or wasn't stored.
    private static let none: [UInt8] = Array("..".utf8)
    private static let emptyBlock: [UInt8] = Array(repeating: none, count: Int(blockSize)).flatMap(\.self)
    fileprivate static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private var blocks: [String: [UInt8]] = [:]
    private(set) var changed: Set<String> = []

    /// - Parameter stored: texts by their names, as `text(of:)` gave them.
    init(_ stored: [String: String] = [:]) {
        for (name, text) in stored where text.utf8.count == Int(Self.blockSize) * 2 { blocks[name] = Array(text.utf8) }
    }

    /// A record by its position, and two characters of what it says.
    struct Entry {
        fileprivate var gateway: String
        fileprivate var position: RecordPosition
        fileprivate var digest: [UInt8]

        /// The name of the text that has it.
        var block: String { "\(gateway)/\(position.boot)/\(position.sequence / PositionMemory.blockSize)" }

        fileprivate var index: Int { Int(position.sequence % PositionMemory.blockSize) * 2 }
    }

    /// Whether nothing is known yet of the block that a record is in.
    func isNew(_ entry: Entry) -> Bool { blocks[entry.block] == nil }

    /// Makes an empty block for a record. It is only written down when something is remembered in it.
    mutating func begin(_ entry: Entry) {
        if isNew(entry) { blocks[entry.block] = Self.emptyBlock }
    }

    /// Whether a record of the same gateway, boot and sequence was taken, and whether it said the same; `nil` when there was
    /// none. Of 4096 that say something else one is taken for the same, and counted as that: neither is stored.
    func isSame(_ entry: Entry) -> Bool? {
        guard let block = blocks[entry.block] else { return nil }
        let known = Array(block[entry.index..<entry.index + 2])
        return known == Self.none ? nil : known == entry.digest
    }

    mutating func remember(_ entry: Entry) {
        let name = entry.block
        var block = blocks[name] ?? Self.emptyBlock
        block.replaceSubrange(entry.index..<entry.index + 2, with: entry.digest)
        blocks[name] = block
        changed.insert(name)
    }

    func text(of block: String) -> String { String(decoding: blocks[block] ?? [], as: UTF8.self) }

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

// The characters stand for everything in a record but its subjects: when one is erased, nothing of it is left here.

extension InteractionRecord {
    var entry: PositionMemory.Entry {
        var hash = PositionMemory.Hash()
        for text in [origin, place.key] { hash.add(text) }
        for value in [number, start] + content { hash.add(value ?? .min) }
        return .init(gateway: gateway, position: position, digest: hash.characters)
    }
}

extension ReadingsRecord {
    var entry: PositionMemory.Entry {
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
