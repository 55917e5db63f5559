import Matching
import Testing

@Suite struct EncounterCutTests {
    /// The beginning of a block.
    private let start = ReadingBlock(number: 1_990_000).start

    private func meeting(_ positive: ClosedRange<Int64>, _ other: ClosedRange<Int64>, window: Int64 = 300)
        -> Encounter?
    {
        func stay(_ subject: Int64, _ minutes: ClosedRange<Int64>) -> Stay {
            Stay(
                subject: subject, place: 1, start: start + 60 * minutes.lowerBound,
                end: start + 60 * minutes.upperBound,
                distance: .init(centimetres: 100, lower: 50, upper: 200))
        }
        return Encounter(positive: stay(1, positive), other: stay(2, other), separation: 0, window: window)
    }

    private func cut(_ blocks: [Int64], at places: Set<Int64> = [1], unheard: Set<Int64> = []) -> EncounterCut {
        EncounterCut(
            excluded: blocks.reduce(into: [:]) { $0[ReadingBlock(number: 1_990_000 + $1)] = places }, unheard: unheard)
    }

    private func minutes(_ parts: [Encounter]) -> [[Int64]] {
        parts.map { [($0.positive.start - start) / 60, ($0.positive.end - start) / 60] }
    }

    @Test func `Without readings everything is left`() throws {
        let encounter = try #require(meeting(0...60, 0...60))
        #expect(cut([]).parts(of: encounter) == [encounter])
    }

    @Test func `The quarters in which minutes were compared are left out`() throws {
        let encounter = try #require(meeting(5...70, 0...80))
        #expect(minutes(cut([1, 2]).parts(of: encounter)) == [[5, 15], [45, 70]])
        #expect(cut([0, 1, 2, 3, 4]).parts(of: encounter).isEmpty)
    }

    // A gateway that claimed to hear somebody loudly on another floor hid everybody whom they were with.
    @Test func `At a place of a floor where the positive wasn't compared distances count`() throws {
        let encounter = try #require(meeting(5...70, 0...80))
        #expect(cut([0, 1, 2, 3, 4], at: [2, 3]).parts(of: encounter) == [encounter])
        #expect(cut([0, 1, 2, 3, 4], at: [1, 2]).parts(of: encounter).isEmpty)
    }

    @Test func `A phone that reports beacons itself is judged by distances everywhere`() throws {
        let encounter = try #require(meeting(5...70, 0...80))
        #expect(cut([0, 1, 2, 3, 4], unheard: [2]).parts(of: encounter) == [encounter])
    }

    @Test func `Who came after the positive had left counts only where that end isn't cut away`() throws {
        let encounter = try #require(meeting(0...20, 22...40))
        #expect(cut([1]).parts(of: encounter).isEmpty)
        #expect(minutes(cut([0]).parts(of: encounter)) == [[15, 20]])
    }

    /// What gateways of two floors heard of a subject, in dBm by the receiver's number, in some minutes of a block.
    private func whereabouts(of subject: Int64, _ heard: [Int64: Int64], in minutes: [Int]) -> EncounterCut.Whereabouts
    {
        var vectors = BlockVectors()
        for (receiver, rssi) in heard {
            vectors.add(
                Hearing(receiver: receiver, code: HearingCode(count: 20, rssi: Double(rssi))), inMinutes: minutes)
        }
        // Two gateways of floor 3, and three of floor 5; the last is a remote one of the one before.
        let floors = ListeningFloors([
            31: .init(floor: 3, gateway: 1), 32: .init(floor: 3, gateway: 2), 51: .init(floor: 5, gateway: 3),
            52: .init(floor: 5, gateway: 4), 53: .init(floor: 5, gateway: 4),
        ])
        var whereabouts = EncounterCut.Whereabouts()
        whereabouts.add(subject, vectors, in: ReadingBlock(number: 1_990_000), floors)
        return whereabouts
    }

    // One gateway had exposed people whom two of another floor heard beside them.
    @Test(arguments: [1, 2] as [Int64])
    func `While two gateways of another floor hear one of them near, it isn't believed that they met`(subject: Int64)
        throws
    {
        let encounter = try #require(meeting(0...30, 0...30))
        func left(_ heard: [Int64: Int64], floor: Int64 = 3, unheard: Set<Int64> = []) -> [[Int64]] {
            let cut = EncounterCut(
                excluded: [:], whereabouts: whereabouts(of: subject, heard, in: [2, 3, 7]), floors: [1: floor],
                unheard: unheard)
            return minutes(cut.parts(of: encounter))
        }
        #expect(left([51: -60, 52: -70]) == [[0, 2], [4, 7], [8, 30]])
        // The one who is heard meets no phone elsewhere, either.
        #expect(left([51: -60, 52: -70], unheard: [3 - subject]) == [[0, 2], [4, 7], [8, 30]])
        // One gateway, twice; and one that hears it far away.
        #expect(left([52: -60, 53: -60]) == [[0, 30]])
        #expect(left([51: -60, 52: -80]) == [[0, 30]])
        // The floor of the place.
        #expect(left([51: -60, 52: -70], floor: 5) == [[0, 30]])
    }
}
