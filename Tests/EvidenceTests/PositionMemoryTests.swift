import Testing

@testable import Evidence

@Suite("Which records were taken") struct PositionMemoryTests {
    private func interaction(
        _ sequence: UInt64, _ subject: String = "ann", _ minutes: ClosedRange<Int64> = 0...20, number: Int64 = 7
    ) throws -> InteractionRecord {
        guard case .interaction(let record) = record(sequence, subject, minutes, number: number) else {
            throw Missing()
        }
        return record
    }

    private struct Missing: Error {}

    /// As the store keeps it.
    private func kept(_ memory: PositionMemory) -> PositionMemory {
        PositionMemory(Dictionary(uniqueKeysWithValues: memory.changed.map { ($0, memory.text(of: $0)) }))
    }

    @Test func `A record is told from another with its boot and sequence, also of another interaction`() throws {
        var memory = PositionMemory()
        let record = try interaction(63)
        #expect(memory.isSame(record.entry) == nil)
        memory.remember(record.entry)
        for memory in [memory, kept(memory)] {
            #expect(memory.isSame(record.entry) == true)
            #expect(try memory.isSame(interaction(63, number: 8).entry) == false)
            #expect(try memory.isSame(interaction(63, "ann", 0...21).entry) == false)
            #expect(try memory.isSame(interaction(62).entry) == nil)
            #expect(try memory.isSame(interaction(64).entry) == nil)
            #expect(try memory.isSame(interaction(127).entry) == nil)
        }
    }

    @Test func `Sixty-four records are one text, and nothing of whose they are is in it`() throws {
        var (memory, other) = (PositionMemory(), PositionMemory())
        for sequence in 0..<UInt64(130) {
            memory.remember(try interaction(sequence).entry)
            other.remember(try interaction(sequence, "ben").entry)
        }
        #expect(
            memory.changed == ["campus/main/1/east/1/0", "campus/main/1/east/1/1", "campus/main/1/east/1/2"])
        for block in memory.changed {
            #expect(memory.text(of: block).utf8.count == 128)
            #expect(memory.text(of: block) == other.text(of: block))
        }
    }

    @Test func `A text that somebody else wrote is no memory`() throws {
        let record = try interaction(1)
        for text in ["", "..", String(repeating: "x", count: 127), String(repeating: "ä", count: 128)] {
            #expect(PositionMemory([record.entry.block: text]).isSame(record.entry) == nil)
        }
    }
}
