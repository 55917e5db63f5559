import BeaconModel
import Evidence
import InteractionStore
import Matching
import RecordContract
import TestSupport
import Testing

@testable import EvidenceTests

@Suite("A store of interactions, in either database") struct InteractionStoreTests {
    private let now = morning + 4 * 3600

    @Test(arguments: Backend.installed)
    func `What was stored is found by who was near`(backend: Backend) async throws {
        try await backend.withStore { store in
            let outcome = try store.store([record(1, "ann", 0...20), record(2, "ben", 10...30)], now: now)
            #expect(outcome.stored == 2)
            #expect(try store.company(of: "ann") == ["ben 10-30"])
            #expect(try store.company(of: "ben") == ["ann 0-20"])
        }
    }

    @Test(arguments: Backend.installed)
    func `The same record again changes nothing, and an older one of the same interaction neither`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let started = record(2, "ben", 10...10, number: 7, state: .open)
            let ended = record(5, "ben", 10...30, number: 7)
            _ = try store.store([record(1, "ann", 0...20), started], now: now)
            _ = try store.store([ended], now: now)
            for batch in [[ended], [started], [ended, started], [started, ended, started]] {
                _ = try store.store(batch, now: now)
                #expect(try store.company(of: "ann") == ["ben 10-30"])
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A record of a later boot is later, whatever its sequence`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...60), record(9, "ben", 0...5, number: 7)], now: now)
            _ = try store.store([record(1, "ben", 0...25, number: 7, boot: 2)], now: now)
            _ = try store.store([record(9, "ben", 0...5, number: 7)], now: now)
            #expect(try store.company(of: "ann") == ["ben 0-25"])
        }
    }

    // Closing a descriptor of a file gives up all locks of the process on it: then SQLite in another process takes itself
    // for the last one, and deletes the log to which this process writes on.
    @Test func `A second store of the same process doesn't take the locks of the first`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let store = try InteractionStore.open(location)
            _ = try store.store([record(1, "ann", 0...20)], now: now)
            _ = try InteractionStore.open(location).progress()
            let other = try await ChildProcess.run(
                "python3",
                [
                    "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT 1 FROM place').fetchall()",
                    path,
                ])
            #expect(other.status == 0)
            _ = try store.store([record(2, "ben", 0...20)], now: now)
            #expect(try InteractionStore.open(location).counts().interactions == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `Two that hear of a gateway at once lose nothing of each other's progress`(backend: Backend) async throws {
        let now = now
        try await backend.with { location in
            _ = try InteractionStore.open(location)
            try await withThrowingTaskGroup { group in
                for half in [UInt64(0), 1] {
                    group.addTask {
                        let store = try InteractionStore.open(location)
                        for gateway in 0..<20 {
                            for sequence in stride(from: 1 + half, through: 6, by: 2) {
                                _ = try store.store(
                                    [.other(gateway: "a/b/c/\(gateway)", position: .init(boot: 1, sequence: sequence))],
                                    now: now)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let store = try InteractionStore.open(location)
            for gateway in 0..<20 {
                #expect(
                    try store.settle("a/b/c/\(gateway)", below: .init(boot: 1, sequence: 1), now: now)?.sequence == 6)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `How far each gateway's records are stored is kept, with the gaps`(backend: Backend) async throws {
        try await backend.with { location in
            do {
                let store = try InteractionStore.open(location)
                _ = try store.store([record(3, "ann", 0...1), record(5, "ann", 2...3)], now: now)
                // Nobody has said where they begin.
                #expect(try store.progress() == [:])
                #expect(
                    try store.settle("campus/main/1/east", below: .init(boot: 1, sequence: 3), now: now)?.sequence == 3)
                let outcome = try store.store([record(7, "ann", 4...5)], now: now)
                #expect(outcome.progress == ["campus/main/1/east": RecordPosition(boot: 1, sequence: 3)])
            }
            // Another run: 5 and 7 are known to be there.
            let store = try InteractionStore.open(location)
            let outcome = try store.store(
                [
                    record(4, "ann", 6...7),
                    .other(gateway: "campus/main/1/east", position: .init(boot: 1, sequence: 6)),
                ],
                now: now)
            #expect(outcome.progress.values.map(\.sequence) == [7])
            #expect(try store.progress().values.map(\.sequence) == [7])
        }
    }

    @Test(arguments: Backend.installed)
    func `What is too old, of a wrong clock or of somebody erased isn't stored, and counts as seen`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.settle("campus/main/1/east", below: .init(boot: 1, sequence: 1), now: now)
            let day: Int64 = 1440
            let outcome = try store.store(
                [
                    record(1, "ann", (-15 * day)...(-14 * day)), record(2, "ann", (2 * day)...(2 * day + 1)),
                    record(3, "ann", 0...1),
                ], now: now)
            #expect(outcome.refused == [.expired: 1, .future: 1])
            #expect(outcome.stored == 1)
            #expect(outcome.progress.values.map(\.sequence) == [3])
            _ = try store.erase(phone("ann"), now: now)
            let again = try store.store([record(4, "ann", 5...6), record(5, "ben", 5...6)], now: now)
            #expect(again.refused == [.erased: 1])
            // Who comes back is somebody new.
            let later = try store.store([record(6, "ann", 241...242), record(7, "ben", 241...242)], now: now)
            #expect(later.stored == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `Beacons that are a place's own are known to hang there`(backend: Backend) async throws {
        try await backend.withStore { store in
            let beacon = try #require(SubjectIdentity(kind: "badge", id: room.beacon ?? ""))
            #expect(try store.fixedSubjects().isEmpty)
            _ = try store.store([record(1, "ann", 0...1), badge(2, beacon, 0...1)], now: now)
            let number = try #require(try store.numbers(of: [beacon])[beacon])
            #expect(try store.fixedSubjects() == [number])
            #expect(try store.fixedSubjects(since: now + 30 * 86_400) == [])
        }
    }

    @Test(arguments: Backend.installed)
    func `Places keep what records say of them`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...1), record(2, "ben", 0...1)], now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let found = try store.encounters(of: [.init(subject: number, since: 0, until: now)], rule: anywhere)
            #expect(try store.places(Set(found.map(\.other.place))).values.map { $0 } == [room])
        }
    }

    @Test(arguments: Backend.installed)
    func `Two that use one store at once see each other's subjects, and don't wait for ever`(
        backend: Backend
    ) async throws {
        try await backend.with { location in
            let stores = try (0..<2).map { _ in try InteractionStore.open(location) }
            let seed = SeededNumbers()
            for round in 0..<40 {
                let store = stores[round % 2]
                let sequence = UInt64(round + 1)
                _ = try store.store(
                    [record(sequence, "p\(seed.next(round) % 5)", Int64(round)...Int64(round + 3))], now: now)
            }
            #expect(try stores[0].company(of: "p1") == stores[1].company(of: "p1"))
            #expect(try stores[0].numbers(of: [phone("p1")]) == stores[1].numbers(of: [phone("p1")]))
        }
    }

    @Test(arguments: Backend.installed)
    func `After 14 days nothing is left, of subjects neither`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 10...30)], now: now)
            let day: Int64 = 86_400
            #expect(try store.enforceRetention(days: 14, now: now + 13 * day).interactions == 0)
            #expect(try store.company(of: "ann") == ["ben 10-30"])
            // Somebody whose device is heard every day stays known.
            let later = record(3, "ben", 20_160...20_161)
            _ = try store.store([later], now: now + 14 * day)
            #expect(try store.enforceRetention(days: 14, now: now + 16 * day).interactions == 2)
            #expect(try store.enforceRetention(days: 14, now: now + 20 * day).subjects == 1)
            #expect(Set(try store.numbers(of: [phone("ann"), phone("ben")]).keys) == [phone("ben")])
        }
    }

    @Test func `A store of a newer version of the tables is left alone`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            _ = try InteractionStore.open(location)
            try RawSQLite.execute("UPDATE schema_version SET version = 99", path)
            #expect(throws: StoreError.self) { try InteractionStore.open(location) }
        }
    }

    @Test func `A store that can't be opened is an error that says what to do`() throws {
        let error = #expect(throws: StoreError.self) { try InteractionStore.open(.sqlite("/nowhere/store")) }
        #expect(error?.what == "cannot open the store /nowhere/store: No such file or directory (errno 2)")
        let lost = #expect(throws: StoreError.self) {
            try InteractionStore.open(.postgreSQL("host=/nowhere dbname=none"))
        }
        #expect(lost?.exitStatus == .unavailable)
    }
}

/// A sequence that jumps about, the same at each run.
struct SeededNumbers {
    func next(_ index: Int) -> Int { index * 7919 % 104_729 }
}
