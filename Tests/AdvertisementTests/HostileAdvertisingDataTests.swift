import Advertisement
import BeaconModel
import TestValues
import Testing

/// What is decoded is compared with `NaiveDecoder`, so that these tests can fail otherwise than by a trap.
@Suite("Hostile advertising data")
struct HostileAdvertisingDataTests {
    @Test("Every truncation of every good payload is decoded as by the plainest decoder")
    func truncations() {
        for payload in Payload.good {
            for length in 0...payload.count { compare(Array(payload.prefix(length)), "a truncation") }
        }
    }

    @Test("200 000 random payloads of 0 to 255 bytes never trap")
    func random() {
        var generator = SeededGenerator("random payloads")
        var buffer = [UInt8](repeating: 0, count: 256)
        for _ in 0..<200_000 {
            let length = Int(generator.next() % 256)
            buffer.withUnsafeMutableBytes { bytes in
                for offset in stride(from: 0, to: length, by: 8) {
                    bytes.storeBytes(of: generator.next(), toByteOffset: offset, as: UInt64.self)
                }
            }
            // Half of them with a plausible first length, so that the walk goes further.
            if length > 31, generator.next() % 2 == 0 { buffer[0] = UInt8(generator.next() % 32) }
            guard compare(Array(buffer.prefix(length)), generator.comment) else { return }
        }
    }

    @Test("Mutations of good payloads never trap")
    func mutations() throws {
        var generator = SeededGenerator("mutated payloads")
        var identities = 0
        var defects: Set<AdvertisingData.Defect> = []
        for _ in 0..<20_000 {
            var payload = Payload.good.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&payload, &generator) }
            guard compare(payload, generator.comment) else { return }
            let decoded = decode(payload)
            if decoded.identity != nil { identities += 1 }
            if let defect = decoded.defect { defects.insert(defect) }
        }
        // Else the mutations are too wild, or too tame, to test anything.
        #expect(identities > 1000, generator.comment)
        #expect(defects.count > AdvertisingData.Defect.allCases.count / 2, generator.comment)
    }

    /// Changes that know where structures, lengths and prefixes are.
    private func mutate(_ payload: inout [UInt8], _ generator: inout SeededGenerator) {
        let position = payload.isEmpty ? 0 : Int.random(in: 0..<payload.count, using: &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0 where !payload.isEmpty: payload[position] = UInt8.random(in: 0...255, using: &generator)
        case 1 where !payload.isEmpty: payload[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: payload = Array(payload.prefix(position))
        case 3: payload += Payload.good.randomElement(using: &generator) ?? []
        case 4: payload.insert(contentsOf: Payload.flags(0x06), at: position)
        case 5:
            // A wrong length in the head of one of the structures.
            var heads: [Int] = []
            var offset = 0
            while offset < payload.count, payload[offset] > 0 {
                heads.append(offset)
                offset += Int(payload[offset]) + 1
            }
            if let head = heads.randomElement(using: &generator) {
                payload[head] = payload[head] &+ UInt8.random(in: 0...4, using: &generator) &- 2
            }
        default: payload.removeSubrange(position..<min(payload.count, position + 1))
        }
    }

    /// - Returns: whether both decoders say the same.
    @discardableResult
    private func compare(_ payload: [UInt8], _ comment: Comment) -> Bool {
        let decoded = decode(payload)
        let expected = NaiveDecoder.decode(payload)
        if decoded == expected { return true }
        Issue.record("\(payload) gave \(decoded), not \(expected); \(comment)")
        return false
    }
}
