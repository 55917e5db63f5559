import InteractionStore
import Matching
import Testing

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
            #expect(erasure.remaining == ["subject": 0, "interaction": 0])
            #expect(try store.numbers(of: [subject]).isEmpty)
            #expect(try store.company(of: "person-4-with-a-name").allSatisfy { !$0.contains("person-3") })
            #expect(try !store.company(of: "person-4-with-a-name").isEmpty)
            if backend == .sqlite { #expect(erasure.searchedFiles.count == 2) }
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

    @Test func `What a file still holds is found`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let store = try InteractionStore.open(location)
            _ = try store.store([record(1, "somebody-to-erase", 0...1)], now: now)
            try RawSQLite.execute("CREATE TABLE other (t TEXT); INSERT INTO other VALUES ('somebody-to-erase')", path)
            let erasure = try store.erase(phone("somebody-to-erase"), now: now)
            #expect(!erasure.isComplete)
            #expect(erasure.foundIn == [path])
        }
    }
}
