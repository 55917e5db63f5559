import InteractionStore
import SignIn
import Testing

@Suite("Drawn floors in a store") struct DrawnFloorTests {
    private static let path = "campus/hb/1"
    private let account = Account(issuer: "i", subject: "s", name: "Olga", roles: [.operator])

    private var entry: AuditEntry { AuditEntry(at: 1, account: account, action: .drewFloor, object: Self.path) }

    private func change(
        _ toml: String, base: Int64, path: String = DrawnFloorTests.path, at: Int64 = 5
    ) -> DrawnFloor.Change {
        DrawnFloor.Change(DrawnFloor(path: path, toml: toml, by: "Olga", at: at), base: base)
    }

    @Test(arguments: Backend.installed)
    func `A floor is saved in a new version, and the earlier ones are kept`(backend: Backend) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location)
            #expect(try store.save([change("ä", base: 0)], audit: [entry]) == .done)
            #expect(try store.save([change("b", base: 1, at: 6)], audit: [entry]) == .done)
            let read = try InteractionStore.open(location)
            let present = DrawnFloor(path: Self.path, version: 2, toml: "b", by: "Olga", at: 6)
            #expect(try read.drawnFloor(Self.path) == present)
            #expect(try read.drawnFloors() == [present])
            #expect(
                try read.formerFloors(Self.path)
                    == [DrawnFloor(path: Self.path, version: 1, toml: "ä", by: "Olga", at: 5)])
            #expect(try read.audit(limit: 10).map(\.entry.object) == [Self.path, Self.path])
        }
    }

    @Test(arguments: Backend.installed)
    func `A change of an older version is refused with what is there now, and nothing of it is saved`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.save([change("a", base: 0)], audit: [])
            let present = try store.drawnFloor(Self.path)
            let other = change("x", base: 0, path: "campus/hb/2")
            #expect(
                try store.save([other, change("b", base: 0)], audit: [entry]) == .conflict(path: Self.path, present))
            #expect(try store.drawnFloors().map(\.toml) == ["a"])
            #expect(try store.audit(limit: 10).isEmpty)
            #expect(
                try store.removeDrawnFloor(Self.path, base: 7, audit: entry) == .conflict(path: Self.path, present))
        }
    }

    @Test(arguments: Backend.installed)
    func `A removed floor stays among the earlier versions, and its numbers go on`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.save([change("a", base: 0)], audit: [])
            #expect(try store.removeDrawnFloor(Self.path, base: 1, audit: entry) == .done)
            #expect(try store.drawnFloor(Self.path) == nil)
            #expect(try store.removeDrawnFloor(Self.path, base: 1, audit: entry) == .conflict(path: Self.path, nil))
            _ = try store.save([change("b", base: 0)], audit: [])
            #expect(try store.drawnFloor(Self.path)?.version == 2)
            #expect(try store.formerFloors(Self.path).map(\.toml) == ["a"])
        }
    }

    @Test(arguments: Backend.installed)
    func `The oldest of many versions are dropped, and there is a limit to floors`(backend: Backend) async throws {
        try await backend.withStore { store in
            for version in 0..<25 { _ = try store.save([change("\(version)", base: Int64(version))], audit: []) }
            #expect(try store.formerFloors(Self.path).map(\.toml) == (4..<24).reversed().map { "\($0)" })
            let many = (0..<InteractionStore.mostDrawnFloors).map { change("x", base: 0, path: "campus/hb/f\($0)") }
            #expect(try store.save(many, audit: [entry]) == .tooMany)
            #expect(try store.drawnFloors().count == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `A picture is kept with its scale, and goes when it is removed`(backend: Backend) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location)
            var picture = FloorPicture(
                kind: "image/png", tag: "abc", bytes: [0, 255, 39, 92, 0], width: 800, height: 600,
                scale: .init(x1: 1, y1: 2, x2: 3, y2: 4, distance: 5, planX: -6, planY: 7))
            #expect(try store.save(picture, of: Self.path, audit: entry))
            let read = try InteractionStore.open(location)
            #expect(try read.picture(of: Self.path, withBytes: true) == picture)
            picture.bytes = []
            #expect(try read.picture(of: Self.path, withBytes: false) == picture)
            picture.scale.distance = 9
            #expect(try read.save(picture, of: Self.path, audit: entry))
            #expect(try read.picture(of: Self.path, withBytes: true)?.scale.distance == 9)
            #expect(try read.picture(of: Self.path, withBytes: true)?.bytes.count == 5)
            let isSaved = try read.save(picture, of: "campus/hb/2", audit: entry)
            #expect(!isSaved)
            try read.removePicture(of: Self.path, audit: entry)
            #expect(try read.picture(of: Self.path, withBytes: true) == nil)
        }
    }
}
