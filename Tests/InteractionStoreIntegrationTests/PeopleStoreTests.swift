import Matching
import People
import SignIn
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("The register of people in a store") struct PeopleStoreTests {
    private let now = morning + 4 * 3600

    private func person(_ number: String, _ name: String, _ phones: String...) -> Person {
        Person(
            number: number, name: name, contact: ["a@b.example", "+49 30 1"], subjects: phones.map { phone($0) })
    }

    private func entry(_ detail: String) -> AuditEntry {
        let account = Account(issuer: "i", subject: "s", name: "Olga", roles: [.officer])
        return AuditEntry(at: 1, account: account, action: .uploaded, object: "people", detail: detail)
    }

    private func query(_ text: String) throws -> PersonQuery { try #require(PersonQuery(text)) }

    @Test(arguments: Backend.installed)
    func `An import replaces the register, and a trial changes nothing`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = [person("1", "Anna Smith", "a", "b"), person("2", "Bo", "c"), person("3", "Cy")]
            #expect(try store.importPeople(first, keepsOthers: false, isTrial: true).added.count == 3)
            #expect(try store.peopleCount() == 0)
            #expect(try store.importPeople(first, keepsOthers: false, isTrial: false).added.count == 3)
            #expect(try store.people(after: nil, limit: 10) == first)
            // A device passes to another, and a person goes.
            let second = [person("1", "Anna Jones", "a", "c"), person("2", "Bo", "b"), person("4", "Di")]
            let difference = try store.importPeople(second, keepsOthers: false, isTrial: false)
            #expect(difference.added.map(\.number) == ["4"] && difference.removed.map(\.number) == ["3"])
            #expect(difference.changed.map(\.new.number) == ["1", "2"])
            #expect(try store.people(after: nil, limit: 10) == second)
            #expect(try store.person(query("Anna Smith")) == .nothing)
            #expect(try store.importPeople(second, keepsOthers: false, isTrial: false).isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `Nothing is imported without consent to what would change now`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (ann, bo) = (person("1", "Ann", "a"), person("2", "Bo"))
            let seen = try store.peopleDifference(to: [ann], keepsOthers: false)
            _ = try store.importPeople([bo], keepsOthers: false, isTrial: false)
            let refused = try store.importPeople(
                [ann], keepsOthers: false, isAgreed: { $0 == seen }, audit: { entry($0.summary) })
            let now = try store.peopleDifference(to: [ann], keepsOthers: false)
            #expect(refused == .refused(now) && now != seen)
            #expect(try store.people(after: nil, limit: 10) == [bo])
            #expect(try store.audit(limit: 10).isEmpty)
            let done = try store.importPeople(
                [ann], keepsOthers: false, isAgreed: { $0 == now }, audit: { entry($0.summary) })
            #expect(done == .done(now))
            #expect(
                try store.audit(limit: 10).map { $0.entry.detail } == ["1 new, 0 changed, 1 removed, 0 unchanged"])
        }
    }

    @Test(arguments: Backend.installed)
    func `A list that waits is imported once, and not after an erasure or in the place of another`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let ann = person("1", "Ann", "phone-of-ann")
            func upload(_ content: String) throws -> UploadedFile {
                try store.keepPending(people: content, session: "s", by: "Olga", now: 1)
                return try #require(try store.pendingPeople(session: "s", now: 1))
            }
            func isImported(_ list: UploadedFile) throws -> Bool {
                let outcome = try store.importPeople(
                    [ann], keepsOthers: false, from: list, isAgreed: { _ in true }, audit: { entry($0.summary) })
                if case .done = outcome { return true }
                return false
            }
            let first = try upload("first")
            let second = try upload("second")
            #expect(try !isImported(first))
            #expect(try store.pendingPeople(session: "s", now: 1) == second)
            _ = try store.erase(phone("phone-of-ann"), now: now)
            #expect(try !isImported(second))
            #expect(try store.peopleCount() == 0 && store.audit(limit: 1).isEmpty)
            let third = try upload("third")
            #expect(try isImported(third))
            #expect(try store.pendingPeople(session: "s", now: 1) == nil)
            #expect(try !isImported(third))
        }
    }

    @Test(arguments: Backend.installed)
    func `People who are kept keep their devices`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (ann, bo) = (person("1", "Ann", "a"), person("2", "Bo", "b"))
            _ = try store.importPeople([ann], keepsOthers: false, isTrial: false)
            _ = try store.importPeople([bo], keepsOthers: true, isTrial: false)
            #expect(try store.people(after: nil, limit: 10) == [ann, bo])
            let thief = person("3", "Cy", "a")
            let conflicts = try store.importPeople([thief], keepsOthers: true, isTrial: false).conflicts
            #expect(conflicts == [.init(subject: phone("a"), imported: thief, kept: ann)])
            #expect(try store.peopleCount() == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `People are found by number, by devices and in pages`(backend: Backend) async throws {
        try await backend.withStore { store in
            let people = (100..<200).map { person("\($0)", "Person \($0)", "p\($0)", "q\($0)") }
            _ = try store.importPeople(people.shuffled(), keepsOthers: false, isTrial: false)
            #expect(try store.person(number: "150") == people[50])
            #expect(try store.person(number: "15") == nil)
            #expect(try store.people(numbers: ["101", "102", "9"]) == ["101": people[1], "102": people[2]])
            let asked = Set(people.flatMap(\.subjects)).union([phone("nobody")])
            let owners = try store.people(of: asked)
            #expect(owners.count == 200 && owners[phone("q177")] == people[77])
            // The identifier of another kind is another device.
            let badge = try #require(SubjectIdentity(kind: "c19x", id: "q177"))
            #expect(try store.people(of: [badge]).isEmpty)
            #expect(try store.people(after: "120", limit: 3) == Array(people[21...23]))
            #expect(try store.people(after: "199", limit: 3).isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `Only a whole name or number finds somebody; parts give choices`(backend: Backend) async throws {
        try await backend.withStore { store in
            let anna = person("1", "Smith, Anna")
            let long = person("2", "Anna Smith-Jones")
            let jorg = person("3", "Jörg Müller")
            let namesakes = [person("4", "Li Wei"), person("5", "Li Wei")]
            _ = try store.importPeople([anna, long, jorg] + namesakes, keepsOthers: false, isTrial: false)
            for text in ["Anna Smith", "smith, anna", "1"] {
                #expect(try store.person(query(text)) == .found(anna), "\(text)")
            }
            for text in ["Joerg Mueller", "Jorg Muller", "JÖRG MÜLLER"] {
                #expect(try store.person(query(text)) == .found(jorg), "\(text)")
            }
            #expect(
                try store.person(query("li wei"))
                    == .choices(.init(people: namesakes, others: 0, haveWholeName: true)))
            for text in ["smi an", "Anna", "Smith Anna"] {
                #expect(
                    try store.person(query(text))
                        == .choices(.init(people: [anna, long], others: 0, haveWholeName: false)), "\(text)")
            }
            #expect(
                try store.person(query("müll")) == .choices(.init(people: [jorg], others: 0, haveWholeName: false)))
            for text in ["mith", "Anna Wei", "%", "_", "6"] {
                #expect(try store.person(query(text)) == .nothing, "\(text)")
            }
            #expect(try store.people(matching: query("5")).people == [namesakes[1]])
        }
    }

    @Test(arguments: Backend.installed)
    func `Choices are the first twenty, and the others are counted`(backend: Backend) async throws {
        try await backend.withStore { store in
            let people = (10..<50).map { person("\($0)", "Anna Smith") }
            _ = try store.importPeople(people, keepsOthers: false, isTrial: false)
            let first = Array(people.prefix(20))
            #expect(
                try store.person(query("anna smith"))
                    == .choices(.init(people: first, others: 20, haveWholeName: true)))
            #expect(try store.people(matching: query("a s")).others == 20)
        }
    }

    @Test(arguments: Backend.installed)
    func `Somebody who is removed is found by nothing`(backend: Backend) async throws {
        try await backend.withStore { store in
            let ann = person("1", "Ann", "a")
            _ = try store.importPeople([ann], keepsOthers: false, isTrial: false)
            #expect(try store.removePerson(number: "1") == ann)
            #expect(try store.removePerson(number: "1") == nil)
            #expect(try store.person(query("Ann")) == .nothing)
            #expect(try store.people(of: [phone("a")]).isEmpty)
            #expect(try store.importPeople([ann], keepsOthers: false, isTrial: false).added == [ann])
        }
    }

    @Test(arguments: Backend.installed)
    func `Erasing a person's last device erases the person`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, two) = ("phone-one-of-ann", "phone-two-of-ann")
            _ = try store.importPeople(
                [person("1", "Ann", one, two), person("2", "Bo", "phone-of-bo")], keepsOthers: false, isTrial: false)
            #expect(try store.holdings(of: phone(one)).person?.number == "1")
            let first = try store.erase(phone(one), now: now)
            #expect(first.register == .subject && first.isComplete)
            #expect(try store.person(number: "1")?.subjects == [phone(two)])
            let second = try store.erase(phone(two), now: now)
            #expect(second.register == .person && second.isComplete)
            #expect(try store.person(query("Ann")) == .nothing)
            #expect(try store.peopleCount() == 1)
            #expect(try store.erase(phone("nobody-at-all"), now: now).register == nil)
        }
    }

    @Test(arguments: Backend.installed)
    func `A store of an earlier version gets a register`(backend: Backend) async throws {
        try await backend.with { location in
            try InteractionStore.open(location).database.write { session in
                for statement in RawSQLite.withDocuments + ["UPDATE schema_version SET version = 8"] {
                    try session.execute(statement)
                }
            }
            let ann = person("1", "Ann", "a")
            _ = try InteractionStore.open(location).importPeople([ann], keepsOthers: false, isTrial: false)
            #expect(try InteractionStore.open(location).person(number: "1") == ann)
        }
    }

    @Test func `A search by the beginnings of words uses the index`() async throws {
        try await Backend.sqlite.withStore { store in
            let plan = try store.database.read { session in
                var plan: [String] = []
                try session.query(
                    "EXPLAIN QUERY PLAN SELECT p.id FROM person p WHERE p.id IN "
                        + "(SELECT person FROM person_word WHERE word >= 'a' AND word < 'b') AND p.number <> 'a'"
                ) { plan.append($0.text(3) ?? "") }
                return plan
            }
            #expect(plan.contains { $0.hasPrefix("SEARCH person_word USING PRIMARY KEY") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
    }
}
