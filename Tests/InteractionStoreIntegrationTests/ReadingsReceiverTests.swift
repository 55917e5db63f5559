import Evidence
import InteractionStore
import Matching
import TestSupport
import TestValues
import Testing

@Suite("Receivers that are deaf, forged or wrong about the time", .timeLimit(.minutes(10)))
struct ReadingsReceiverTests: ReadingsSuite {
    @Test(arguments: Backend.installed)
    func `A second gateway that hears nobody takes nothing from distances`(backend: Backend) async throws {
        try await backend.withStore { store in
            let pair = (0..<2).compactMap(SyntheticReadings.badge).map {
                ReadingsRecord.Subject(identity: $0, count: 50, rssi: -60)
            }
            var records: [ReadingsRecord] = []
            for minute in 0..<15 {
                records += [simulation.record(0, 0, minute, pair), simulation.record(0, 1, minute, [])]
            }
            _ = try stored(records, in: store)
            try settle(store)
            let name = try #require(SyntheticReadings.badge(0))
            let number = try #require(try store.numbers(of: [name])[name])
            let company = try store.company(of: [.init(subject: number, since: 0, until: now)])
            #expect(company.compared.isEmpty && company.minutes.isEmpty && company.vectors.count == 1)
        }
    }

    // Two badges in one room, one in another; then a gateway is deaf for some minutes, and says so.
    @Test(arguments: Backend.installed)
    func `A gateway that was deaf is left out, and one that was killed too`(backend: Backend) async throws {
        func subjects(_ levels: [Double?]) -> [ReadingsRecord.Subject] {
            levels.enumerated().compactMap { badge, rssi in
                rssi.flatMap { rssi in
                    SyntheticReadings.badge(badge).map { .init(identity: $0, count: 50, rssi: rssi) }
                }
            }
        }
        try await backend.withStore { store in
            var records: [ReadingsRecord] = []
            for minute in 0..<15 {
                records.append(simulation.record(0, 0, minute, subjects([-55, -56, -80])))
                records.append(simulation.record(0, 1, minute, subjects([-70, -71, -70])))
                // In minutes 5 to 9 receiver 2 hears badge 0 alone for the two seconds that it listens.
                let isDeaf = (5..<10).contains(minute)
                records.append(
                    simulation.record(
                        0, 2, minute, isDeaf ? subjects([-30]) : subjects([-80, -81, -55]), listened: isDeaf ? 2 : 60))
                // Receiver 3 is killed after minute 9.
                if minute < 10 { records.append(simulation.record(0, 3, minute, subjects([-85, -85, -75]))) }
            }
            _ = try stored(records, in: store)
            try settle(store)
            let company = try store.allCompany(3)
            let pair = "badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1/0 badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1/1"
            #expect(company[pair]?.count == 15 && company[pair]?.values.allSatisfy { $0 >= 12 } == true)
            #expect(company.count == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `A forged gateway that claims to have heard everybody parts nobody on other floors`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("forged gateway")
        // Near three receivers at least: where only two could contradict it a gateway is believed.
        let simulation = SyntheticReadings(badges: 40, minutes: 20, areSpread: true)
        let records = simulation.records(&random)
        func isUpstairs(_ company: [String: [Int64: UInt8]], _ floors: [String: Int]) -> [String: [Int64: UInt8]] {
            company.filter { pair, _ in pair.split(separator: " ").allSatisfy { floors[String($0)] == 1 } }
        }
        var floors: [String: Int] = [:]
        for record in records {
            for subject in record.subjects { floors[subject.identity.description] = Int(record.place.floor) }
        }
        let everybody = (0..<simulation.badges).compactMap(SyntheticReadings.badge).map {
            ReadingsRecord.Subject(identity: $0, count: 600, rssi: -20)
        }
        let forged = (0..<simulation.minutes).map { simulation.record(0, 9, $0, everybody) }
        var companies: [[String: [Int64: UInt8]]] = []
        for extra in [[], forged] {
            companies.append(
                try await backend.withStore { store in
                    _ = try stored(records + extra, in: store)
                    let settling = try store.settleAllReadings(before: now, now: now)
                    if !extra.isEmpty { #expect(settling.disbelieved == ["s/b/0/g9"], random.comment) }
                    return isUpstairs(try store.allCompany(simulation.badges), floors)
                })
        }
        for (pair, levels) in companies[0] {
            #expect(levels.allSatisfy { companies[1][pair]?[$0.key] ?? 0 >= $0.value }, random.comment)
        }
    }

    @Test(arguments: Backend.installed)
    func `Without their evidence exposures are the same, and so is what was missing`(backend: Backend) async throws {
        var random = SeededGenerator("verdicts alone")
        let simulation = SyntheticReadings(badges: 24, minutes: 40, staying: 20)
        var records = simulation.records(&random)
        // One receiver is deaf for some minutes, of which the last three aren't settled.
        for index in records.indices where records[index].receiver == SyntheticReadings.path(1, 2) {
            let minute = (records[index].start - SyntheticReadings.morning) / 60
            if (5..<9).contains(minute) || minute > 36 {
                records[index] = simulation.record(1, 2, Int(minute), [], listened: 0)
            }
        }
        let policy = try #require(Policy.shipped("six-metre-five-minute"))
        let reported = PositiveCase(reportType: .confirmed)
        try await backend.withStore { store in
            _ = try stored(records, in: store)
            _ = try store.settleAllReadings(before: SyntheticReadings.morning + 1800, now: now)
            var deaf = 0
            for badge in (0..<simulation.badges).compactMap(SyntheticReadings.badge) {
                let asked = [PositiveReport.Subject(identity: badge, since: 0, until: now)]
                let verdicts = try ExposureSearch(subjects: asked, positive: reported, policy: policy).run(store)
                    .exposures
                var explained = try ExposureSearch(
                    subjects: asked, positive: reported, policy: policy, isExplained: true
                ).run(store).exposures
                for index in explained.indices where explained[index].way == .together {
                    #expect(explained[index].explanation.together != nil, random.comment)
                    explained[index].explanation.together = nil
                    // That takes what was heard of the others.
                    explained[index].explanation.missing.removeAll {
                        if case .secondReceiver = $0 { true } else { false }
                    }
                    deaf += explained[index].explanation.missing.count
                }
                #expect(verdicts == explained, random.comment)
            }
            #expect(deaf > 0, random.comment)
        }
    }

    // Receiver 2 says that everything was four minutes later than it was.
    @Test(arguments: Backend.installed)
    func `A clock that is off is found, and remembered for the answers of that time`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("a wrong clock in a store")
            let simulation = SyntheticReadings(receivers: 4, badges: 30, minutes: 180, staying: 20)
            let records = simulation.records(&random).map { record in
                var record = record
                if record.gateway == SyntheticReadings.path(0, 2) {
                    record.start += 240
                    record.end += 240
                }
                return record
            }
            let now = SyntheticReadings.morning + 4 * 3600
            _ = try store.store(records.map { .readings($0) }, now: now)
            _ = try store.settleAllReadings(before: now, now: now)
            #expect(try store.surveyClocks(now: now) == ["s/b/0/g2": 4], random.comment)
            let doubted = try store.doubtedReceivers(
                .clock, from: SyntheticReadings.morning, to: SyntheticReadings.morning + 60)
            #expect(doubted.count == 1)
            let reach = try store.reach(from: SyntheticReadings.morning, to: now)
            #expect(reach.map(\.floor) == ["s/b/0", "s/b/1"] && reach.map(\.receivers) == [4, 4])
            #expect(reach[0].clocks.map(\.minutes) == [4] && reach[1].clocks.isEmpty, random.comment)
        }
    }
}
