import BeaconModel
import Evidence
import InteractionStore
import Matching
import TestSupport
import TestValues
import Testing

@testable import EvidenceTests
@testable import RecordContract

@Suite("A store and what it can't take, or can't believe") struct HostileRecordTests {
    private let now = morning + 4 * 3600
    private let day: Int64 = 86_400

    /// Passes no reader, but who knows what passes the next.
    private func damaged(_ sequence: UInt64) -> ReceivedRecord {
        guard case .interaction(var interaction) = record(sequence, "ann", 0...1) else {
            return record(sequence, "ann", 0...1)
        }
        interaction.origin = "campus/main/1/east/\u{0}x"
        return .interaction(interaction)
    }

    @Test(arguments: Backend.installed)
    func `A record that the database doesn't take is left out, and counts as seen`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.settle("campus/main/1/east", below: .init(boot: 1, sequence: 1), now: now)
            let records = (1...50).map { sequence in
                [7, 31].contains(sequence)
                    ? damaged(UInt64(sequence)) : record(UInt64(sequence), "ben", Int64(sequence)...Int64(sequence + 1))
            }
            let outcome = try store.store(records, now: now)
            #expect(outcome.stored == 48)
            #expect(outcome.rejected.map(\.position.sequence) == [7, 31])
            #expect(outcome.rejected.first?.because == "a text contains a NUL character")
            #expect(outcome.progress.values.map(\.sequence) == [50])
            #expect(try store.counts().interactions == 48)
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `What PostgreSQL itself says of a value is said of the record`() async throws {
        try await Backend.postgreSQL.withStore { store in
            guard case .interaction(var interaction) = record(2, "ann", 0...1) else { return }
            // More than an index of PostgreSQL takes, of random bytes that can't be compressed.
            var random = SeededGenerator("long origin")
            interaction.origin = String(
                (0..<20_000).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random)! })
            let outcome = try store.store([record(1, "ann", 0...1), .interaction(interaction)], now: now)
            #expect(outcome.stored == 1)
            #expect(outcome.rejected.map(\.position.sequence) == [2])
        }
    }

    @Test(arguments: Backend.installed)
    func `A clock that nobody has set refuses no record and deletes none`(backend: Backend) async throws {
        try await backend.withStore { store in
            let records = [record(1, "ann", 0...20), record(2, "ben", 10...30)]
            // Behind: the records would be of the future. Ahead: they would be too old.
            for (wrong, stored) in [(now - 3 * day, 2), (now + 300 * day, 0)] {
                let outcome = try store.store(records, now: wrong, clockIsSynchronized: false)
                #expect(outcome.refused == [:])
                #expect(outcome.stored == stored && outcome.known == 2 - stored)
                #expect(
                    try store.enforceRetention(days: 14, now: wrong, clockIsSynchronized: false).interactions == 0)
            }
            #expect(try store.company(of: "ann") == ["ben 10-30"])
            // The clock is set: nothing that was stored before looks old.
            #expect(try store.enforceRetention(days: 14, now: now) == .init())
            #expect(try store.company(of: "ann") == ["ben 10-30"])
        }
    }

    @Test(arguments: Backend.installed)
    func `An unset clock deletes by the time of gateways`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store(
                [record(1, "ann", 0...20), record(2, "ann", 20 * 1440...20 * 1440 + 1)], now: now,
                clockIsSynchronized: false)
            let deletion = try store.enforceRetention(days: 14, now: now + 900 * day, clockIsSynchronized: false)
            #expect(deletion.interactions == 1)
            #expect(try store.counts().interactions == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `What came from the future while nobody knew the time goes when it is known`(backend: Backend) async throws {
        try await backend.withStore { store in
            let start = 4000 * Int64(1440)
            _ = try store.store([record(1, "ann", start...start + 1)], now: now, clockIsSynchronized: false)
            #expect(try store.enforceRetention(days: 14, now: now).interactions == 1)
            #expect(try store.enforceRetention(days: 14, now: now + 30 * day).subjects == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `Places, origins and gateways of which nothing is left go too, and come back`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...20)], now: now)
            _ = try store.settle("campus/main/1/east", below: .init(boot: 1, sequence: 1), now: now)
            #expect(try store.placeNumbers(named: [room.key]).count == 1)
            _ = try store.enforceRetention(days: 14, now: now + 40 * day)
            #expect(try store.placeNumbers(named: [room.key]).isEmpty)
            #expect(try store.progress() == [:])
            // This store has given them numbers before.
            let later = 40 * Int64(1440)
            _ = try store.store(
                [record(2, "ann", later...later + 20), record(3, "ben", later...later + 20)], now: now + 40 * day)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let found = try store.encounters(
                of: [.init(subject: number, since: now, until: now + 50 * day)], rule: anywhere)
            #expect(try store.places(Set(found.map(\.other.place))).values.map { $0 } == [room])
        }
    }

    @Test(arguments: Backend.installed)
    func `Neighbours of the configuration stay known`(backend: Backend) async throws {
        try await backend.withStore { store in
            try store.setNeighbours([("z", "a", 400), ("b", "a", 300)])
            _ = try store.enforceRetention(days: 14, now: now)
            #expect(try store.placeNumbers(named: ["a", "b", "z"]).count == 3)
        }
    }

    @Test func `Rows that no record could make stop nobody`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let store = try InteractionStore.open(location)
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 10...30)], now: now)
            try RawSQLite.execute("UPDATE extent SET longest = 9223372036854775807", path)
            for (number, end) in [(91, Int64.max - 1), (92, 10_000_000_000_000), (93, 0)] {
                try RawSQLite.execute(
                    """
                    INSERT INTO interaction SELECT place, started, origin, \(number), subject, \(end), state, boot, \
                    sequence, samples, rssi, distance, lower_bound, upper_bound, within_3m, within_6m, seconds_3m, \
                    seconds_6m, clock FROM interaction WHERE number = 2
                    """, path)
            }
            #expect(try store.company(of: "ann") == ["ben 10-30"])
            #expect(try store.company(of: "ben") == ["ann 0-20"])
            let places = try store.placeNumbers(named: [room.key])
            #expect(try store.stays(at: places, from: .min, to: .max).count == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `More encounters than memory is for are refused`(backend: Backend) async throws {
        try await backend.withStore { store in
            let records = (1...10).map { record(UInt64($0), $0 % 2 == 0 ? "ann" : "ben", 0...20) }
            _ = try store.store(records, now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.encounters(of: positive, rule: anywhere, limit: 25).count == 25)
            let error = #expect(throws: StoreError.self) {
                try store.encounters(of: positive, rule: anywhere, limit: 24)
            }
            #expect(error?.what == "there are more than 24 encounters in this period")
        }
    }

    @Test(arguments: Backend.installed)
    func `While the time isn't known, records of thousands of days stop nobody's`(backend: Backend) async throws {
        try await backend.withStore { store in
            let far = (0..<3000).map { record(UInt64($0 + 1), "ann", Int64($0) * 1440...Int64($0) * 1440 + 5) }
            var stored = 0
            var refused = 0
            for start in stride(from: 0, to: far.count, by: 500) {
                let outcome = try store.store(
                    Array(far[start..<start + 500]), now: now, clockIsSynchronized: false)
                stored += outcome.stored
                refused += outcome.refused[.manyDays] ?? 0
            }
            // 40 beside those around the machine's own day.
            #expect(stored <= 40 + 31 && stored >= 40 && stored + refused == 3000, "\(stored) and \(refused)")
            #expect(try store.counts().interactions == stored)
            // Others' are taken, today and tomorrow.
            for day: Int64 in 0...2 {
                let minutes = day * 1440 + 100...day * 1440 + 110
                let own = record(UInt64(5000 + day), "ben", minutes)
                #expect(
                    try store.store([own], now: now + day * 86_400, clockIsSynchronized: false).stored == 1)
            }
        }
    }

    // With 2,001 records of a floor it made the search fail, and nobody was told of what others had heard.
    @Test(arguments: Backend.installed)
    func `A gateway that invents more encounters than anybody has is left out, which is said, and others aren't`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: now)
            let thief = PlaceName(
                key: "campus/main/2/thief", site: "campus", building: "main", floor: "2", gateway: "campus/main/2/thief"
            )
            let invented = (0..<40).map { index -> ReceivedRecord in
                guard
                    case .interaction(var one) = record(
                        UInt64(index + 1), index % 4 == 0 ? "ann" : "nobody-\(index)", 0...20, at: thief)
                else { return record(1, "ann", 0...1) }
                (one.gateway, one.origin) = (thief.key, thief.key + "/1")
                return .interaction(one)
            }
            _ = try store.store(invented, now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.allEncounters(of: positive, rule: anywhere, limit: 401).leftOut.isEmpty)
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 100)
            #expect(found.leftOut == [EncounterSource(thief.key)])
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            #expect(found.found.map(\.other.subject).contains(ben) && found.found.count <= 100)
            // What phones tell of other places counts.
            let cleo = PhoneStay(
                phone: phone("cleo"), beacon: room.key, start: morning, end: morning + 600, samples: 1, distance: nil)
            #expect(try store.store([cleo], now: now) == [.stored])
            let withPhones = try store.allEncounters(of: positive, rule: anywhere, limit: 100)
            let others = Set(withPhones.found.map(\.other.subject))
            #expect(others.isSuperset(of: try store.numbers(of: [phone("ben"), phone("cleo")]).values))
            #expect(withPhones.leftOut == [EncounterSource(thief.key)])
        }
    }

    // They were counted and left out by the positive's place: with a flood of one neighbour all were left out.
    @Test(arguments: Backend.installed)
    func `A gateway that floods a place beside the positive's hides nobody at another place beside it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            func place(_ name: String) -> PlaceName {
                let path = "campus/main/2/" + name
                return PlaceName(key: path, site: "campus", building: "main", floor: "2", gateway: path)
            }
            func told(_ sequence: UInt64, _ subject: String, at place: PlaceName) -> ReceivedRecord {
                guard case .interaction(var one) = record(sequence, subject, 0...20, at: place) else {
                    return record(sequence, subject, 0...20, at: place)
                }
                (one.gateway, one.origin) = (place.key, place.key + "/1")
                return .interaction(one)
            }
            let (own, honest, thief) = (place("own"), place("honest"), place("thief"))
            let now = morning + 3600
            _ = try store.store([told(1, "ann", at: own)], now: now)
            _ = try store.store([told(1, "ben", at: honest)], now: now)
            _ = try store.store((1...40).map { told($0, "nobody-\($0)", at: thief) }, now: now)
            try store.setNeighbours([
                (one: own.key, other: honest.key, centimetres: 200), (one: own.key, other: thief.key, centimetres: 200),
            ])
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.allEncounters(of: positive, rule: anywhere, limit: 41).found.count == 41)
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 30)
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            #expect(found.found.map(\.other.subject).contains(ben) && found.found.count <= 30)
            #expect(found.leftOut == [EncounterSource(positive: own.key, other: thief.key)])
        }
    }

    @Test(arguments: Backend.installed)
    func `Invented stays of phones don't hide what gateways tell of others`(backend: Backend) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: now)
            let invented = (0..<30).map { index in
                PhoneStay(
                    phone: phone("invented-\(index)"), beacon: room.key, start: morning + Int64(index),
                    end: morning + 600, samples: 1, distance: nil)
            }
            #expect(try store.store(invented, now: now).allSatisfy { $0 == .stored })
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.encounters(of: positive, rule: anywhere, limit: 240).count == 31)
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 1)
            #expect(found.found.count == 1 && found.leftOut.allSatisfy { $0.other == EncounterSource.phones })
        }
    }

    // Nobody was found any more: whoever advertised for some hours had everything left out that an honest gateway told.
    @Test(arguments: Backend.installed)
    func `New identities without an end that a gateway tells of hide nobody whom it has known for longer`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: now)
            let invented = (0..<200).map { record(UInt64(3 + $0), "advertised-\($0)", 5...6) }
            _ = try store.store(invented, now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 50)
            #expect(found.found.map(\.other.subject).contains(ben) && found.found.count <= 50)
            #expect(found.leftOut.count == 1 && !found.areAllLeftOut)
        }
    }

    // The lie was spread over all phones there, of which each said little.
    @Test(arguments: Backend.installed)
    func `What a gateway tells of the positive at its place hides no phone at another`(backend: Backend) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            let path = "campus/main/2/thief"
            let thief = PlaceName(
                key: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9", site: "campus", building: "main", floor: "2",
                gateway: path, beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9")
            let lies = (1...4).map { index -> ReceivedRecord in
                guard
                    case .interaction(var one) = record(
                        UInt64(index), "ann", Int64(5 * index)...Int64(5 * index + 4), at: thief)
                else { return record(1, "ann", 0...1) }
                (one.gateway, one.origin) = (path, path + "/1")
                return .interaction(one)
            }
            _ = try store.store([record(1, "ann", 0...20)], now: now)
            _ = try store.store(lies, now: now)
            func stay(_ name: String, _ beacon: String) -> PhoneStay {
                PhoneStay(
                    phone: phone(name), beacon: beacon, start: morning, end: morning + 1800, samples: 1, distance: nil)
            }
            let stays = (1...20).map { stay("there-\($0)", thief.key) } + [stay("ben", room.key)]
            #expect(try store.store(stays, now: now).allSatisfy { $0 == .stored })
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 80)
            #expect(found.found.map(\.other.subject).contains(ben))
            #expect(!found.leftOut.isEmpty && found.leftOut.allSatisfy { $0.positive == path })
        }
    }

    // Phones were one: what sixty of them invented left all of them out.
    @Test(arguments: Backend.installed)
    func `A phone that invents much hides nothing that another phone says`(backend: Backend) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            func stay(_ name: String, _ seconds: ClosedRange<Int64>) -> PhoneStay {
                PhoneStay(
                    phone: phone(name), beacon: room.key, start: morning + seconds.lowerBound,
                    end: morning + seconds.upperBound, samples: 1, distance: nil)
            }
            _ = try store.store([record(1, "ann", 0...20)], now: now)
            let liar = (0..<40).map { stay("liar", 30 * $0...30 * $0 + 20) }
            let stays = liar + ["ben", "cleo"].map { stay($0, 0...1200) }
            #expect(try store.store(stays, now: now).allSatisfy { $0 == .stored })
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 40)
            let honest = try store.numbers(of: [phone("ben"), phone("cleo")]).values
            #expect(Set(found.found.map(\.other.subject)) == Set(honest), "\(found.leftOut)")
            #expect(found.leftOut.count == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `Subjects of one id and different kinds are different subjects`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subjects = (0..<20).compactMap { SubjectIdentity(kind: "kind-\($0)", id: "the-same") }
            for round in UInt64(0)..<2 {
                let records = subjects.enumerated().map { badge(UInt64($0) + 100 * round + 1, $1, 0...10) }
                #expect(try store.store(records, now: morning + 3600).stored == 20)
            }
            let numbers = try store.numbers(of: subjects)
            #expect(Set(numbers.values).count == 20)
            #expect(try store.counts().subjects == 20)
        }
    }

    @Test(arguments: Backend.installed)
    func `Names that were stored by a clock that was ahead are renewed by one that is right`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let year = 365 * day
            _ = try store.store([record(1, "ann", 525_600...525_601)], now: morning + year)
            for week in Int64(0)..<4 {
                let time = morning + week * 7 * day
                _ = try store.store(
                    [record(UInt64(week) + 2, "ann", week * 10_080...week * 10_080 + 1)], now: time + 60)
                _ = try store.enforceRetention(days: 14, now: time + 60)
                #expect(try store.numbers(of: [phone("ann")]).count == 1)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `What somebody is still to be told outlives the retention`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: morning + 3600)
            let report = try #require(
                try store.add(
                    PositiveReport(
                        reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: phone("ann"), since: 0, until: morning)])
                ).number)
            _ = try store.setExposures(
                [
                    .init(
                        subject: phone("ben"), place: 1, start: morning, end: morning + 60, minutes: 1)
                ], of: report)
            _ = try store.enforceRetention(days: 14, now: morning + 3600)
            #expect(try store.staleNotices().map(\.subject) == [phone("ben")])
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `Two that begin a day at once both store`() async throws {
        let (now, day) = (now, day)
        try await Backend.postgreSQL.with { location in
            _ = try InteractionStore.open(location)
            try await withThrowingTaskGroup { group in
                for (name, first) in [("ann", UInt64(1)), ("ben", 1001)] {
                    group.addTask {
                        let store = try InteractionStore.open(location, retention: 100)
                        for round in 0..<60 {
                            let minute = Int64(round) * 1440
                            let outcome = try store.store(
                                [record(first + UInt64(round), name, minute...minute + 1)], now: now + 60 * day)
                            #expect(outcome.stored == 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try InteractionStore.open(location).counts().interactions == 120)
        }
    }
}
