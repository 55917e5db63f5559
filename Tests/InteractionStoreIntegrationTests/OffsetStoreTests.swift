import InteractionStore
import Testing

@Suite("Offsets in a store", .timeLimit(.minutes(10))) struct OffsetStoreTests {
    /// Does a night of its own at a time.
    ///
    /// - Returns: whether models use a new version.
    private func look(
        _ store: InteractionStore, at time: Int64, _ choice: InteractionStore.OffsetChoice, in building: String = "s/b"
    ) throws -> Bool? {
        try store.finish(night: time, in: building, choosing: choice, now: time)
    }

    /// Does a night that learns one offset.
    private func learn(
        _ store: InteractionStore, _ offset: Double, at time: Int64, in building: String = "s/b"
    ) throws -> Bool? {
        try look(store, at: time, .version([building + "/0/a": offset]), in: building)
    }

    @Test(arguments: Backend.installed)
    func `The newest version is used, until somebody goes back`(backend: Backend) async throws {
        try await backend.withStore { store in
            let none = try store.usedOffsets()
            #expect(none.isEmpty)
            #expect(try learn(store, 1.25, at: 1000) == true)
            #expect(try learn(store, -2, at: 2000) == true)
            #expect(try learn(store, 7, at: 2000, in: "s/c") == true)
            #expect(try store.usedOffsets() == ["s/b/0/a": -2, "s/c/0/a": 7])
            #expect(try store.goBack(in: "s/b") == 1000)
            #expect(try store.usedOffsets()["s/b/0/a"] == 1.25)
            // What is learnt from now on is kept, and not used.
            #expect(try learn(store, 4, at: 3000) == false)
            #expect(try store.usedOffsets()["s/b/0/a"] == 1.25)
            #expect(
                try store.offsetVersions().filter { $0.building == "s/b" }.map(\.learntAt) == [3000, 2000, 1000])
            #expect(try store.goBack(in: "s/b") == 0)
            #expect(try store.usedOffsets() == ["s/c/0/a": 7])
            #expect(try store.useNewestOffsets(in: "s/b") == 3000)
            #expect(try learn(store, 5, at: 4000) == true)
            #expect(try store.usedOffsets()["s/b/0/a"] == 5)
        }
    }

    @Test(arguments: Backend.installed)
    func `Old versions are deleted, but not the one that is used`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try learn(store, 0, at: 1)
            _ = try learn(store, 1, at: 2)
            #expect(try store.goBack(in: "s/b") == 1)
            for number in 3...40 { _ = try learn(store, 3, at: Int64(number)) }
            let versions = try store.offsetVersions()
            #expect(versions.count == 15 && versions.last?.learntAt == 1 && versions.last?.isUsed == true)
        }
    }

    @Test(arguments: Backend.installed)
    func `From no offsets that a night chose one goes back to the newest version before it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try learn(store, 1, at: 1000)
            _ = try learn(store, 2, at: 2000)
            #expect(try look(store, at: 3000, .noOffsets) == false)
            #expect(try store.usedOffsets() == [:])
            #expect(try store.goBack(in: "s/b") == 2000)
            #expect(try store.usedOffsets() == ["s/b/0/a": 2])
            #expect(try store.goBack(in: "s/b") == 1000)
        }
    }

    @Test(arguments: Backend.installed)
    func `There is nothing before the oldest version, and nothing before that`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try learn(store, 1, at: 1000)
            for _ in 0..<3 {
                #expect(try store.goBack(in: "s/b") == 0)
                #expect(try store.usedOffsets() == [:])
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `The newest after going back is what the last night chose, also if that is none`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try learn(store, 1, at: 1000)
            _ = try learn(store, 2, at: 2000)
            _ = try store.goBack(in: "s/b")
            _ = try look(store, at: 3000, .noOffsets)
            #expect(try store.usedOffsets() == ["s/b/0/a": 1])
            #expect(try store.useNewestOffsets(in: "s/b") == 0)
            #expect(try store.usedOffsets() == [:])
            #expect(try learn(store, 4, at: 4000) == true)
        }
    }

    @Test(arguments: Backend.installed)
    func `A night with too little to learn from keeps what an earlier one chose`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try learn(store, 1, at: 1000)
            #expect(try look(store, at: 2000, .undecided) == false)
            #expect(try store.usedOffsets() == ["s/b/0/a": 1])
            _ = try store.goBack(in: "s/b")
            #expect(try store.useNewestOffsets(in: "s/b") == 1000)
        }
    }

    @Test(arguments: Backend.installed)
    func `The use of a building says whether it is pinned, and when the last night chose none`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            func use(_ learntAt: Int64?, isPinned: Bool, noneAt: Int64?) throws -> Bool {
                let uses = try store.offsetUses()
                return uses.count == 1 && uses[0].building == "s/b" && uses[0].learntAt == learntAt
                    && uses[0].isPinned == isPinned && uses[0].noneChosenAt == noneAt
            }
            #expect(try store.offsetUses() == [])
            _ = try learn(store, 1, at: 1000)
            #expect(try use(1000, isPinned: false, noneAt: nil))
            _ = try look(store, at: 2000, .noOffsets)
            #expect(try use(nil, isPinned: false, noneAt: 2000))
            _ = try store.goBack(in: "s/b")
            #expect(try use(1000, isPinned: true, noneAt: 2000))
            _ = try learn(store, 3, at: 3000)
            #expect(try use(1000, isPinned: true, noneAt: nil))
            _ = try store.useNewestOffsets(in: "s/b")
            #expect(try use(3000, isPinned: false, noneAt: nil))
        }
    }

    @Test(arguments: Backend.installed)
    func `A night of a building is stored once`(backend: Backend) async throws {
        try await backend.withStore { store in
            let nights = try store.receiverNights()
            #expect(nights == [:])
            for (building, isUsed) in [("s/b", true), ("s/b", nil), ("s/c", true)] as [(String, Bool?)] {
                #expect(
                    try store.finish(night: 7, in: building, choosing: .version(["r": 1]), now: 1000) == isUsed)
            }
            #expect(try store.finish(night: 7, in: "s/b", choosing: .version(["r": 2]), now: 1060) == nil)
            #expect(try store.offsetVersions().map(\.learntAt) == [1000, 1000])
            #expect(try store.finish(night: 8, in: "s/b", choosing: .undecided, now: 2000) == false)
            #expect(try store.receiverNights() == ["s/b": 8, "s/c": 7])
        }
    }

    @Test(arguments: Backend.installed)
    func `A night whose offsets cannot be stored is not done`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try learn(store, 1, at: 1000)
            #expect(throws: StoreError.self) {
                try look(store, at: 2000, .version(["s/b/0/\0": 1]))
            }
            #expect(try store.receiverNights() == ["s/b": 1000])
            #expect(try store.usedOffsets() == ["s/b/0/a": 1])
            #expect(try learn(store, 2, at: 2000) == true)
        }
    }
}
