import Matching
import TestValues
import Testing

@Suite struct BlockComputationTests {
    private static func listening(_ minutes: some Sequence<Int> = 0..<15) -> BlockListening {
        var listening = BlockListening()
        for minute in minutes { listening.add(seconds: 60, clockIsSynchronized: true, inMinute: minute) }
        return listening
    }

    /// Receivers 1 to 4 on floor 0 and 11 to 14 on floor 1.
    private let receivers = Dictionary(
        uniqueKeysWithValues: [1, 2, 3, 4, 11, 12, 13, 14].map {
            (
                Int64($0),
                BlockComputation.Receiver(
                    .init(floor: $0 < 10 ? 0 : 1, gateway: Int64($0)), listening: Self.listening())
            )
        })

    private func vectors(_ rssi: [Int64: Double], _ minutes: some Sequence<Int> = 0..<15) -> BlockVectors {
        var vectors = BlockVectors()
        for minute in minutes {
            for (receiver, rssi) in rssi {
                vectors.add(Hearing(receiver: receiver, code: HearingCode(count: 50, rssi: rssi)), inMinute: minute)
            }
        }
        return vectors
    }

    @Test func `Two who sit together are each other's company in every minute, and a third isn't`() throws {
        let result = BlockComputation(receivers: receivers, fixed: []).result([
            1: vectors([1: -55, 2: -70, 3: -80]), 2: vectors([1: -60, 2: -74, 3: -86]),
            3: vectors([1: -80, 2: -70, 3: -55]),
        ])
        #expect(result.company[1]?.others.map(\.subject) == [2])
        #expect(result.company[2]?[1] == result.company[1]?[2])
        #expect(try #require(result.company[1]?[2]).allSatisfy { $0 >= SimilarityLevel(0.98) })
        #expect(result.company[3]?.others.isEmpty == true)
        #expect(result.company[3]?.compared == 0x7FFF)
    }

    // Receiver 21 is the only gateway of its floor, 11 is one that lies. Subjects 1 and 2 are together, 3 is in another room.
    @Test(
        "A gateway that claims somebody for its floor, in whatever way, hides nobody whom they were with",
        arguments: [
            [1: [21: -50, 22: -56], 2: [21: -52, 22: -57], 3: [21: -70, 22: -52]],
            [1: [1: -76, 2: -78], 2: [1: -77, 2: -78], 3: [1: -90, 2: -74]],
            [1: [1: -50], 2: [1: -52, 2: -85], 3: [2: -55]],
            // One is near two gateways and the other, in a pocket, isn't.
            [1: [1: -55, 2: -66], 2: [1: -71, 2: -82], 3: [1: -80, 2: -55]],
            // A remote receiver of the gateway above hears both, too.
            [1: [1: -60, 2: -76, 21: -68], 2: [1: -61, 2: -77, 21: -68], 3: [1: -80, 2: -55]],
            [1: [1: -77, 2: -84], 2: [1: -76, 2: -85], 3: [1: -92, 2: -77]],
        ] as [[Int64: [Int64: Double]]])
    func lie(heard: [Int64: [Int64: Double]]) throws {
        var receivers = receivers
        for receiver: Int64 in [21, 22] {
            receivers[receiver] = .init(.init(floor: 2, gateway: 21), listening: Self.listening())
        }
        // Of a floor of its own, with remote receivers, and of one where an honest one hears something through the
        // ceiling.
        let elsewhere: [(floor: Int64, gateway: Int64, honest: Int64?, level: Double)] = [
            (3, 31, nil, 0), (1, 11, 12, -89), (1, 11, 12, -78),
        ]
        for (floor, gateway, honest, level) in elsewhere {
            for receiver in [gateway, 91, 92] {
                receivers[receiver] = .init(.init(floor: floor, gateway: gateway), listening: Self.listening())
            }
            let truth = BlockComputation(receivers: receivers, fixed: []).result(heard.mapValues { vectors($0) })
            for victims: Set<Int64> in [[1], [1, 2]] {
                let lies = heard.map { subject, heard in
                    var heard = heard
                    if victims.contains(subject) {
                        heard[gateway] = subject == 1 ? -5 : -30
                        heard[subject == 1 ? 91 : 92] = -3
                        if let honest { heard[honest] = level }
                    }
                    return (subject, vectors(heard))
                }
                let result = BlockComputation(receivers: receivers, fixed: []).result(
                    Dictionary(uniqueKeysWithValues: lies))
                let minutes = result.company[1]?[2]?.filter { $0 >= SimilarityLevel(0.8) }.count ?? 0
                let expected = truth.company[1]?[2]?.filter { $0 >= SimilarityLevel(0.9) }.count ?? 0
                #expect(minutes >= expected, "floor \(floor), \(level) dBm, \(victims), \(minutes) of \(expected)")
                #expect(result.company[2]?[1] == result.company[1]?[2])
                #expect(result.disbelieved.isDisjoint(with: [21, 22, 1, 2]))
            }
        }
    }

