import Evidence
import RecordContract
import Testing

@Suite struct ReceiverStandingTests {
    private let first = ReceiverCoordinates(x: 1, y: 2, z: 2.2)
    private let second = ReceiverCoordinates(x: 8, y: 2.0004, z: 2.2)

    private func position(_ sequence: UInt64, boot: UInt64 = 3) -> RecordPosition {
        RecordPosition(boot: boot, sequence: sequence)
    }

    private var standing: ReceiverStanding {
        ReceiverStanding(coordinates: first, room: "a", since: 1000, record: position(5))
    }

    @Test func `A record with the same position and room changes nothing`() {
        #expect(
            standing.after(.init(coordinates: first, room: "a", start: 2000, record: position(6)), now: 3000) == nil)
    }

    @Test func `A receiver that was moved has its former position, and the time of the first record there`() {
        let moved = standing.after(
            .init(coordinates: second, room: "b", start: 2000, record: position(6)), now: 3000)
        #expect(
            moved
                == ReceiverStanding(coordinates: second, room: "b", since: 2000, former: first, record: position(6)))
    }

    @Test func `Another room alone does not change since when the position holds`() {
        let renamed = standing.after(.init(coordinates: first, room: "b", start: 2000, record: position(6)), now: 3000)
        #expect(renamed == ReceiverStanding(coordinates: first, room: "b", since: 1000, record: position(6)))
    }

    @Test func `A record that comes late, or of an interaction that began before, moves nothing back`() {
        let late = ReceiverStanding.Statement(coordinates: second, room: "a", start: 2000, record: position(4))
        #expect(standing.after(late, now: 3000) == nil)
        let earlierBoot = ReceiverStanding.Statement(
            coordinates: second, room: "a", start: 2000, record: position(99, boot: 2))
        #expect(standing.after(earlierBoot, now: 3000) == nil)
        let old = ReceiverStanding.Statement(coordinates: second, room: "a", start: 999, record: position(6))
        #expect(standing.after(old, now: 3000) == nil)
    }

    @Test func `Without a clock the time of arrival counts`() {
        let moved = standing.after(.init(coordinates: second, room: "a", start: nil, record: position(6)), now: 3000)
        #expect(moved?.since == 3000)
    }

    @Test func `A position that was taken away is kept as the former one`() {
        let without = standing.after(.init(coordinates: nil, room: "a", start: 2000, record: position(6)), now: 3000)
        #expect(without?.coordinates == nil && without?.former == first)
        let again = without?.after(.init(coordinates: second, room: "a", start: 2500, record: position(7)), now: 3000)
        #expect(again?.coordinates == second && again?.former == first)
    }

    @Test func `Positions are kept to the millimetre, and impossible ones are none`() {
        #expect(second?.y == 2000)
        #expect(ReceiverCoordinates(x: .nan, y: 0, z: 0) == nil)
        #expect(ReceiverCoordinates(x: 0, y: .infinity, z: 0) == nil)
        #expect(ReceiverCoordinates(x: 0, y: 0, z: 1e300) == nil)
    }
}
