import Evidence
import InteractionStore
import Matching
import RecordContract
import TestSupport
import TestValues
import Testing

@Suite("Readings in a store", .timeLimit(.minutes(10))) struct ReadingsTests {
    private static let day: Int64 = 86_400
    private let now = SyntheticReadings.morning + 7200
    private let simulation = SyntheticReadings()

    private func stored(
        _ records: [ReadingsRecord], in store: InteractionStore, batch: Int = 100
    ) throws -> InteractionStore.Outcome {
        var outcome = InteractionStore.Outcome()
        for start in stride(from: 0, to: records.count, by: batch) {
            let part = try store.store(
                records[start..<min(start + batch, records.count)].map { .readings($0) }, now: now)
            outcome.stored += part.stored
            outcome.known += part.known
            outcome.refused.merge(part.refused, uniquingKeysWith: +)
        }
        return outcome
    }

    private func settle(_ store: InteractionStore) throws {
        _ = try store.settleAllReadings(before: now, now: now)
    }

    @Test(arguments: Backend.installed)
    func `Minutes together are the same before readings are settled and after`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("unsettled and settled")
            _ = try stored(simulation.records(&random), in: store)
            let before = try store.allCompany(simulation.badges)
            #expect(!before.isEmpty, random.comment)
            try settle(store)
            #expect(try store.hasUnsettledReadings(before: now) == false)
            #expect(try store.allCompany(simulation.badges) == before, random.comment)
        }
    }

    // It had been compared with nobody, and nobody was told that there was nothing to compare.
    @Test(arguments: Backend.installed)
    func `A badge that counted as a place's beacon is compared anew, and is with whom it was`(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            var random = SeededGenerator("compared anew")
            let records = simulation.records(&random)
            _ = try stored(records, in: store)
            let expected = try store.allCompany(simulation.badges)
            // Not everybody has company in every world.
            let badge = try #require(
                (0..<simulation.badges).compactMap(SyntheticReadings.badge).first { badge in
                    expected.keys.contains { $0.hasPrefix("\(badge) ") }
                }, random.comment)
            var thief = simulation.record(0, 0, 0, [], boot: 2)
            thief.place.beacon = badge.id
            thief.place.key = badge.id
            #expect(try store.store([.readings(thief)], now: now).refusedClaims.isEmpty)
            #expect(try store.fixedBeacons(since: 0) == [badge])
            try settle(store)
            #expect(try store.allCompany(simulation.badges) != expected, random.comment)
            try store.decide(.denied, on: badge.id, now: now)
            let blocks = try store.settledBlocks(heardOf: badge)
            #expect(blocks.count == 3)
            for block in blocks { try store.compareAnew(badge, in: block, now: now) }
            #expect(try store.allCompany(simulation.badges) == expected, random.comment)
        }
    }

    @Test(arguments: Backend.installed)
    func `Records that come twice, late and in any order give the same minutes`(backend: Backend) async throws {
        var random = SeededGenerator("late and twice")
        let records = simulation.records(&random)
        let expected = try await backend.withStore { store in
            _ = try stored(records, in: store)
            try settle(store)
            return try store.allCompany(simulation.badges)
        }
        for _ in 0..<3 {
            let shuffled = (records + records.filter { _ in random.next() % 3 == 0 }).shuffled(using: &random)
            try await backend.withStore { store in
                let cuts = [0, shuffled.count / 3, shuffled.count * 2 / 3, shuffled.count]
                for (start, end) in zip(cuts, cuts.dropFirst()) {
                    _ = try stored(Array(shuffled[start..<end]), in: store, batch: 37)
                    try settle(store)
                }
                #expect(try store.allCompany(simulation.badges) == expected, random.comment)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Of two records that contradict each other the first counts, also after it was settled`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("contradicting")
            let records = simulation.records(&random)
            #expect(try stored(records, in: store).stored == records.count)
            try settle(store)
            let company = try store.allCompany(simulation.badges)
            let again = try stored(records, in: store)
            #expect(again.stored == 0 && again.known == records.count, random.comment)
            let others = records.map { record in
                var record = record
                for index in record.subjects.indices { record.subjects[index].count += 100 }
                return record
            }
            let outcome = try stored(others, in: store)
            let changed = others.count { !$0.subjects.isEmpty }
            // One of 4096 is taken for the same.
            #expect(outcome.stored == 0 && outcome.refused[.contradicting] ?? 0 >= changed - 3, random.comment)
            #expect(try !store.hasUnsettledReadings(before: now))
            #expect(try store.allCompany(simulation.badges) == company, random.comment)
        }
    }

    // Two buildings that hear the same people, one with a gateway of many ears.
    @Test(arguments: Backend.installed)
    func `Whoever comes late of whichever building, pairs are in both rows, and as if all had come at once`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("two buildings")
        for _ in 0..<4 {
            let records = SyntheticReadings.ofTwoBuildings(badges: 10, minutes: 9, &random)
            let expected = try await backend.withStore { store in
                _ = try stored(records, in: store)
                return try store.allCompany(10)
            }
            #expect(!expected.isEmpty, random.comment)
            try await backend.withStore { store in
                for record in records.shuffled(using: &random) {
                    _ = try stored([record], in: store)
                    if random.next() % 10 == 0 { try settle(store) }
                }
                try settle(store)
                let company = try store.allCompany(10)
                #expect(company == expected, random.comment)
                for (pair, minutes) in company {
                    let names = pair.split(separator: " ")
                    #expect(company["\(names[1]) \(names[0])"] == minutes, random.comment)
                }
            }
        }
    }

    // Some receivers are deaf for minutes, of which others of their records say later that they weren't.
    @Test(arguments: Backend.installed)
    func `Whoever was deaf, or heard nobody, and says so late, changes what it would have changed in time`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("late silence")
        for _ in 0..<4 {
            var records = SyntheticReadings.ofTwoBuildings(badges: 8, minutes: 6, &random)
            var sequence: UInt64 = 0
            for index in records.indices where random.next() % 2 == 0 {
                if random.next() % 3 == 0 { records[index].subjects = [] }
                records[index].listened = 2
                var silent = records[index]
                sequence += 1
                silent.position = .init(boot: 2, sequence: sequence)
                (silent.subjects, silent.listened) = ([], 60)
                if random.next() % 2 == 0 { records.append(silent) }
            }
            let expected = try await backend.withStore { store in
                _ = try stored(records, in: store)
                try settle(store)
                return try store.allCompany(8)
            }
            try await backend.withStore { store in
                for record in records.shuffled(using: &random) {
                    _ = try stored([record], in: store)
                    if random.next() % 5 == 0 { try settle(store) }
                }
                try settle(store)
                #expect(try store.allCompany(8) == expected, random.comment)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A late reading of nobody has nobody compared anew, and one of somebody has`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("nobody heard late")
            _ = try stored(simulation.records(&random), in: store)
            try settle(store)
            let company = try store.allCompany(simulation.badges)
            _ = try stored([simulation.record(0, 9, 3, [])], in: store)
            let silent = try #require(try store.settleReadings(before: now, now: now))
            #expect(silent.blocks == 1 && silent.badgeMinutes == 0, random.comment)
            #expect(try !store.hasUnsettledReadings(before: now))
            #expect(try store.allCompany(simulation.badges) == company, random.comment)
            let badge = try #require(SyntheticReadings.badge(0))
            _ = try stored(
                [simulation.record(0, 9, 4, [.init(identity: badge, count: 50, rssi: -90)])], in: store)
            #expect(try #require(try store.settleReadings(before: now, now: now)).badgeMinutes > 0, random.comment)
        }
    }

    @Test(arguments: Backend.installed)
    func `The newest quarter of an hour is settled first`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("newest first")
            _ = try stored(simulation.records(&random), in: store)
            for settledAt in [1800, 900, 0] as [Int64] {
                #expect(try store.hasUnsettledReadings(before: SyntheticReadings.morning + settledAt + 900))
                #expect(try store.settleReadings(before: now, now: now)?.blocks == 1)
                let isLeft = settledAt > 0
                #expect(try store.hasUnsettledReadings(before: SyntheticReadings.morning + settledAt + 900) == isLeft)
            }
        }
    }

    // A stolen gateway tells of each quarter of two days what it heard, long after; another is late by one.
    @Test(arguments: Backend.installed)
    func `Quarters that one gateway has compared anew are bounded, and others' don't wait for it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let badge = try #require(SyntheticReadings.badge(0))
            let heard = [ReadingsRecord.Subject(identity: badge, count: 50, rssi: -60)]
            let quarters = 210
            let now = SyntheticReadings.morning + Int64(quarters) * 900 + 7200
            func take(_ records: [ReadingsRecord]) throws {
                #expect(try store.store(records.map { .readings($0) }, now: now).stored == records.count)
            }
            try take((0..<quarters).map { simulation.record(0, 0, 15 * $0, heard) })
            _ = try store.settleAllReadings(before: now, now: now)
            try take((0..<quarters).map { simulation.record(0, 1, 15 * $0, heard) })
            var settled = 0
            while try store.settleReadings(before: now, now: now) != nil { settled += 1 }
            #expect(settled == 96)
            // In the oldest quarter of all, below more than one look looks at.
            try take([simulation.record(0, 2, 0, heard)])
            #expect(try store.settleReadings(before: now, now: now) != nil)
            #expect(try store.settleReadings(before: now, now: now) == nil)
            #expect(try store.hasUnsettledReadings(before: now))
            for hour in 1...2 as ClosedRange<Int64> {
                while try store.settleReadings(before: now, now: now + 3600 * hour) != nil { settled += 1 }
            }
            #expect(settled == quarters - 1)
            #expect(try !store.hasUnsettledReadings(before: now))
        }
    }

    @Test(arguments: Backend.installed)
    func `Erasure finds what is left of whom, also beside records of years ago`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("erased beside old records")
            var old = simulation.record(0, 0, 0, [])
            old.start -= 500 * Self.day
            old.end -= 500 * Self.day
            _ = try store.store([.readings(old)], now: old.end)
            _ = try store.settleAllReadings(before: now, now: now)
            _ = try stored(simulation.records(&random), in: store)
            try settle(store)
            let pair = try #require(try store.allCompany(simulation.badges).keys.min(), random.comment)
            let subject = try #require(SubjectIdentity(String(pair.prefix { $0 != " " })))
            let number = try #require(try store.numbers(of: [subject])[subject])
            #expect(try store.erase(subject, now: now).minutes > 0)
            let others = (0..<simulation.badges).compactMap(SyntheticReadings.badge).filter { $0 != subject }
            for other in try store.numbers(of: others).values {
                let company = try store.company(of: [.init(subject: other, since: 0, until: now)])
                #expect(company.minutes[number] == nil, random.comment)
            }
        }
    }

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

    @Test func `Both databases find the same minutes`() async throws {
        guard Backend.installed.count == 2 else { return }
        var random = SeededGenerator("both databases")
        let records = simulation.records(&random)
        var found: [[String: [Int64: UInt8]]] = []
        for backend in Backend.allCases {
            found.append(
                try await backend.withStore { store in
                    _ = try stored(records.shuffled(using: &random), in: store)
                    try settle(store)
                    return try store.allCompany(simulation.badges)
                })
        }
        #expect(found[0] == found[1], random.comment)
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

    @Test(arguments: Backend.installed)
    func `Somebody who is erased is in nobody's company, and doesn't come back`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("erased")
            let records = simulation.records(&random)
            let half = records.count / 2
            _ = try stored(Array(records[..<half]), in: store)
            try settle(store)
            _ = try stored(Array(records[half...]), in: store)
            let company = try store.allCompany(simulation.badges)
            let pair = try #require(company.keys.min(), random.comment)
            let name = try #require(pair.split(separator: " ").first.map(String.init))
            let subject = try #require(SubjectIdentity(name))
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.minutes > 0 && erasure.remaining.values.allSatisfy { $0 == 0 }, "\(erasure)")
            let left = company.filter { !$0.key.split(separator: " ").contains(Substring(name)) }
            #expect(try store.allCompany(simulation.badges) == left, random.comment)
            // The broker still has some of the records.
            _ = try stored(records, in: store)
            try settle(store)
            #expect(try store.allCompany(simulation.badges) == left, random.comment)
        }
    }

    @Test(arguments: Backend.installed)
    func `Readings have days of their own after which they are deleted`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("retention")
            _ = try stored(simulation.records(&random), in: store)
            try settle(store)
            let later = now + 4 * Self.day
            _ = try store.enforceRetention(days: 14, readingDays: 5, now: later)
            #expect(try !store.allCompany(simulation.badges).isEmpty)
            let deletion = try store.enforceRetention(days: 14, readingDays: 3, now: later)
            #expect(deletion.readings == simulation.badges * 3, random.comment)
            #expect(try store.allCompany(simulation.badges).isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `A record of two minutes counts in both, also in two blocks`(backend: Backend) async throws {
        try await backend.withStore { store in
            let pair = (0..<2).compactMap(SyntheticReadings.badge).map {
                ReadingsRecord.Subject(identity: $0, count: 100, rssi: -60)
            }
            for receiver in 0..<2 {
                var record = simulation.record(0, receiver, 14, pair)
                record.end = record.start + 120
                record.listened = 120
                _ = try stored([record], in: store)
            }
            try settle(store)
            let minutes = try store.allCompany(2).values.first?.keys.sorted()
            let start = SyntheticReadings.morning + 14 * 60
            #expect(minutes == [start, start + 60])
        }
    }

    @Test(arguments: Backend.installed)
    func `A record of the past that isn't kept, and of the future, is refused`(backend: Backend) async throws {
        try await backend.withStore { store in
            var old = simulation.record(0, 0, 0, [])
            old.start -= 20 * Self.day
            old.end -= 20 * Self.day
            var early = simulation.record(0, 0, 1, [])
            early.start += 3 * Self.day
            early.end += 3 * Self.day
            let outcome = try store.store([.readings(old), .readings(early)], now: now)
            #expect(outcome.refused == [.expired: 1, .future: 1] && outcome.stored == 0)
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

    @Test func `A store of version 4 gets tables for readings`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            _ = try InteractionStore.open(location)
            for table in ["receiver", "reading", "receiver_doubt", "listening", "vectors", "company"] {
                try RawSQLite.execute("DROP TABLE \(table)", path)
            }
            for statement in RawSQLite.withoutTrust + RawSQLite.withDocuments { try RawSQLite.execute(statement, path) }
            try RawSQLite.execute("UPDATE schema_version SET version = 4", path)
            let store = try InteractionStore.open(location)
            var random = SeededGenerator("upgraded")
            let records = simulation.records(&random)
            #expect(try stored(records, in: store).stored == records.count)
        }
    }
}
