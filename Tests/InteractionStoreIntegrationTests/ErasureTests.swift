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

    @Test(arguments: Backend.installed)
    func `The audit keeps who saw whom and when, without the name of whoever is erased`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (subject, longer) = (phone("person-3-with-a-name"), phone("person-3-with-a-name-too"))
            _ = try store.store([record(1, longer.id, 0...1)], now: now)
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            for (object, detail) in [
                (subject.description, "with rooms"), (subject.id, ""), (longer.description, ""),
                ("a", "\(subject): present"), ("a", "\(longer): present"),
            ] {
                try store.note(
                    AuditEntry(at: now, account: account, action: .sawPerson, object: object, detail: detail))
            }
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(
                entries == [
                    "(erased); with rooms", "(erased); ", "\(longer); ", "a; (erased): present",
                    "a; \(longer): present",
                ])
        }
    }

    // PostgreSQL said that nothing was left, and SQLite could not be erased any more.
    @Test(arguments: Backend.installed)
    func `A badge is erased from texts with other words around it, and a longer one stays`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let id = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/77"
            let subject = try #require(SubjectIdentity("badge:\(id)"))
            let gateway = "campus/main/2/thief"
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.operator])
            func text(_ name: String) -> String { "claimed the badge \(name) of a student" }
            for (number, reason) in [text(id), text(id + "1"), text(id.uppercased())].enumerated() {
                let entry = AuditEntry(
                    at: now, account: account, action: .revokedGateway, object: "\(gateway)\(number)", detail: reason)
                try store.revoke("\(gateway)\(number)", reason: reason, now: now, audit: entry)
            }
            try store.note(AuditEntry(at: now, account: account, action: .searchedPeople, object: " \(id)"))
            try store.issue(codes: ["a"], label: "for \(id)", uses: 1, expires: now + 60, now: now)
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(["audit", "revoked_gateway", "enrolment"].allSatisfy { erasure.remaining[$0] == 0 })
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(
                entries == [
                    "\(gateway)0; \(text("(erased)"))", "\(gateway)1; \(text(id + "1"))",
                    "\(gateway)2; \(text("(erased)"))", " (erased); ",
                ])
            #expect(
                try store.gatewayStates().map(\.revocation?.reason)
                    == [text("(erased)"), text(id + "1"), text("(erased)")])
            #expect(try store.enrolments().map(\.label) == ["for (erased)"])
        }
    }

    // Whoever looked for what is left of an erased badge brought its name back.
    @Test(arguments: Backend.installed)
    func `An entry about whoever was erased does not have the name`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            _ = try store.erase(phone("ann-with-a-phone"), now: now)
            for name in ["ann-with-a-phone", "ben-with-a-phone"] {
                try store.note(
                    AuditEntry(at: now, account: account, action: .sawPerson, object: phone(name).description))
            }
            #expect(try store.audit(limit: 10).map { $0.entry.object } == ["phone:ben-with-a-phone", "(erased)"])
        }
    }

    @Test(arguments: [
        ("ann sm", "ann sm"), (" ann\t", "ann"), (" phone:ann ", "phone:ann"),
        (
            " E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/7/77", "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/77"
        ),
    ])
    func `A search is noted without white space around it, and a badge in its form`(text: String, noted: String) {
        #expect(AuditEntry.searched(text) == noted)
    }

    // An officer has looked at the person of another phone with a short name.
    @Test(arguments: Backend.installed)
    func `A short name in the audit is found beside its kind, and a longer one is another's`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            _ = try store.store([record(1, "one10", 0...1)], now: now)
            for object in ["phone:one", "phone:one10", "one"] {
                try store.note(AuditEntry(at: now, account: account, action: .sawPerson, object: object))
            }
            #expect(try store.erase(phone("one"), now: now).isComplete)
            #expect(
                try store.audit(limit: 10).reversed().map { $0.entry.object } == ["(erased)", "phone:one10", "one"])
        }
    }

    @Test(arguments: Backend.installed)
    func `An erasure is incomplete if a text has the name beside a letter, and says where`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let subject = phone("0123456789abcdef0123456789abcdef")
            try store.revoke("campus/main/2/thief", reason: "of x\(subject.id)", now: now)
            let erasure = try store.erase(subject, now: now)
            #expect(!erasure.isComplete && erasure.remainingTables == ["revoked_gateway"], "\(erasure)")
            #expect(try store.gatewayStates().map(\.revocation?.reason) == ["of x\(subject.id)"])
        }
    }

    // The proof said that the file did not hold the id.
    @Test(arguments: Backend.installed)
    func `A phone is erased from a reason with signs beside it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = phone("0123456789abcdef0123456789abcdef")
            let reason = "id=\(subject.id), owner \(subject):lost it, ?subject=phone%3A\(subject.id)"
            try store.revoke("campus/main/2/thief", reason: reason, now: now)
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(
                try store.gatewayStates().map(\.revocation?.reason)
                    == ["id=(erased), owner (erased):lost it, ?subject=(erased)"])
        }
    }

    @Test(arguments: Backend.installed)
    func `A word that is an id stays in texts without its kind`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
            for (action, object, detail) in [
                (.filedReport, "r", "confirmed"), (.sawPerson, "confirmed", ""),
                (.searchedPeople, "confirmed", ""), (.sawPerson, "phone:confirmed", ""),
            ] as [(AuditEntry.Action, String, String)] {
                try store.note(AuditEntry(at: now, account: account, action: action, object: object, detail: detail))
            }
            let erasure = try store.erase(phone("confirmed"), now: now)
            #expect(erasure.isComplete, "\(erasure)")
            try store.note(AuditEntry(at: now, account: account, action: .searchedPeople, object: "confirmed"))
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(entries == ["r; confirmed", "confirmed; ", "(erased); ", "(erased); ", "(erased); "])
        }
    }

    @Test(arguments: Backend.installed)
    func `The reason of a correction does not keep a name, and one with another number stays`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let subject = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"))
            for reason in ["had \(subject.id)", "had \(subject.id)1"] {
                try store.correct(
                    Correction(
                        lecture: "a", student: "s1", at: now, by: "Lea", reason: reason, from: .absent, to: .present))
            }
            let erasure = try store.erase(subject, now: now)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(try store.corrections().map(\.reason) == ["had (erased)", "had \(subject.id)1"])
        }
    }

    @Test(arguments: Backend.installed)
    func `A drawn floor that names a badge stays, and the erasure is incomplete`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"))
            let floor = DrawnFloor(path: "campus/hb/1", toml: "# of \(subject.id)", by: "Olga", at: now)
            _ = try store.save([DrawnFloor.Change(floor, base: 0)], audit: [])
            let erasure = try store.erase(subject, now: now)
            #expect(!erasure.isComplete && erasure.remainingTables == ["floor_plan"], "\(erasure)")
            #expect(try store.drawnFloors().map(\.toml) == [floor.toml])
        }
    }

    @Test(arguments: Backend.installed)
    func `Codes of two labels stay two groups if both named whoever was erased`(backend: Backend) async throws {
        try await backend.withStore { store in
            let id = "0123456789abcdef0123456789abcdef"
            try store.issue(codes: ["a", "b"], label: "for \(id)", uses: 1, expires: now + 60, now: now)
            try store.issue(codes: ["c"], label: "for phone:\(id)", uses: 1, expires: now + 60, now: now)
            #expect(try store.erase(phone(id), now: now).isComplete)
            let left = try store.enrolments()
            #expect(left.map(\.codes).sorted() == [1, 2])
            #expect(left.allSatisfy { $0.label.hasPrefix("for (erased)") })
        }
    }

    @Test(arguments: Backend.installed)
    func `An entry about an erased badge has its name neither as the object nor in the detail`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.operator])
            let subject = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"))
            _ = try store.erase(subject, now: now)
            for id in [subject.id, subject.id + "1"] {
                try store.note(
                    AuditEntry(
                        at: now, account: account, action: .decidedBeacon, object: id, detail: "as \(id) was seen"))
            }
            let entries = try store.audit(limit: 10).reversed().map { "\($0.entry.object); \($0.entry.detail)" }
            #expect(entries == ["(erased); as (erased) was seen", "\(subject.id)1; as \(subject.id)1 was seen"])
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

    /// Ann's report, with her phone and her badge, and an entry of the list.
    private func report(_ store: InteractionStore) throws -> Int64 {
        try #require(
            try store.add(
                PositiveReport(
                    reference: "r", received: now, positive: PositiveCase(reportType: .confirmed),
                    subjects: ["ann-with-a-phone", "ann-with-another"].map {
                        .init(identity: phone($0), since: 0, until: now)
                    }, entries: [.init(scheme: "id", value: "digest-of-ann")])
            ).number)
    }

    private func exposure(_ name: String) -> ExposureSummary {
        .init(subject: phone(name), place: 1, start: morning, end: morning + 60, minutes: 1)
    }

    @Test(arguments: Backend.installed)
    func `Exposures, notices, reports and places in the list go with whom they name`(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try report(store)
            try store.publish(scheme: "id", slots: 0..<8)
            #expect(try store.published(scheme: "id", slots: 0..<8).count == 1)
            _ = try store.setExposures([exposure("ben-with-a-phone"), exposure("cleo")], of: report)
            for name in ["ben-with-a-phone", "cleo"] { try store.tell(phone(name), now: now) }

            let ben = try store.erase(phone("ben-with-a-phone"), now: now)
            #expect(ben.isComplete && ben.remaining["exposure"] == 0 && ben.remaining["notice"] == 0, "\(ben)")
            #expect(try store.exposures(of: phone("ben-with-a-phone")).isEmpty)
            #expect(try store.notices().map(\.subject) == [phone("cleo")])
            #expect(try store.exposures(of: phone("cleo")).count == 1)

            let ann = try store.erase(phone("ann-with-a-phone"), listed: ["digest-of-ann"], now: now)
            #expect(ann.isComplete && ann.remaining["report_subject"] == 0, "\(ann)")
            // With the one name goes the other: together they say who it was.
            #expect(try store.reports(since: 0).isEmpty)
            #expect(try store.reportCount(of: phone("ann-with-another")) == 0)
            // What was shown stays as it is, and is nobody's.
            #expect(try store.published(scheme: "id", slots: 0..<8).values.sorted() == ["digest-of-ann"])
            #expect(try store.exposures(of: phone("cleo")).isEmpty)
        }
    }

    // Ben and Cleo were told of exposures to Ann, Cleo of one to Dan, too.
    @Test(arguments: Backend.installed)
    func `Whoever was told of an exposure to somebody who is erased is told what is left`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let ann = try report(store)
            let dan = try #require(
                try store.add(
                    PositiveReport(
                        reference: "d", received: now, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: phone("dan"), since: 0, until: now)])
                ).number)
            _ = try store.setExposures([exposure("ben"), exposure("cleo")], of: ann)
            _ = try store.setExposures([exposure("cleo"), exposure("eve")], of: dan)
            for stale in try store.staleNotices() { try store.setNotice(.days(1), for: stale, now: now) }
            #expect(try store.staleNotices() == [])
            _ = try store.erase(phone("ann-with-a-phone"), now: now)
            #expect(try store.staleNotices().map(\.subject) == [phone("ben"), phone("cleo")])
        }
    }

    // Another process finds more while this one makes the notice of what there was.
    @Test(arguments: Backend.installed)
    func `What is found while a notice is made is told with the next`(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try report(store)
            _ = try store.setExposures([exposure("ben")], of: report)
            let stale = try #require(try store.staleNotices().first)
            var later = exposure("ben")
            later.start += 3600
            later.end += 3600
            _ = try store.setExposures([exposure("ben"), later], of: report)
            try store.setNotice(.days(1), for: stale, now: now)
            let again = try #require(try store.staleNotices().first)
            try store.setNotice(.days(2), for: again, now: now)
            #expect(try store.staleNotices() == [])
            // Whoever knew less and comes last changes nothing.
            try store.setNotice(.days(3), for: stale, now: now)
            #expect(try store.notices().map(\.content) == [.days(2)])
            _ = try store.setExposures([], of: report)
            #expect(try store.staleNotices().map(\.changes) == [again.changes + 1])
        }
    }

    @Test(arguments: Backend.installed)
    func `What is to be withdrawn from a broker is kept until it is`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.setExposures([exposure("ben")], of: try report(store))
            try store.tell(phone("ben"), now: now)
            #expect(try store.erase(phone("ben"), topicKey: "the-key", now: now).withdrawsNotice)
            let later = now + 20 * 86_400
            _ = try store.enforceRetention(days: 14, reportDays: 28, now: later)
            #expect(try store.withdrawals() == ["the-key": now])
            #expect(try store.notices().isEmpty)
            try store.withdrew(topicKey: "the-key", at: now)
            _ = try store.enforceRetention(days: 14, reportDays: 28, now: later)
            #expect(try store.withdrawals().isEmpty)
        }
    }

    // A gateway could name somebody so, and then have the matcher publish wherever it liked.
    @Test(arguments: Backend.installed)
    func `A subject of the kind withdrawn is a subject as any other`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = try #require(SubjectIdentity(kind: "withdrawn", id: "x/y"))
            var exposure = exposure("ben")
            exposure.subject = subject
            _ = try store.setExposures([exposure], of: try report(store))
            try store.tell(subject, now: now)
            #expect(try store.withdrawals().isEmpty)
            #expect(try store.notices().map(\.subject) == [subject])
        }
    }

    @Test(arguments: Backend.installed)
    func `What was found before somebody was erased isn't kept after it`(backend: Backend) async throws {
        try await backend.with { location in
            let daemon = try InteractionStore.open(location)
            let report = try report(daemon)
            _ = try daemon.setExposures([exposure("ben")], of: report)
            let other = try InteractionStore.open(location)
            _ = try other.erase(phone("ben"), now: now)
            // As a daemon does that had matched already.
            #expect(try daemon.setExposures([exposure("ben"), exposure("cleo")], of: report) == [phone("cleo")])
            try daemon.tell(phone("ben"), now: now)
            #expect(try daemon.exposures(of: phone("ben")).isEmpty)
            #expect(try daemon.notices().map(\.subject) == [phone("cleo")])
            _ = try other.erase(phone("ann-with-a-phone"), now: now)
            #expect(try daemon.setExposures([exposure("cleo")], of: report) == [])
            #expect(try daemon.exposures(of: phone("cleo")).isEmpty)
        }
    }

    // The emptied topic had told that there was something.
    @Test(arguments: Backend.installed)
    func `Whoever was exposed and not told so learns nothing by being erased`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.setExposures([exposure("ben")], of: try report(store))
            #expect(try !store.erase(phone("ben"), topicKey: "0a", now: now).withdrawsNotice)
            #expect(try store.withdrawals().isEmpty)
        }
    }
}
