import Attendance
import BeaconModel
import Evidence
import Glibc
import InteractionStore
import Matching
import SignIn
import TestSupport
import Testing

@testable import EvidenceTests

@Suite("Erasing a subject") struct ErasureTests {
    private let now = morning + 4 * 3600

    @Test(arguments: Backend.installed)
    func `Nothing is left of whoever is erased, and others stay`(backend: Backend) async throws {
        try await backend.withStore { store in
            let records = (1...200).map {
                record(UInt64($0), "person-\($0 % 10)-with-a-name", Int64($0)...Int64($0 + 5))
            }
            _ = try store.store(records, now: now)
            let subject = phone("person-3-with-a-name")
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.interactions == 20)
            #expect(erasure.subjects == 1)
            #expect(erasure.isComplete)
            #expect(erasure.remaining.values.allSatisfy { $0 == 0 })
            #expect(erasure.remaining["interaction"] == 0)
            #expect(try store.numbers(of: [subject]).isEmpty)
            #expect(try store.company(of: "person-4-with-a-name").allSatisfy { !$0.contains("person-3") })
            #expect(try !store.company(of: "person-4-with-a-name").isEmpty)
            if backend == .sqlite { #expect(erasure.searchedFiles.count == 2) }
        }
    }

    // The log was searched beside the link, where there is none.
    @Test func `The write-ahead log is searched where a link leads to`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let link = try TemporaryDirectory()
            #expect(symlink(path, link.path + "/link.sqlite") == 0)
            _ = try InteractionStore.open(location)
            let store = try InteractionStore.open(.sqlite(link.path + "/link.sqlite"))
            _ = try store.store([record(1, "person-3-with-a-name", 0...5)], now: now)
            let erasure = try store.erase(phone("person-3-with-a-name"), now: now)
            #expect(erasure.isComplete && erasure.searchedFiles.count == 2)
            #expect(erasure.searchedFiles.allSatisfy { !$0.contains("link.sqlite") })
        }
    }

    // A stolen gateway made every erasure fail so.
    @Test(arguments: Backend.installed)
    func `A room that has the name of somebody in it is forgotten, and whose it was is said`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let subject = phone("0123456789abcdef0123456789abcdef")
            for (number, name) in [subject.id, "room of \(subject.id)"].enumerated() {
                let path = "campus/main/2/thief-\(number)"
                let place = PlaceName(
                    key: path, site: "campus", building: "main", floor: "2", gateway: path, room: name)
                _ = try store.store([record(UInt64(number) + 1, "ann", 0...1, at: place)], now: now)
            }
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(erasure.forgottenRooms == ["campus/main/2/thief-0", "campus/main/2/thief-1"])
        }
    }

    @Test(arguments: Backend.installed)
    func `Somebody who was never there can be erased, and isn't taken afterwards`(backend: Backend) async throws {
        try await backend.withStore { store in
            let erasure = try store.erase(phone("ann"), now: now)
            #expect(erasure.interactions == 0)
            #expect(erasure.isComplete)
            #expect(try store.store([record(1, "ann", 0...1)], now: now).refused == [.erased: 1])
        }
    }

    @Test(arguments: Backend.installed)
    func `Another process that knew the subject learns of it`(backend: Backend) async throws {
        try await backend.with { location in
            let daemon = try InteractionStore.open(location)
            _ = try daemon.store([record(1, "ann", 0...1), record(2, "ben", 0...1)], now: now)
            _ = try InteractionStore.open(location).erase(phone("ann"), now: now)
            let outcome = try daemon.store([record(3, "ann", 2...3), record(4, "ann", 300...301)], now: now)
            #expect(outcome.refused == [.erased: 1])
            // The later one has a number that the database knows.
            let number = try #require(try daemon.numbers(of: [phone("ann")])[phone("ann")])
            #expect(try daemon.subjects([number]) == [number: phone("ann")])
        }
    }

    @Test(arguments: Backend.installed)
    func `What was under way at the erasure doesn't come back with its earlier minutes`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.erase(phone("ann"), now: now)
            #expect(try store.store([record(1, "ann", 230...250)], now: now).refused == [.erased: 1])
        }
    }

    @Test func `An id of which another's begins is erased provably`() async throws {
        try await Backend.sqlite.withStore { store in
            let badges = ["1/1", "1/10", "1/11"].compactMap {
                SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e1/\($0)")
            }
            _ = try store.store(zip(1..., badges).map { badge($0, $1, 0...10) }, now: now)
            let erasure = try store.erase(badges[0], now: now)
            #expect(erasure.interactions == 1)
            #expect(erasure.searchedFiles.count == 2)
            #expect(erasure.foundIn == [])
            #expect(erasure.isComplete)
            #expect(try store.numbers(of: badges).count == 2)
        }
    }

    @Test func `A short id is searched beside its kind, and one of which it is a part isn't it`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let store = try InteractionStore.open(location)
            _ = try store.store([record(1, "a", 0...1), record(2, "ab", 0...1), record(3, "ba", 0...1)], now: now)
            let short = try store.erase(phone("a"), now: now)
            #expect(short.searchedFiles.count == 2)
            #expect(short.isComplete)
            // What another process would have left is found.
            try RawSQLite.execute("CREATE TABLE forgotten (kind TEXT, name TEXT)", path)
            try RawSQLite.execute("INSERT INTO forgotten VALUES ('phone', 'b')", path)
            #expect(try !store.erase(phone("b"), now: now).isComplete)
        }
    }

    // A gateway that names somebody's badge as its place's beacon hid it from exposures, and from the proof.
    @Test(arguments: Backend.installed)
    func `The name of a badge that a gateway claimed for its place goes with the badge`(backend: Backend) async throws {
        try await backend.withStore { store in
            let beacon = try #require(SubjectIdentity(kind: "badge", id: room.beacon ?? ""))
            _ = try store.store([record(1, "ann", 0...1), badge(2, beacon, 0...1)], now: now)
            #expect(try store.placeBeacons().map(\.basis) == [.claimed])
            let erasure = try store.erase(beacon, now: now)
            #expect(erasure.forgottenPlaces == 1 && erasure.places == 0 && erasure.isComplete)
            #expect(try store.placeBeacons().isEmpty)
            // What ann did there is still known.
            #expect(try store.counts().interactions == 1)
            let claimed = try store.store([record(3, "ann", 5...6)], now: now)
            #expect(claimed.stored == 1)
            #expect(claimed.refusedClaims.map(\.reason) == [.erased])
            #expect(try store.placeBeacons().isEmpty && store.refusedClaims().isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `Without its proof an erasure isn't complete`(backend: Backend) async throws {
        try await backend.with { location in
            let beacon = try #require(SubjectIdentity(kind: "badge", id: room.beacon ?? ""))
            let store = try InteractionStore.open(location, fixedBeacons: [beacon.id])
            _ = try store.store([record(1, "ann", 0...1), badge(2, beacon, 0...1)], now: now)
            let erasure = try store.erase(beacon, now: now)
            #expect(erasure.places == 1 && !erasure.isComplete)
            let accepted = try InteractionStore.open(location)
            try accepted.decide(.accepted(receiver: room.gateway), on: beacon.id, now: now)
            #expect(try !accepted.erase(beacon, now: now).isComplete)
            try accepted.decide(.denied, on: beacon.id, now: now)
            #expect(try accepted.erase(beacon, now: now).isComplete)
        }
    }

    @Test func `Erasures that couldn't be read are read again`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let daemon = try InteractionStore.open(location)
            _ = try daemon.store([record(1, "ben", 0...1)], now: now)
            _ = try InteractionStore.open(location).erase(phone("ann"), now: now)
            try RawSQLite.execute("ALTER TABLE secret RENAME TO elsewhere", path)
            #expect(throws: StoreError.self) { try daemon.store([record(2, "ann", 0...1)], now: now) }
            try RawSQLite.execute("ALTER TABLE elsewhere RENAME TO secret", path)
            #expect(try daemon.store([record(2, "ann", 0...1)], now: now).refused == [.erased: 1])
        }
    }

    @Test func `A store that isn't there isn't made by who only asks`() async throws {
        for backend in Backend.installed {
            try await backend.with { location in
                let error = #expect(throws: StoreError.self) {
                    try InteractionStore.open(location, creating: false)
                }
                #expect(error?.exitStatus == .unavailable)
                #expect(error?.what == "there is no store at \(location)")
                _ = try InteractionStore.open(location)
                _ = try InteractionStore.open(location, creating: false)
            }
        }
    }

    @Test func `What a file still holds is found`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let store = try InteractionStore.open(location)
            _ = try store.store([record(1, "somebody-to-erase-1", 0...1)], now: now)
            try RawSQLite.execute("CREATE TABLE other (t TEXT); INSERT INTO other VALUES ('somebody-to-erase-1')", path)
            let erasure = try store.erase(phone("somebody-to-erase-1"), now: now)
            #expect(!erasure.isComplete)
            #expect(erasure.foundIn == [path])
            #expect(erasure.remainingTables == ["other"])
        }
    }
}
