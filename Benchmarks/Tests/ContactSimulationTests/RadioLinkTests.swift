import Testing

@testable import ContactsBenchmark

/// Seed 3. The receiver of room 1 hangs over (3, 5.4).
@Suite("The air between badge and receiver") struct RadioLinkTests {
    private let building = Building(people: 4)

    /// The mean of 4000 packets, each 200 s after the one before, so that little of the fading is the same; what isn't
    /// received counts as the weakest that is.
    private func mean(_ position: Walks.Position) -> Double {
        let traits = RoomTraits(building, building.gateways[1], seed: 3)
        let badge = BadgeTraits(seed: 3, person: 0)
        var link = RadioLink(seed: 3)
        let sum = (0..<4000).reduce(0.0) { sum, packet in
            let rssi = link.rssi(position, floor: 0, at: Double(200 * packet), channel: packet % 3, badge, traits)
            return sum + (rssi.map { Double($0) } ?? RadioConstants().sensitivity)
        }
        return sum / 4000
    }

    // 1 m and 2.6 m beside the receiver and 1.25 m below it, 1.6 m and 2.9 m in all: log10(2.9 / 1.6) = 0.26 at an exponent
    // of 1.4 to 2.9 makes 3.6 to 7.5 dB, and both look towards it.
    @Test func `Who is farther away is weaker`() {
        let near = mean(.init(x: 4, y: 5.4, facing: .pi, room: 1))
        let far = mean(.init(x: 5.6, y: 5.4, facing: .pi, room: 1))
        #expect((2.6...8.5).contains(near - far))
    }

    // A body takes 4 to 14 dB of the part of the way that is level: 1.5 of 1.95 m.
    @Test func `Who turns away is weaker by the body`() {
        let towards = mean(.init(x: 4.5, y: 5.4, facing: .pi, room: 1))
        let away = mean(.init(x: 4.5, y: 5.4, facing: 0, room: 1))
        #expect((2.5...11.5).contains(towards - away))
    }

    // At the wall to the next room, on both sides of it: 2 to 8 dB, and deeper fading.
    @Test func `A wall takes some of the strength away`() {
        let here = mean(.init(x: 5.9, y: 5.4, facing: .pi, room: 1))
        let there = mean(.init(x: 6.1, y: 5.4, facing: .pi, room: 2))
        #expect((2...12).contains(here - there))
    }
}
