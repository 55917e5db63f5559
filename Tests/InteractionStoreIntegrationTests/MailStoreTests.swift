import Matching
import People
import SignIn
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("E-mails in a store") struct MailStoreTests {
    private let now: Int64 = 1_793_620_800
    private let address = "ann@campus.example"

    /// Runs `body` with a store whose register has Ann, with two phones, and Ben.
    private func with(
        _ backend: Backend, isolation: isolated (any Actor)? = #isolation,
        _ body: (InteractionStore) async throws -> Void
    ) async throws {
        try await backend.withStore { store in
            let people = [
                Person(
                    number: "1", name: "Ann", contact: [address],
                    subjects: [phone("first-device"), phone("second-device")]),
                Person(number: "2", name: "Ben", contact: ["+49 30 123"], subjects: [phone("third-device")]),
            ]
            _ = try store.importPeople(people, keepsOthers: false, isTrial: false)
            try await body(store)
        }
    }

    private func order(_ numbers: String..., in store: InteractionStore, at time: Int64? = nil) throws -> Int {
        try store.orderMail(
            to: numbers.map { (number: $0, address: address) }, kind: .officer, now: time ?? now)
    }

    /// Exposes a subject, and makes its notice.
    private func notify(_ name: String, days: Int, in store: InteractionStore, at time: Int64) throws {
        let content = NoticeContent(
            level: .high, label: "", days: days, latest: time, policy: "p", policyVersion: "1")
        let isThere = try store.noticeStates(of: [phone(name)])[phone(name)] != nil
        _ = try store.database.write { session in
            if isThere {
                try session.execute(
                    "UPDATE notice SET stale = abs(stale) + 1 WHERE name = $1 AND kind = 'phone'", [.text(name)])
            } else {
                try session.execute(
                    "INSERT INTO notice (kind, name, changed, delivered, seen, stale) VALUES ('phone', $1, 0, 0, 0, 1)",
                    [.text(name)])
            }
        }
        for stale in try store.staleNotices() { try store.setNotice(content, for: stale, now: time) }
    }

    @Test("One e-mail waits for a person, and nobody outside of the register gets one", arguments: Backend.installed)
    func order(backend: Backend) async throws {
        try await with(backend) { store in
            #expect(try order("1", "2", "9", "1", in: store) == 2)
            #expect(try order("1", in: store) == 0)
            let due = try store.dueMail(now: now, limit: 10)
            #expect(due.map(\.number) == ["1", "2"])
            #expect(due.allSatisfy { $0.state == .queued && $0.tries == 0 && $0.kind == .officer && $0.sent == nil })
            #expect(try store.dueMail(now: now - 1, limit: 10).isEmpty)
            #expect(try store.dueMail(now: now, limit: 1).count == 1)
        }
    }

    @Test("An e-mail that is tried is not tried again before its turn, by nobody", arguments: Backend.installed)
    func begin(backend: Backend) async throws {
        try await with(backend) { store in
            _ = try order("1", in: store)
            let mail = try #require(try store.dueMail(now: now, limit: 1).first)
            #expect(try store.beginMail(mail, to: "new@campus.example", next: now + 60))
            #expect(try !store.beginMail(mail, to: address, next: now + 60))
            #expect(try store.dueMail(now: now + 59, limit: 1).isEmpty)
            let again = try #require(try store.dueMail(now: now + 60, limit: 1).first)
            #expect(again.tries == 1 && again.address == "new@campus.example")
            try store.setMail(again.id, to: .queued, error: "451 later", now: now)
            #expect(try store.latestMail(of: ["1", "2"])["1"]?.error == "451 later")
            try store.setMail(again.id, to: .sent, now: now + 61)
            let sent = try #require(try store.latestMail(of: ["1"])["1"])
            #expect(sent.state == .sent && sent.sent == now + 61 && sent.error == "")
            // What was sent does not become anything else.
            try store.setMail(again.id, to: .failed, error: "late", now: now)
            #expect(try store.latestMail(of: ["1"])["1"]?.state == .sent)
            #expect(try order("1", in: store) == 1)
        }
    }

    @Test("E-mails are given up, and forgotten later", arguments: Backend.installed)
    func old(backend: Backend) async throws {
        try await with(backend) { store in
            _ = try order("1", in: store)
            #expect(try store.endOldMail(lifetime: 100, before: now, now: now + 99) == 0)
            #expect(try store.endOldMail(lifetime: 100, before: now, now: now + 100) == 1)
            let mail = try #require(try store.latestMail(of: ["1"])["1"])
            #expect(mail.state == .failed && mail.error == "it could not be sent in time")
            _ = try store.endOldMail(lifetime: 100, before: now + 1, now: now + 200)
            #expect(try store.latestMail(of: ["1"]).isEmpty)
        }
    }

    @Test("Whoever wants e-mails gets one for each news, whichever device it is of", arguments: Backend.installed)
    func wantedMail(backend: Backend) async throws {
        try await with(backend) { store in
            let look = { (time: Int64) in
                try store.orderWantedMail(changedSince: time, now: time) { $0.first { $0.contains("@") } }
            }
            try notify("first-device", days: 1, in: store, at: now)
            #expect(try store.setWantsMail(true, number: "1", now: now))
            #expect(try store.setWantsMail(true, number: "2", now: now))
            #expect(try !store.setWantsMail(true, number: "9", now: now))
            #expect(try store.wantsMail(number: "1"))
            // What was known before is no news.
            #expect(try look(now) == 0)
            try notify("second-device", days: 2, in: store, at: now + 10)
            try notify("third-device", days: 1, in: store, at: now + 10)
            // Ben has no address.
            #expect(try look(now + 10) == 1)
            #expect(try look(now + 10) == 0)
            let mail = try #require(try store.dueMail(now: now + 10, limit: 5).first)
            #expect(mail.number == "1" && mail.kind == .preference && mail.address == address)
            try store.setMail(mail.id, to: .sent, now: now + 11)
            // What is as it was is no news, and another latest day is.
            try notify("second-device", days: 2, in: store, at: now + 10)
            #expect(try look(now + 15) == 0)
            try notify("first-device", days: 1, in: store, at: now + 20)
            #expect(try look(now + 20) == 1)
            #expect(try store.setWantsMail(false, number: "1", now: now))
            #expect(try !store.wantsMail(number: "1"))
            try notify("first-device", days: 5, in: store, at: now + 30)
            #expect(try look(now + 30) == 0)
        }
    }

    @Test(
        "Turning e-mails off removes those that wait for that reason, and none of officers",
        arguments: Backend.installed)
    func withdrawn(backend: Backend) async throws {
        try await with(backend) { store in
            _ = try store.setWantsMail(true, number: "1", now: now)
            try notify("first-device", days: 1, in: store, at: now)
            #expect(try store.orderWantedMail(changedSince: now, now: now) { $0.first } == 1)
            _ = try store.setWantsMail(false, number: "1", now: now)
            #expect(try store.latestMail(of: ["1"]).isEmpty)
            _ = try order("1", in: store)
            _ = try store.setWantsMail(false, number: "1", now: now)
            #expect(try store.latestMail(of: ["1"])["1"]?.state == .queued)
        }
    }

    @Test("Erasure removes e-mails and, with the person, that they are wanted", arguments: Backend.installed)
    func erasure(backend: Backend) async throws {
        try await with(backend) { store in
            _ = try store.setWantsMail(true, number: "1", now: now)
            _ = try order("1", "2", in: store)
            let first = try store.erase(phone("first-device"), now: now)
            #expect(first.register == .subject && first.remaining["mail"] == 0 && first.isComplete, "\(first)")
            #expect(try store.latestMail(of: ["1", "2"]).keys.sorted() == ["2"])
            #expect(try store.wantsMail(number: "1"))
            _ = try order("1", in: store)
            let second = try store.erase(phone("second-device"), now: now + 1)
            #expect(second.register == .person && second.remaining["mail"] == 0 && second.isComplete, "\(second)")
            #expect(try store.latestMail(of: ["1"]).isEmpty)
            #expect(try !store.wantsMail(number: "1"))
        }
    }

    @Test("Whoever is removed from the register has no e-mails and wants none", arguments: Backend.installed)
    func removal(backend: Backend) async throws {
        try await with(backend) { store in
            for number in ["1", "2"] { _ = try store.setWantsMail(true, number: number, now: now) }
            _ = try order("1", "2", in: store)
            _ = try store.removePerson(number: "1")
            let cy = Person(number: "3", name: "Cy", subjects: [phone("fourth-device")])
            _ = try store.importPeople([cy], keepsOthers: false, isTrial: false)
            #expect(try store.latestMail(of: ["1", "2"]).isEmpty)
            for number in ["1", "2"] { #expect(try !store.wantsMail(number: number)) }
        }
    }

    @Test(
        "Who gets the badge or phone of another is not told by e-mail of its past, and of news of their own",
        arguments: Backend.installed)
    func passingOn(backend: Backend) async throws {
        try await with(backend) { store in
            func look(_ time: Int64) throws -> Int {
                try store.orderWantedMail(changedSince: now, now: time) { $0.first { $0.contains("@") } }
            }
            func register(_ ofAnn: [String], _ ofCy: [String]) throws {
                let people = [("1", "Ann", ofAnn), ("3", "Cy", ofCy)].map { number, name, phones in
                    Person(number: number, name: name, contact: [address], subjects: phones.map { phone($0) })
                }
                _ = try store.importPeople(people, keepsOthers: false, isTrial: false)
            }
            try register(["first-device", "second-device"], ["third-device"])
            _ = try store.setWantsMail(true, number: "3", now: now)
            try notify("first-device", days: 2, in: store, at: now + 10)
            try register(["second-device"], ["first-device", "third-device"])
            #expect(try look(now + 20) == 0)
            try notify("first-device", days: 3, in: store, at: now + 30)
            #expect(try look(now + 30) == 1)
            for mail in try store.dueMail(now: now + 30, limit: 5) {
                try store.setMail(mail.id, to: .sent, now: now + 30)
            }
            // News of their own that was not sent yet is sent, whatever passes on meanwhile.
            try notify("third-device", days: 4, in: store, at: now + 40)
            try register([], ["first-device", "second-device", "third-device"])
            #expect(try look(now + 50) == 1)
        }
    }

    @Test("The audit has the number of e-mails", arguments: Backend.installed)
    func audit(backend: Backend) async throws {
        try await with(backend) { store in
            let account = Account(issuer: "i", subject: "s", name: "Olga", roles: [.officer])
            let recipients = [(number: "1", address: address), (number: "9", address: address)]
            _ = try store.orderMail(to: recipients, kind: .officer, now: now) { count in
                AuditEntry(at: now, account: account, action: .sentMail, object: "r", detail: "\(count)")
            }
            let entries = try store.audit(limit: 5).map { $0.entry }
            #expect(entries.map(\.detail) == ["1"] && entries.map(\.action) == [.sentMail])
        }
    }
}
