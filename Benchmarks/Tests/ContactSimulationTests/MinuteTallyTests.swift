import Testing

@testable import ContactsBenchmark

@Suite("What is counted in a minute") struct MinuteTallyTests {
    @Test func `Count and mean are those of the person's packets in the minute`() {
        var tally = MinuteTally(people: 2, minutes: 3)
        tally.add(1, minute: 2, rssi: -60)
        tally.add(1, minute: 2, rssi: -71)
        tally.add(0, minute: 2, rssi: -90)
        #expect(tally[1, 2] == .init(count: 2, mean: -65.5) && tally[0, 2] == .init(count: 1, mean: -90))
        #expect(tally[1, 1] == nil)
    }

    @Test func `What isn't of the day is left out`() {
        var tally = MinuteTally(people: 1, minutes: 1)
        tally.add(0, minute: -1, rssi: -60)
        tally.add(0, minute: 1, rssi: -60)
        #expect(tally == MinuteTally(people: 1, minutes: 1))
    }

    @Test func `Each two people have one value, whoever is named first`() {
        var pairs = Pairs(people: 4, 0)
        #expect(pairs.count == 6)
        var next = 1
        for other in 0..<4 {
            for one in 0..<other {
                pairs[other, one] = next
                next += 1
            }
        }
        #expect(pairs[0, 1] == 1 && pairs[2, 0] == 2 && pairs[2, 3] == 6)
    }

    private let building = Building(people: 2)

    /// A person sits in room 1 for three minutes and sends once a second; what its gateway counted.
    private func heard(_ faults: Faults, losses: [Double] = [0]) throws -> [MinuteTally] {
        let walks = Walks(people: 1, seconds: 180) { _, _ in .init(x: 3, y: 5, facing: 0, room: 1) }
        let air = Air(building, RadioConstants(), people: 1, measuredPower: -59, seed: 1)
        var station = try Station(
            building, gateway: 1, RadioConstants(), people: 1, losses: losses, seed: 1, rules: nil, faults: faults)
        station.begin(people: 1, minutes: 3)
        let transmissions = (0..<180).map { Transmission(microseconds: Int64($0) * 1_000_000, person: 0) }
        _ = try station.hear(transmissions, seconds: 0..<180, walks, air, opening: 1_793_606_400)
        return station.tallies
    }

    private func faults(deaf: Int = 0, clockError: Double = 0, seed: UInt64 = 1) -> Faults {
        Faults(gateways: 10, deaf: deaf, clockError: clockError, seconds: 32_400, seed: seed)
    }

    @Test func `All packets of a minute are counted, and fewer when some are lost`() throws {
        let tallies = try heard(faults(), losses: [0, 0.6])
        #expect((0..<3).map { tallies[0][0, $0]?.count } == [60, 60, 60])
        #expect((0..<3).allSatisfy { (8...40).contains(tallies[1][0, $0]?.count ?? 0) })
    }

    @Test func `A clock that is ahead moves packets into the next minute`() throws {
        let faults = faults(clockError: 50)
        let seconds = Int((Double(faults.clocks[1]) / 1e6).rounded(.down))
        #expect(seconds != 0 && abs(seconds) <= 50)
        let tally = try heard(faults)[0]
        // Of those that would be of another day nothing is left.
        let lost = (0..<3).reduce(180) { $0 - (tally[0, $1]?.count ?? 0) }
        #expect((abs(seconds)...(abs(seconds) + 1)).contains(lost) || lost == abs(seconds) - 1)
    }

    @Test func `As many gateways are deaf as asked for, and every second one says so`() {
        let faults = faults(deaf: 5)
        let deaf = faults.deafness.compactMap { $0 }
        #expect(deaf.count == 5 && deaf.count { $0.isKnown } == 3)
        #expect(deaf.allSatisfy { (3600...14_400).contains($0.seconds.count) && $0.seconds.upperBound <= 32_400 })
        #expect(faults.clocks.allSatisfy { $0 == 0 })
        #expect(self.faults(deaf: 99).deafness.allSatisfy { $0 != nil })
    }

    @Test func `Who is deaf counts nothing`() throws {
        let faults = Faults(gateways: 10, deaf: 10, clockError: 0, seconds: 180, seed: 1)
        #expect(try heard(faults)[0] == MinuteTally(people: 1, minutes: 3))
    }
}
