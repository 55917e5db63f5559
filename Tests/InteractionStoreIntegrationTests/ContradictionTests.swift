import Evidence
import InteractionStore
import Matching
import RecordContract
import TestSupport
import Testing

@testable import EvidenceTests

/// What readings say against one gateway's distances.
@Suite("One gateway's word", .timeLimit(.minutes(10))) struct ContradictionTests {
    private let now = SyntheticReadings.morning + 7200
    private let readings = SyntheticReadings()

    /// What the gateways of two floors hear while another of floor 0 says that two badges are beside it.
    enum Surroundings: CaseIterable {
        case nothing
        /// The one who reported, near two gateways of floor 1; or far from one of them.
        case positiveUpstairs
        case positiveFarUpstairs
        case otherUpstairs
        /// Two others of floor 0 listen and hear somebody else: those who are beside the third may be out of their reach.
        case silence

        var isBelieved: Bool {
            switch self {
            case .nothing, .positiveFarUpstairs, .silence: true
            case .positiveUpstairs, .otherUpstairs: false
            }
        }
    }

    private func badge(_ number: Int) throws -> SubjectIdentity { try #require(SyntheticReadings.badge(number)) }

    /// An hour beside the gateway `s/b/0/g9`.
    private func stay(_ sequence: UInt64, _ subject: SubjectIdentity) -> ReceivedRecord {
        let path = SyntheticReadings.path(0, 9)
        return .interaction(
            InteractionRecord(
                position: RecordPosition(boot: 1, sequence: sequence), gateway: path, origin: path + "/1",
                number: Int64(sequence),
                place: PlaceName(key: path, site: "s", building: "b", floor: "0", gateway: path), subject: subject,
                start: SyntheticReadings.morning, end: SyntheticReadings.morning + 3600, state: .departed, samples: 100,
                rssi: -50, distance: .init(centimetres: 50, lower: 25, upper: 100), within3m: 1000, within6m: 1000,
                seconds3m: 3600, seconds6m: 3600, clockIsSynchronized: true))
    }

    private func heard(_ surroundings: Surroundings, in minute: Int) throws -> [ReadingsRecord] {
        func subject(_ number: Int, _ rssi: Double) throws -> ReadingsRecord.Subject {
            .init(identity: try badge(number), count: 50, rssi: rssi)
        }
        func upstairs(_ number: Int, _ levels: (Double, Double)) throws -> [ReadingsRecord] {
            [
                readings.record(1, 0, minute, [try subject(number, levels.0)]),
                readings.record(1, 1, minute, [try subject(number, levels.1)]),
            ]
        }
        switch surroundings {
        case .nothing: return []
        case .positiveUpstairs: return try upstairs(1, (-60, -66))
        case .positiveFarUpstairs: return try upstairs(1, (-60, -85))
        case .otherUpstairs: return try upstairs(2, (-60, -66))
        case .silence: return try (0..<2).map { readings.record(0, $0, minute, [try subject(5, -60)]) }
        }
    }

    // It had exposed anybody to anybody, also those whom two gateways of another floor heard beside them.
    @Test(arguments: Surroundings.allCases, Backend.installed)
    func `Distances count while nobody contradicts them`(surroundings: Surroundings, backend: Backend) async throws {
        try await backend.withStore { store in
            let records = try (0..<60).flatMap { try heard(surroundings, in: $0) }
            _ = try store.store(records.map { .readings($0) }, now: now)
            _ = try store.store([stay(1, try badge(1)), stay(2, try badge(2))], now: now)
            _ = try store.settleAllReadings(before: now, now: now)
            let exposures = try ExposureSearch(
                subjects: [.init(identity: try badge(1), since: 0, until: now)],
                positive: PositiveCase(reportType: .confirmed),
                policy: try #require(Policy.shipped("six-metre-five-minute"))
            ).run(store).exposures
            #expect(exposures.map(\.way) == (surroundings.isBelieved ? [.beacon] : []), "\(exposures)")
        }
    }

    // 15,000 had been 13 MB of exposures for each report.
    @Test func `One gateway exposes a bounded number of people to one, those who have been known for longest`()
        async throws
    {
        try await Backend.sqlite.withStore { store in
            let most = ExposureBound.mostByOne
            let records = try (1...most + 50).map { stay(UInt64($0), try badge($0)) }
            _ = try store.store(records, now: now)
            let findings = try search().run(store)
            #expect(findings.exposures.count == most)
            #expect(findings.flooding == [EncounterSource(SyntheticReadings.path(0, 9))] && findings.leftOut.isEmpty)
            let kept = try store.subjects(Set(findings.exposures.map(\.subject))).keys.max()
            let numbers = try store.numbers(of: (1...most + 50).map { try badge($0) }).values.sorted()
            #expect(kept.map { number in numbers.firstIndex(of: number) ?? 0 } ?? 0 <= most)
        }
    }

    /// What follows from a report of badge 1.
    private func search(exposedBefore: Set<Int64> = []) throws -> ExposureSearch {
        ExposureSearch(
            subjects: [.init(identity: try badge(1), since: 0, until: now)],
            positive: PositiveCase(reportType: .confirmed),
            policy: try #require(Policy.shipped("six-metre-five-minute")), exposedBefore: exposedBefore)
    }

    /// Somebody's stay of an hour at a gateway of another floor, two metres from the positive's.
    private func honest(_ sequence: UInt64, _ subject: SubjectIdentity) throws -> ReceivedRecord {
        guard case .interaction(var one) = stay(sequence, subject) else { return stay(sequence, subject) }
        let path = SyntheticReadings.path(1, 9)
        (one.gateway, one.origin) = (path, path + "/1")
        one.place = PlaceName(key: path, site: "s", building: "b", floor: "1", gateway: path)
        one.distance = .init(centimetres: 200, lower: 100, upper: 250)
        return .interaction(one)
    }

    // The bound had dropped whole exposures: of whoever was "also" at the liar's place, what an honest gateway told too.
    @Test func `Whom a gateway invents too much of stays exposed by what another tells`() async throws {
        try await Backend.sqlite.withStore { store in
            let most = ExposureBound.mostByOne
            // Older than the one who really was there.
            _ = try store.store(try (2...most + 50).map { stay(UInt64($0), try badge($0)) }, now: now)
            let victim = try badge(most + 60)
            _ = try store.store(try [honest(1, badge(1)), honest(2, victim)], now: now)
            _ = try store.store(try [stay(1, badge(1)), stay(UInt64(most + 60), victim)], now: now)
            let findings = try search().run(store)
            let number = try #require(try store.numbers(of: [victim])[victim])
            #expect(findings.flooding == [EncounterSource(SyntheticReadings.path(0, 9))])
            #expect(findings.exposures.count == most + 1)
            #expect(findings.exposures.contains { $0.subject == number })
        }
    }

    // Those had the same rank as inventions of a third gateway beside one of the two, and were known for less long.
    @Test func `Whom two gateways expose together isn't replaced by whom a third one invents with one of them`()
        async throws
    {
        try await Backend.sqlite.withStore { store in
            let most = ExposureBound.mostByOne
            let paths = (SyntheticReadings.path(1, 7), SyntheticReadings.path(1, 8))
            func told(_ sequence: UInt64, _ subject: SubjectIdentity, by path: String) throws -> ReceivedRecord {
                guard case .interaction(var one) = try honest(sequence, subject) else { return stay(sequence, subject) }
                (one.gateway, one.origin) = (path, path + "/1")
                one.place = PlaceName(key: path, site: "s", building: "b", floor: "1", gateway: path)
                return .interaction(one)
            }
            let own = SyntheticReadings.path(1, 9)
            let invented = try (2...most + 101).map { try told(UInt64($0), badge($0), by: paths.1) }
            _ = try store.store(invented, now: now)
            _ = try store.store(try [honest(1, badge(1))], now: now)
            let victim = try badge(most + 200)
            _ = try store.store([try told(1, victim, by: paths.0)], now: now)
            try store.setNeighbours([
                (one: own, other: paths.0, centimetres: 50), (one: own, other: paths.1, centimetres: 50),
            ])
            let findings = try search().run(store)
            let number = try #require(try store.numbers(of: [victim])[victim])
            #expect(findings.flooding == [EncounterSource(positive: own, other: paths.1)])
            #expect(findings.exposures.count == most + 1 && findings.exposures.contains { $0.subject == number })
        }
    }

    // Each matching had added 2,000 others, and none of them went again.
    @Test func `Whom a report exposed before isn't replaced by others whom a gateway invents`() async throws {
        try await Backend.sqlite.withStore { store in
            let most = ExposureBound.mostByOne
            _ = try store.store(try (1...most + 50).map { stay(UInt64($0), try badge($0)) }, now: now)
            let latest = try badge(most + 50)
            let number = try #require(try store.numbers(of: [latest])[latest])
            let exposed = Set(try search(exposedBefore: [number]).run(store).exposures.map(\.subject))
            #expect(exposed.count == most && exposed.contains(number))
        }
    }

    // 1,000 stays of one at once by 990 of another were 990,000 encounters: 80 s with each matching.
    @Test func `A place at which the positive is told to be a thousand times at once is left out`() async throws {
        try await Backend.sqlite.withStore { store in
            let many = try (1...500).map { index in
                let subject = try badge(index % 2 == 0 ? 1 : 5)
                guard case .interaction(var one) = stay(UInt64(index), subject) else { return stay(1, subject) }
                one.start += Int64(index)
                return ReceivedRecord.interaction(one)
            }
            _ = try store.store(many, now: now)
            _ = try store.store(try [honest(1, badge(1)), honest(2, badge(2))], now: now)
            let findings = try search().run(store)
            let honest = try #require(try store.numbers(of: [try badge(2)]).values.first)
            #expect(findings.exposures.map(\.subject) == [honest])
            #expect(findings.leftOut == [EncounterSource(SyntheticReadings.path(0, 9))])
        }
    }

    // Sources of one gateway had come first, whatever their size.
    @Test func `Few encounters by the word of two come before many by the word of one`() async throws {
        try await Backend.sqlite.withStore { store in
            let path = SyntheticReadings.path(1, 7)
            guard case .interaction(var beside) = try honest(1, badge(2)) else { return }
            (beside.gateway, beside.origin) = (path, path + "/1")
            beside.place = PlaceName(key: path, site: "s", building: "b", floor: "1", gateway: path)
            _ = try store.store(try [honest(1, badge(1)), .interaction(beside)], now: now)
            try store.setNeighbours([(one: SyntheticReadings.path(1, 9), other: path, centimetres: 50)])
            let invented = try (1...40).map { stay(UInt64($0), try badge($0 == 1 ? 1 : 100 + $0)) }
            _ = try store.store(invented, now: now)
            let number = try #require(try store.numbers(of: [badge(1)]).values.first)
            let found = try store.allEncounters(
                of: [.init(subject: number, since: 0, until: now)],
                rule: try #require(Policy.shipped("six-metre-five-minute")).contact, limit: 30)
            let two = try #require(try store.numbers(of: [badge(2)]).values.first)
            #expect(found.found.contains { $0.other.subject == two } && found.found.count <= 30)
            #expect(found.leftOut == [EncounterSource(SyntheticReadings.path(0, 9))])
        }
    }

    // A million stays before the honest ones had kept these from being read.
    @Test(arguments: Backend.installed)
    func `Of a gateway that tells of more stays of the positive than anybody has none are read`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let many = try (0..<20).map { index -> ReceivedRecord in
                guard case .interaction(var one) = stay(UInt64(index + 1), try badge(1)) else {
                    return stay(1, try badge(1))
                }
                one.start -= Int64(index + 1) * 4000
                one.end = one.start + 60
                return .interaction(one)
            }
            _ = try store.store(many, now: now)
            _ = try store.store(try [honest(1, badge(1)), honest(2, badge(2))], now: now)
            let number = try #require(try store.numbers(of: [badge(1)]).values.first)
            let found = try store.allEncounters(
                of: [.init(subject: number, since: 0, until: now)],
                rule: try #require(Policy.shipped("six-metre-five-minute")).contact, mostToldByOne: 19)
            #expect(found.found.count == 1)
            #expect(found.leftOut == [EncounterSource(SyntheticReadings.path(0, 9))])
        }
    }

    // Of a beacon that both name it had been the honest gateway's place that was left out, and of a place beside it too.
    @Test(arguments: [false, true])
    func `What a gateway invents at another's place hides nothing that the other tells`(isBeside: Bool) async throws {
        try await Backend.sqlite.withStore { store in
            let own = try honest(1, badge(1))
            guard case .interaction(let real) = own else { return }
            _ = try store.store(try [own, honest(2, badge(2))], now: now)
            let liar = SyntheticReadings.path(1, 8)
            let invented = try (1...40).map { index -> ReceivedRecord in
                guard case .interaction(var one) = try honest(UInt64(index), badge(index % 2 == 0 ? 1 : 5)) else {
                    return own
                }
                (one.gateway, one.origin) = (liar, liar + "/1")
                one.place = real.place
                if isBeside { one.place = PlaceName(key: liar, site: "s", building: "b", floor: "1", gateway: liar) }
                one.start += Int64(index)
                return .interaction(one)
            }
            _ = try store.store(invented, now: now)
            if isBeside {
                try store.setNeighbours([(one: real.place.key, other: liar, centimetres: 100)])
            }
            let number = try #require(try store.numbers(of: [badge(1)]).values.first)
            let rule = try #require(Policy.shipped("six-metre-five-minute")).contact
            let found = try store.allEncounters(
                of: [.init(subject: number, since: 0, until: now)], rule: rule, limit: 15)
            let other = try #require(try store.numbers(of: [badge(2)]).values.first)
            #expect(found.found.contains { $0.other.subject == other && $0.positive.distance?.centimetres == 200 })
            #expect(found.leftOut.contains(EncounterSource(liar)))
            #expect(!found.leftOut.contains(EncounterSource(real.gateway)))
        }
    }

    @Test func `Of a gateway that was left out stays what was found before, and of others it goes`() async throws {
        try await Backend.sqlite.withStore { store in
            _ = try store.store(
                try [stay(1, badge(1)), stay(2, badge(2)), honest(1, badge(1)), honest(2, badge(3))], now: now)
            let report = try #require(
                try store.add(
                    PositiveReport(
                        reference: "r", received: now, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: try badge(1), since: 0, until: now)])
                ).number)
            let places = try store.placeNumbers(named: [SyntheticReadings.path(0, 9), SyntheticReadings.path(1, 9)])
            func exposure(_ number: Int, _ floor: Int) throws -> ExposureSummary {
                let place = try #require(
                    try store.places(Set(places)).first { $0.value.floor == "\(floor)" }?.key)
                return .init(subject: try badge(number), place: place, start: 1, end: 2, minutes: 1)
            }
            _ = try store.setExposures([exposure(2, 0), exposure(3, 1)], of: report)
            let changed = try store.setExposures(
                [], of: report, leftOut: [EncounterSource(SyntheticReadings.path(0, 9))])
            #expect(changed == [try badge(3)])
            #expect(try store.exposures(of: try badge(2)).count == 1)
        }
    }
}
