import Testing

@testable import Publishing

@Suite struct OutboxSpaceTests {
    private let rules = OutboxRules(bytes: 100_000_000)

    @Test("Without a disk the room is what the limit of the outbox leaves, and never less than nothing")
    func limit() {
        #expect(OutboxSpace.room(rules: rules, bytes: 30_000_000, space: nil) == 70_000_000)
        #expect(OutboxSpace.room(rules: rules, bytes: 130_000_000, space: nil) == 0)
    }

    @Test("The disk's room counts when it is smaller, together with what is free in the file")
    func disk() {
        var space = OutboxSpace(availableBytes: 10_000_000, freeBytes: 4_000_000, usedBytes: 20_000_000)
        #expect(OutboxSpace.room(rules: rules, bytes: 20_000_000, space: space) == 14_000_000)
        space.availableBytes = .max
        #expect(OutboxSpace.room(rules: rules, bytes: 20_000_000, space: space) == 80_000_000)
    }

    @Test("Records take as much more of the disk as those that are held do, and half as much again while they are few")
    func expansion() {
        let space = OutboxSpace(availableBytes: 12_000_000, usedBytes: 24_000_000)
        #expect(OutboxSpace.room(rules: rules, bytes: 20_000_000, space: space) == 10_000_000)
        #expect(OutboxSpace.room(rules: rules, bytes: 2_000_000, space: space) == 6_000_000)
        #expect(OutboxSpace.room(rules: rules, bytes: 0, space: space) == 8_000_000)
    }
}
