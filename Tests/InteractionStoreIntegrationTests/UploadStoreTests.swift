import Attendance
import InteractionStore
import Matching
import SignIn
import Testing

@Suite("Uploaded files in a store") struct UploadStoreTests {
    private static let account = Account(issuer: "i", subject: "s", name: "Lea", roles: [.lecturer])

    private func entry(_ object: String) -> AuditEntry {
        AuditEntry(at: 1, account: Self.account, action: .uploaded, object: object)
    }

    private func subject(_ text: String) throws -> SubjectIdentity { try #require(SubjectIdentity(text)) }

    private func roster(_ course: String, _ rows: [(student: String, subject: String)], at: Int64 = 1) throws
        -> UploadedFile
    {
        let rows = try rows.map { row in
            RosterRow(line: 2, course: course, student: row.student, subject: try subject(row.subject), name: "Name")
        }
        return UploadedFile(
            .roster, name: NameKey.of(course), content: RosterFile.text(of: rows), by: "Lea", at: at)
    }

    @Test(arguments: Backend.installed)
    func `An upload takes the place of the one with its name, and is audited`(backend: Backend) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location)
            let first = UploadedFile(.timetable, name: "Ünï \"1\"", content: "a", by: "Lea", at: 5)
            let second = UploadedFile(.timetable, name: first.name, content: "b", by: "Olga", at: 7)
            let roster = try self.roster("A", [("s1", "phone:x-of-ann")], at: 6)
            #expect(try store.save([first, roster], audit: [entry("t"), entry("r")]))
            #expect(try store.save([second], audit: [entry("t")]))
            let read = try InteractionStore.open(location)
            #expect(try read.uploads() == [roster, second])
            #expect(try read.audit(limit: 10).map { $0.entry.object } == ["t", "r", "t"])
            #expect(try read.removeUpload(.timetable, name: first.name, audit: entry("gone")))
            #expect(try false == read.removeUpload(.timetable, name: first.name, audit: entry("gone")))
            #expect(try read.uploads() == [roster])
            #expect(try read.audit(limit: 10).count == 4)
        }
    }

    @Test(arguments: Backend.installed)
    func `More uploads than a store takes are not saved, and nothing of them is`(backend: Backend) async throws {
        try await backend.withStore { store throws in
            let files = (0...InteractionStore.mostUploads).map {
                UploadedFile(.roster, name: "\($0)", content: "x", by: "Lea", at: 1)
            }
            let isSaved = try store.save(files, audit: [entry("r")])
            #expect(!isSaved)
            #expect(try store.uploads().isEmpty)
            #expect(try store.audit(limit: 1).isEmpty)
            #expect(try store.save(Array(files.dropLast()), audit: []))
        }
    }

    @Test(arguments: Backend.installed)
    func `Bytes of uploads are bounded, also where letters have two`(backend: Backend) async throws {
        try await backend.withStore { store throws in
            let letters = String(repeating: "ü", count: Int(InteractionStore.mostUploadedBytes) / 2)
            var file = UploadedFile(.roster, name: "r", content: letters + "x", by: "Lea", at: 1)
            #expect(try !store.save([file], audit: []))
            #expect(try store.uploads().isEmpty)
            file.content = letters
            #expect(try store.save([file], audit: []))
        }
    }

    @Test(arguments: Backend.installed)
    func `A list of people waits in its session for ten minutes, and is no upload`(backend: Backend) async throws {
        try await backend.withStore { store throws in
            try store.keepPending(people: "a", session: "one", by: "Olga", now: 1000)
            try store.keepPending(people: "b", session: "two", by: "Olga", now: 1300)
            #expect(try store.pendingPeople(session: "one", now: 1599)?.content == "a")
            #expect(try store.pendingPeople(session: "one", now: 1600) == nil)
            #expect(try store.pendingPeople(session: "three", now: 1300) == nil)
            #expect(try store.uploads().isEmpty)
            try store.keepPending(people: "c", session: "two", by: "Olga", now: 1310)
            #expect(try store.pendingPeople(session: "two", now: 1310)?.content == "c")
            try store.dropExpiredUploads(now: 1600)
            #expect(try store.pendingPeople(session: "one", now: 1001) == nil)
        }
    }

    @Test(arguments: Backend.installed)
    func `Nothing of an erased subject is left in uploads, and others stay`(backend: Backend) async throws {
        try await backend.withStore { store throws in
            let (ann, longer) = ("phone:phone-of-ann", "phone:phone-of-ann-2")
            let rosters = [
                try roster("A", [("s1", ann), ("s1", longer), ("s2", "phone:phone-of-ben")]),
                try roster("B", [("s1", ann)]), try roster("C", [("s2", "phone:phone-of-ben")]),
            ]
            #expect(try store.save(rosters, audit: []))
            try store.keepPending(people: "number,name,subject\n1,Ann,\(ann)\n", session: "one", by: "Olga", now: 1)
            let erasure = try store.erase(subject(ann), now: 100)
            #expect(erasure.remaining["uploaded_file"] == 0 && erasure.isComplete, "\(erasure)")
            let left = try store.uploads()
            #expect(left.map(\.name) == ["a", "b", "c"])
            let rows = try RosterFile.rows(Array(try #require(left.first).content.utf8), file: "a")
            #expect(rows.map { $0.subject?.description } == [nil, longer, "phone:phone-of-ben"])
            // The student stays in the courses, with the time from which on nothing can be missing.
            #expect(rows.map(\.erasedAt) == [100, nil, nil])
            let course = try RosterFile.rows(Array(left[1].content.utf8), file: "b")
            #expect(course.map(\.student) == ["s1"] && course.map(\.erasedAt) == [100])
            #expect(left.first?.by == "Lea" && left.last == rosters.last)
            #expect(try store.pendingPeople(session: "one", now: 2) == nil)
        }
    }

    @Test(arguments: Backend.installed)
    func `A student with two erased devices stays once, and one who is named by a device does not`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store throws in
            let (ann, other, ben) = ("phone:phone-of-ann", "phone:other-of-ann", "phone:phone-of-ben")
            #expect(try store.save([roster("A", [("s1", ann), ("s1", other), (ben, ben)])], audit: []))
            for (name, now) in [(ann, Int64(100)), (other, 200), (ben, 300)] {
                #expect(try store.erase(subject(name), now: now).isComplete)
            }
            let left = try store.uploads()
            let rows = try RosterFile.rows(Array(try #require(left.first).content.utf8), file: "a")
            #expect(rows.map(\.student) == ["s1"] && rows.map(\.erasedAt) == [200])
        }
    }
}
