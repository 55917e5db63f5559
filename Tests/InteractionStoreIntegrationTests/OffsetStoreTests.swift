import InteractionStore
import Testing

@Suite("Offsets in a store", .timeLimit(.minutes(10))) struct OffsetStoreTests {
    @Test(arguments: Backend.installed)
    func `The newest version is used, until somebody goes back`(backend: Backend) async throws {
        try await backend.withStore { store in
            let none = try store.usedOffsets()
            #expect(none.isEmpty)
            #expect(try store.add(offsets: ["s/b/0/a": 1.25], in: "s/b", now: 1000))
            #expect(try store.add(offsets: ["s/b/0/a": -2], in: "s/b", now: 2000))
            #expect(try store.add(offsets: ["s/c/0/a": 7], in: "s/c", now: 2000))
            #expect(try store.usedOffsets() == ["s/b/0/a": -2, "s/c/0/a": 7])
            #expect(try store.goBack(in: "s/b") == 1000)
            #expect(try store.usedOffsets()["s/b/0/a"] == 1.25)
            // What is learnt from now on is kept, and not used.
            #expect(try !store.add(offsets: ["s/b/0/a": 4], in: "s/b", now: 3000))
            #expect(try store.usedOffsets()["s/b/0/a"] == 1.25)
            #expect(
                try store.offsetVersions().filter { $0.building == "s/b" }.map(\.learntAt) == [3000, 2000, 1000])
            #expect(try store.goBack(in: "s/b") == 0)
            #expect(try store.usedOffsets() == ["s/c/0/a": 7])
            #expect(try store.useNewestOffsets(in: "s/b") == 3000)
            #expect(try store.add(offsets: ["s/b/0/a": 5], in: "s/b", now: 4000))
            #expect(try store.usedOffsets()["s/b/0/a"] == 5)
        }
    }

    @Test(arguments: Backend.installed)
    func `Old versions are deleted, but not the one that is used`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.add(offsets: ["s/b/0/a": 0], in: "s/b", now: 1)
            _ = try store.add(offsets: ["s/b/0/a": 1], in: "s/b", now: 2)
            #expect(try store.goBack(in: "s/b") == 1)
            for number in 3...40 { _ = try store.add(offsets: ["s/b/0/a": 3], in: "s/b", now: Int64(number)) }
            let versions = try store.offsetVersions()
            #expect(versions.count == 15 && versions.last?.learntAt == 1 && versions.last?.isUsed == true)
        }
    }
}
