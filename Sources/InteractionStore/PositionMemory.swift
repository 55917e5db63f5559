import MQTTBridge

/// Which of a gateway's records were taken, and two characters of what each says. Pure.
///
/// Rows of interactions have the latest record of each only. Without this memory another interaction could take the boot and
/// sequence of a record that a later one has replaced.
struct PositionMemory {
    /// The number of sequences in one text. Records come in order, so that a batch changes few texts.
    static let blockSize: UInt64 = 64
    /// The entry of a record that didn't come, or wasn't stored.
    private static let none: [UInt8] = Array("..".utf8)
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private var blocks: [String: [UInt8]] = [:]
    private(set) var changed: Set<String> = []

    /// - Parameter stored: texts by their names, as `text(of:)` gave them.
    init(_ stored: [String: String] = [:]) {
        for (name, text) in stored where text.utf8.count == Int(Self.blockSize) * 2 { blocks[name] = Array(text.utf8) }
    }

    /// The name of the text that has a record.
    static func block(of record: InteractionRecord) -> String {
        "\(record.gateway)/\(record.position.boot)/\(record.position.sequence / blockSize)"
    }

    /// Whether a record of the same gateway, boot and sequence was taken, and whether it said the same; `nil` when there was
    /// none. Of 4096 that say something else one is taken for the same, and counted as that: neither is stored.
    func isSame(_ record: InteractionRecord) -> Bool? {
        guard let block = blocks[Self.block(of: record)] else { return nil }
        let index = Self.index(of: record)
        let known = Array(block[index..<index + 2])
        return known == Self.none ? nil : known == Self.digest(of: record)
    }

    mutating func remember(_ record: InteractionRecord) {
        let name = Self.block(of: record)
        let index = Self.index(of: record)
        var block = blocks[name] ?? Array(repeating: Self.none, count: Int(Self.blockSize)).flatMap(\.self)
        block.replaceSubrange(index..<index + 2, with: Self.digest(of: record))
        blocks[name] = block
        changed.insert(name)
    }

    func text(of block: String) -> String { String(decoding: blocks[block] ?? [], as: UTF8.self) }

    private static func index(of record: InteractionRecord) -> Int { Int(record.position.sequence % blockSize) * 2 }

    /// Two characters that stand for everything in a record but its subject. When a subject is erased, nothing of it is left
    /// here.
    private static func digest(of record: InteractionRecord) -> [UInt8] {
        var hash = Hash()
        for text in [record.origin, record.place.key] {
            hash.add(text.utf8)
            hash.add(CollectionOfOne(0))
        }
        for value in [record.number, record.start] + record.content {
            hash.add(value ?? .min)
        }
        let bits = Int(truncatingIfNeeded: hash.value ^ hash.value >> 24 ^ hash.value >> 48)
        return [alphabet[bits & 63], alphabet[bits >> 6 & 63]]
    }

    /// FNV-1a (Fowler, Noll and Vo; RFC 9923): the same in every process.
    private struct Hash {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }

        mutating func add(_ number: Int64) {
            for shift in stride(from: 0, to: 64, by: 8) {
                add(CollectionOfOne(UInt8(truncatingIfNeeded: number >> shift)))
            }
        }
    }
}