    /// Who is whose company when receiver 11 says, with its remote one, that everybody is in one room of floor 1,
    /// where 3 really is.
    private func claimed(_ heard: [Int64: [Int64: Double]]) -> [Int64: BlockCompany] {
        var receivers = receivers
        receivers[91] = .init(.init(floor: 1, gateway: 11), listening: Self.listening())
        var all = heard.mapValues { vectors($0.merging([11: -3, 91: -5]) { $1 }) }
        all[3] = vectors([11: -50, 91: -52, 12: -60])
        return BlockComputation(receivers: receivers, fixed: []).result(all).company
    }

    @Test(arguments: [-60, -69.0])
    func `A gateway makes nobody who is near two of another floor the company of its own`(second: Double) {
        let company = claimed([1: [1: -45, 2: second], 2: [1: second, 2: -45]])
        #expect(company[3]?.others.isEmpty == true && company[1]?[2] == nil)
    }

    @Test func `A gateway joins nobody of two other floors, however faintly those hear them`() {
        var receivers = receivers
        for (receiver, floor, gateway) in [(91, 1, 11), (21, 2, 21), (22, 2, 22)] as [(Int64, Int64, Int64)] {
            receivers[receiver] = .init(.init(floor: floor, gateway: gateway), listening: Self.listening())
        }
        for (own, other) in [(-71.0, -76.0), (-45, -72), (-45, -90), (-76, -80)] {
            let heard: [Int64: [Int64: Double]] = [1: [1: own, 2: other], 2: [21: -71, 22: -76]]
            let result = BlockComputation(receivers: receivers, fixed: []).result(
                heard.mapValues { vectors($0.merging([11: 0, 91: -4]) { $1 }) })
            #expect(result.company[1]?[2] == nil, "\(own) \(other)")
        }
    }

    // Eight remote receivers, each of which says that it hears some of another floor nearest.
    @Test func `A gateway of another floor makes nobody unlike`() throws {
        var receivers = receivers
        receivers[91] = .init(.init(floor: 1, gateway: 11), listening: Self.listening())
        let heard: [Int64: [Int64: Double]] = [1: [1: -60, 2: -66, 3: -72], 2: [1: -64, 2: -61, 3: -75]]
        func levels(_ heard: [Int64: [Int64: Double]]) throws -> BlockLevels {
            let result = BlockComputation(receivers: receivers, fixed: []).result(heard.mapValues { vectors($0) })
            return try #require(result.company[1]?[2])
        }
        for lie in [-60, -66, -72.0] {
            let lies = heard.merging([1: [11: lie], 2: [91: lie]]) { $0.merging($1) { $1 } }
            #expect(try zip(levels(lies), levels(heard)).allSatisfy { $0 >= $1 })
        }
    }

    @Test(arguments: [-60, -74, -84.0])
    func `A gateway makes nobody alike who is near different gateways of another floor`(second: Double) {
        #expect(claimed([1: [1: -45, 2: second], 2: [1: second, 2: -45]])[1]?[2] == nil)
    }

    @Test func `What hangs somewhere is nobody's company`() {
        let result = BlockComputation(receivers: receivers, fixed: [2]).result([
            1: vectors([1: -55, 2: -70]), 2: vectors([1: -55, 2: -70]),
        ])
        #expect(result.company[1]?.others.isEmpty == true && result.company[2] == nil)
    }

    @Test func `The company of one alone is what everybody's says of it`() {
        var random = SeededGenerator("company of one")
        for _ in 0..<30 {
            var all: [Int64: BlockVectors] = [:]
            for subject in 1...25 {
                let base = random.next() % 2 == 0 ? Int64(0) : 10
                all[Int64(subject)] = vectors(
                    Dictionary(
                        uniqueKeysWithValues: (1...4).map { (base + Int64($0), -90 + Double(random.next() % 400) / 10) }
                    ),
                    (0..<15).filter { _ in random.next() % 3 > 0 })
            }
            let computation = BlockComputation(receivers: receivers, fixed: [5])
            let result = computation.result(all)
            for subject in 1...25 {
                #expect(
                    computation.company(of: [Int64(subject)], all)[Int64(subject)] == result.company[Int64(subject)],
                    random.comment)
            }
        }
    }

    @Test func `So it is where everybody is heard through ceilings`() {
        var random = SeededGenerator("company through ceilings")
        for _ in 0..<30 {
            var all: [Int64: BlockVectors] = [:]
            for subject in 1...25 {
                let levels = [1, 2, 3, 4, 11, 12, 13, 14].map { (Int64($0), -90 + Double(random.next() % 200) / 10) }
                all[Int64(subject)] = vectors(Dictionary(uniqueKeysWithValues: levels), [0, 7])
            }
            let computation = BlockComputation(receivers: receivers, fixed: [])
            let result = computation.result(all)
            for subject in 1...25 {
                #expect(
                    computation.company(of: [Int64(subject)], all)[Int64(subject)] == result.company[Int64(subject)],
                    random.comment)
            }
        }
    }

    @Test func `In a minute in which all but one receiver of a floor are deaf nobody is compared`() {
        var receivers = receivers
        for receiver in [2, 3, 4] {
            receivers[Int64(receiver)]?.listening = Self.listening((0..<15).filter { $0 != 6 })
        }
        let result = BlockComputation(receivers: receivers, fixed: []).result([
            1: vectors([1: -55, 2: -70]), 2: vectors([1: -55, 2: -70]),
        ])
        #expect(result.company[1]?.compared == UInt16(0x7FFF) & ~(1 << 6))
        #expect(result.company[1]?[2]?.enumerated().filter { $0.element == .none }.map(\.offset) == [6])
    }

    // Receiver 1 claims to have heard everybody on floor 1 louder than all others.
    @Test func `A receiver that claims to have heard another floor isn't believed, and parts nobody there`() throws {
        let upstairs: [Int64: BlockVectors] = [
            1: vectors([11: -55, 12: -70, 13: -80]), 2: vectors([11: -56, 12: -72, 13: -80]),
            3: vectors([11: -80, 12: -70, 13: -55]), 4: vectors([12: -80, 13: -60, 14: -58]),
        ]
        let honest = BlockComputation(receivers: receivers, fixed: []).result(upstairs)
        var forged = upstairs
        for subject in forged.keys { forged[subject]?.merge(vectors([1: -25])) }
        let result = BlockComputation(receivers: receivers, fixed: []).result(forged)
        #expect(result.disbelieved == [1])
        for (subject, company) in honest.company {
            #expect((result.company[subject]?.others ?? []).map(\.subject) == company.others.map(\.subject))
            for other in company.others {
                let levels = try #require(result.company[subject]?[other.subject])
                // Nobody is less alike by what it says.
                #expect(zip(levels, other.levels).allSatisfy { $0 >= $1 })
            }
        }
    }

    // Two gateways invent 2,500 names in each of three minutes; three badges have been there all the time.
    @Test func `Of a flood of names those are compared that stay, and what was left out is said`() throws {
        var all: [Int64: BlockVectors] = [:]
        for minute in 0..<3 {
            for name in 0..<2500 {
                all[Int64(1 + minute * 2500 + name)] = vectors([1: -50, 2: -60], [minute])
            }
        }
        let badges: [Int64] = [90_001, 90_002, 90_003]
        all[badges[0]] = vectors([1: -55, 2: -70])
        all[badges[1]] = vectors([1: -57, 2: -72])
        all[badges[2]] = vectors([2: -75, 3: -55])
        let result = BlockComputation(receivers: receivers, fixed: []).result(all)
        // 503 weren't compared, and of those who were all but one badge look like more than 200.
        #expect(result.leftOut == 3 * (503 + 1999))
        let company = try #require(result.company[badges[0]])
        #expect(company[badges[1]]?.allSatisfy { $0 > SimilarityLevel(0.9) } == true)
        #expect(company[badges[2]] == nil)
        // What can be told of distances counts as well.
        #expect(company.compared == 0x7FF8)
    }

    /// Receiver 5 is a remote one of receiver 1's gateway.
    private var withEar: [Int64: BlockComputation.Receiver] {
        var receivers = receivers
        receivers[5] = .init(.init(floor: 0, gateway: 1), listening: Self.listening())
        return receivers
    }

    @Test func `Of a crowd that one gateway alone heard with its remote receivers 100 are compared`() throws {
        var all: [Int64: BlockVectors] = [:]
        for subject in 1...100 { all[Int64(subject)] = vectors([1: -55, 5: -70]) }
        let honest = BlockComputation(receivers: withEar, fixed: []).result(all)
        #expect(honest.leftOut == 0 && honest.company[100]?.others.count == 99)
        #expect(honest.company[1]?.compared == 0x7FFF)
        // It invents more, and two are heard by other gateways as well.
        for subject in 101...400 { all[Int64(subject)] = vectors([1: -55, 5: -70]) }
        for subject in 1001...1002 { all[Int64(subject)] = vectors([1: -55, 2: -80, 5: -70]) }
        let computation = BlockComputation(receivers: withEar, fixed: [])
        let result = computation.result(all)
        #expect(result.leftOut == 15 * 300)
        #expect(result.company[101] == nil && result.company[400] == nil)
        #expect(result.company[1001]?[1002] != nil && result.company[100]?[1] != nil)
        // Distances count as well.
        #expect(result.company[1001]?.compared == 0)
        for subject in [Int64(1), 101, 1001] {
            #expect(computation.company(of: [subject], all)[subject] == result.company[subject])
        }
    }

    @Test func `Nobody of 201 whom several gateways heard alike is left out`() throws {
        let all = Dictionary(uniqueKeysWithValues: (1...201).map { (Int64($0), vectors([1: -55, 2: -70])) })
        let result = BlockComputation(receivers: receivers, fixed: []).result(all)
        #expect(result.leftOut == 0)
        #expect(result.company.values.allSatisfy { $0.others.count == 200 && $0.compared == 0x7FFF })
    }

    @Test func `Of too many who look alike a row has 200, those with most minutes, and pairs are in both`() throws {
        var all = Dictionary(
            uniqueKeysWithValues: (1...260).map { (Int64($0), vectors([1: -55, 2: -70], 0..<10)) })
        for subject in 259...260 { all[Int64(subject)] = vectors([1: -55, 2: -70]) }
        all[300] = vectors([11: -55, 12: -70])
        all[301] = vectors([11: -55, 12: -70])
        let computation = BlockComputation(receivers: receivers, fixed: [])
        let result = computation.result(all)
        for (subject, company) in result.company {
            #expect(company.others.count <= 200 && company.packed.count < 3000)
            for other in company.others { #expect(result.company[other.subject]?[subject] == other.levels) }
        }
        #expect(result.company[260]?[259]?.minutes == 0x7FFF)
        #expect(result.company[1]?.others.count == 200 && result.company[1]?.compared == 0)
        #expect(result.company[260]?.compared == 0x7C00)
        #expect(result.leftOut > 0)
        // Other floors aren't concerned.
        #expect(result.company[300]?[301] != nil && result.company[300]?.compared == 0x7FFF)
        for subject in [Int64(1), 201, 260, 300] {
            #expect(computation.company(of: [subject], all)[subject] == result.company[subject])
        }
    }

    // Receiver 1 has a remote one and is the only gateway of its floor; another floor hears something. Receiver 11 says
    // that it hears all but the last nearest.
    @Test func `A gateway that fills its floor with people leaves nobody out of another`() {
        var receivers = receivers.filter { [1, 11].contains($0.key) }
        for (receiver, floor, gateway) in [(2, 0, 1), (91, 1, 11), (21, 2, 21)] as [(Int64, Int64, Int64)] {
            receivers[receiver] = .init(.init(floor: floor, gateway: gateway), listening: Self.listening())
        }
        var all = Dictionary(
            uniqueKeysWithValues: (1...230).map { (Int64($0), vectors([1: -75 - Double($0 % 4), 2: -50, 21: -88])) })
        for subject: Int64 in [1, 230] { all[subject] = vectors([1: -60, 2: -72, 21: -88]) }
        let computation = BlockComputation(receivers: receivers, fixed: [])
        #expect(computation.result(all).company[1]?[230] != nil)
        for subject in Int64(1)..<230 { all[subject]?.merge(vectors([11: -3, 91: -5])) }
        let result = computation.result(all)
        #expect(result.leftOut > 0)
        #expect(result.company[1]?[230]?.allSatisfy { $0 > SimilarityLevel(0.9) } == true)
        for subject: Int64 in [1, 2, 230] {
            #expect(computation.company(of: [subject], all)[subject] == result.company[subject])
        }
    }

    @Test func `The order of subjects changes nothing`() {
        var random = SeededGenerator("order of subjects")
        var all: [Int64: BlockVectors] = [:]
        for subject in 1...60 {
            all[Int64(subject)] = vectors(
                Dictionary(uniqueKeysWithValues: (1...4).map { (Int64($0), -90 + Double(random.next() % 400) / 10) }))
        }
        let computation = BlockComputation(receivers: receivers, fixed: [])
        let expected = computation.result(all)
        var shuffled: [Int64: BlockVectors] = [:]
        for (subject, vectors) in all.shuffled(using: &random) { shuffled[subject] = vectors }
        #expect(computation.result(shuffled) == expected, random.comment)
    }
}
