import InteractionStore
import Matching
import People
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Letters and e-mails on the page", .timeLimit(.minutes(10))) struct NoticesPageTests {
    private static let withMail = TestAPI.mailConfiguration("smtps://mail.campus.example")

    @Test("An officer sends e-mails to the people of a report, each once") func send() async throws {
        try await TestAPI.with(configuration: Self.withMail) { api in
            let reference = try await api.exposeBen()
            let officer = try api.browser(.officer)
            let page = try await officer.get("/reports/\(reference)").text
            for part in [
                "Notices by letter and e-mail", "1 of 1 person has an e-mail address.", "Send e-mail to 1 person",
                "not sent", "href=\"/letters?report=\(reference)\"", "action=\"/reports/\(reference)/send\"",
            ] { #expect(page.contains(part), "\(part)") }
            let answer = try await officer.post("/reports/\(reference)/send")
            #expect(answer.status == 303 && answer.headers["location"] == "/reports/\(reference)?done=mail-ordered")
            #expect(try api.mail()?.state == .queued)
            let waiting = try await officer.get("/reports/\(reference)?done=mail-ordered").text
            #expect(waiting.contains(">waits</span>") && !waiting.contains("Send e-mail to"))
            let again = try await officer.post("/reports/\(reference)/send")
            #expect(again.headers["location"] == "/reports/\(reference)?done=no-mail")
            let entries = try api.store.use {
                try $0.audit(limit: 20).map { $0.entry }.filter { $0.action == .sentMail }
            }
            #expect(entries.map(\.detail) == ["0 people", "1 person"])
            #expect(entries.allSatisfy { $0.object == reference && !$0.detail.contains("@") })
        }
    }

    @Test("What has become of an e-mail is shown, and it can be sent to one person again") func states() async throws {
        try await TestAPI.with(configuration: Self.withMail) { api in
            let reference = try await api.exposeBen()
            try api.orderMail()
            let (officer, now) = (try api.browser(.officer), api.clock.withLock { $0 })
            let mail = try #require(try api.mail())
            try api.store.use { try $0.setMail(mail.id, to: .failed, error: "550 <unknown>", now: now) }
            let failed = try await officer.get("/reports/\(reference)").text
            #expect(failed.contains(">failed</span> 550 &lt;unknown&gt;") && failed.contains("Send e-mail to 1 person"))
            #expect(try await officer.post("/reports/\(reference)/send", ["person": "s2"]).status == 303)
            let second = try #require(try api.mail())
            try api.store.use { try $0.setMail(second.id, to: .sent, now: now) }
            let sent = try await officer.get("/reports/\(reference)").text
            #expect(sent.contains(">sent</span> Mon 2026-11-02 12:00") && sent.contains("Send again"))
            #expect(!sent.contains("Send e-mail to 1 person"))
            let again = try await officer.post("/reports/\(reference)/send", ["person": "s2"])
            #expect(again.headers["location"]?.hasSuffix("done=mail-ordered") == true)
            let other = try await officer.post("/reports/\(reference)/send", ["person": "s9"])
            #expect(other.headers["location"]?.hasSuffix("done=no-mail") == true)
        }
    }

    @Test("E-mails are sent from the list of exposures, too") func exposures() async throws {
        try await TestAPI.with(configuration: Self.withMail) { api in
            _ = try await api.exposeBen()
            let officer = try api.browser(.officer)
            let page = try await officer.get("/exposures?days=1").text
            #expect(page.contains("action=\"/exposures/send\"") && page.contains("name=\"days\" value=\"1\""))
            #expect(page.contains("href=\"/letters?days=1\""))
            let none = try await officer.post("/exposures/send", ["days": "1", "level": "none"])
            #expect(none.headers["location"] == "/exposures?days=1&level=none&done=no-mail")
            let answer = try await officer.post("/exposures/send", ["days": "1"])
            #expect(answer.headers["location"] == "/exposures?days=1&done=mail-ordered")
            #expect(try api.mail()?.state == .queued)
        }
    }

    @Test("Letters have days and what to do, no places and nobody else, and are audited") func letters() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let reference = try await api.exposeBen(contact: [])
            let officer = try api.browser(.officer)
            for query in ["report=\(reference)", "days=7"] {
                let answer = try await officer.get("/letters?\(query)")
                #expect(answer.status == 200)
                let start = try #require(answer.text.firstRange(of: "<article"))
                let letter = answer.text[start.lowerBound...]
                #expect(letter.ranges(of: "<article").count == 1)
                for part in ["Dear Ben Müller,", "Mon 2026-11-02", "What to do:", "The health office"] {
                    #expect(letter.contains(part), "\(part)")
                }
                for place in ["101", "campus", "east", "08:"] { #expect(!letter.contains(place), "\(place)") }
            }
            #expect(try await officer.get("/letters?report=unknown").status == 404)
            let entries = try api.store.use {
                try $0.audit(limit: 9).map { $0.entry }.filter { $0.action == .printedLetters }
            }
            #expect(entries.map(\.object) == ["exposures of 7 days", reference])
            #expect(entries.allSatisfy { $0.detail == "1 letter" })
        }
    }

    /// Has a report expose others too, who are told.
    private func expose(_ others: [ExposureSummary], by reference: String, _ api: TestAPI) throws {
        let now = api.clock.withLock { $0 }
        let matching = ReportMatching(policy: api.policy, phoneDelay: nil)
        try api.store.use { store in
            let number = try #require(try store.storedReport(reference)).report.number
            let known = try store.exposures(ofReport: number, limit: 10)
            _ = try store.setExposures(known + others, of: number)
            for stale in try store.staleNotices() { try matching.announce(stale, in: store, now: now) }
        }
    }

    private func exposure(_ subject: SubjectIdentity, _ minute: Int64) -> ExposureSummary {
        ExposureSummary(
            subject: subject, place: 1, start: morning - minute * 60, end: morning - minute * 60 + 60, minutes: 1)
    }

    @Test("Everybody is told, however many exposures others have", arguments: [499, 500])
    func manyExposures(count: Int) async throws {
        try await TestAPI.with(configuration: Self.withMail) { api in
            let reference = try await api.exposeBen()
            // Badges come before Ben's phone.
            let badge = try #require(SubjectIdentity("badge:\(TestAPI.beacon.dropLast(1))7"))
            try expose((1...Int64(count)).map { exposure(badge, $0) }, by: reference, api)
            let officer = try api.browser(.officer)
            let page = try await officer.get("/reports/\(reference)").text
            let sentence = "Only 500 exposures are listed. People who are not listed are notified nevertheless."
            #expect(page.contains(sentence) == (count == 500))
            #expect(page.contains("2 people were exposed by this report; 2 of them are notified."))
            #expect(page.contains("Send e-mail to 1 person"))
            #expect(try await officer.get("/letters?report=\(reference)").text.contains("Dear Ben Müller,"))
            let answer = try await officer.post("/reports/\(reference)/send")
            #expect(answer.headers["location"] == "/reports/\(reference)?done=mail-ordered")
            #expect(try api.mail()?.state == .queued)
        }
    }

    @Test("If a report exposed too many badges and phones to tell them from its page, that is said") func tooMany()
        async throws
    {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let reference = try await api.exposeBen()
            let badge = try #require(SubjectIdentity("badge:\(TestAPI.beacon.dropLast(1))7"))
            try expose([exposure(badge, 1)], by: reference, api)
            let (all, part) = try api.store.use { store in
                let number = try #require(try store.storedReport(reference)).report.number
                return (
                    try ExposedByReport(number, limit: 2, in: store), try ExposedByReport(number, limit: 1, in: store)
                )
            }
            #expect(all.subjects.count == 2 && all.remark == nil)
            #expect(part.subjects == [badge] && part.remark?.hasPrefix("More than 1 badges and phones were") == true)
        }
    }

    @Test("Letters to very many people are on several pages, each person on one") func manyLetters() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let reference = try await api.exposeBen()
            let people = try (1...200).map { number in
                let phone = try #require(SubjectIdentity(kind: "phone", id: "other-\(number)"))
                return Person(number: "p\(1000 + number)", name: "Person \(number)", subjects: [phone])
            }
            _ = try api.store.use { try $0.importPeople(people, keepsOthers: true, isTrial: false) }
            try expose(people.flatMap(\.subjects).map { exposure($0, 1) }, by: reference, api)
            let officer = try api.browser(.officer)
            let first = try await officer.get("/letters?report=\(reference)").text
            #expect(first.ranges(of: "<article").count == 200 && !first.contains("Dear Ben Müller,"))
            #expect(first.contains("These are not all: letters to 201 people"))
            #expect(first.contains("href=\"/letters?report=\(reference)&amp;last=p1200\""))
            let last = try await officer.get("/letters?report=\(reference)&last=p1200").text
            #expect(last.ranges(of: "<article").count == 1 && last.contains("Dear Ben Müller,"))
            #expect(last.contains("This is the last page.") && !last.contains("Next letters"))
        }
    }

    @Test("A report counts once for a person, whichever of the person's devices it exposed") func reports()
        async throws
    {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let subjects = try ["badge:\(TestAPI.beacon.dropLast(1))7", "phone:cleo", "phone:dan", "phone:dan-2"]
                .map { try #require(SubjectIdentity($0)) }
            let people = [
                Person(number: "s3", name: "Cleo", subjects: Array(subjects[0...1])),
                Person(number: "s4", name: "Dan", subjects: Array(subjects[2...3])),
            ]
            let exposed = [[0, 2, 3], [1]].map { $0.map { exposure(subjects[$0], 1) } }
            try api.store.use { store in
                _ = try store.importPeople(people, keepsOthers: true, isTrial: false)
                for (index, exposures) in exposed.enumerated() {
                    let reporter = try #require(SubjectIdentity(kind: "phone", id: "of-\(index)"))
                    let report = PositiveReport(
                        reference: "r\(index)", received: morning, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: reporter, since: 0, until: morning)])
                    let number = try #require(try store.add(report).number)
                    _ = try store.setExposures(exposures, of: number)
                }
            }
            let page = try await api.browser(.officer).get("/exposures?days=7").text
            func reports(of name: String) -> Substring? {
                guard let row = page.firstRange(of: ">\(name)</a>") else { return nil }
                let cell = "data-label=\"Reports\" class=\"number\">"
                return page[row.upperBound...].firstRange(of: cell).map { page[$0.upperBound...].prefix { $0 != "<" } }
            }
            #expect(reports(of: "Cleo") == "2")
            #expect(reports(of: "Dan") == "1")
        }
    }

    @Test("Without a mail server there are letters, and a sentence in the place of the button") func noServer()
        async throws
    {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let reference = try await api.exposeBen()
            let officer = try api.browser(.officer)
            let page = try await officer.get("/reports/\(reference)").text
            #expect(page.contains("E-mail is not set up here.") && page.contains("Print letters"))
            #expect(!page.contains("Send e-mail"))
            let answer = try await officer.post("/reports/\(reference)/send")
            #expect(answer.status == 422 && answer.text.contains("nothing was sent"))
            #expect(try api.mail() == nil)
        }
    }

    @Test("Whoever has no address is told of by letter, and devices of nobody are counted") func unreached()
        async throws
    {
        try await TestAPI.with(configuration: Self.withMail) { api in
            let reference = try await api.exposeBen(contact: ["+49 30 123"])
            let officer = try api.browser(.officer)
            let page = try await officer.get("/reports/\(reference)").text
            #expect(page.contains("0 of 1 person have an e-mail address.") && page.contains("no address"))
            #expect(!page.contains("Send e-mail"))
            _ = try api.store.use { try $0.removePerson(number: "s2") }
            let nobody = try await officer.get("/reports/\(reference)").text
            #expect(nobody.contains("1 badge or phone belongs to nobody in the register."))
            #expect(!nobody.contains("Print letters"))
        }
    }

    @Test("People say on their own page whether they want e-mails") func wanted() async throws {
        try await TestAPI.with(configuration: Self.withMail) { api in
            _ = try await api.exposeBen()
            let ben = try api.browser(.student, name: "Ben", number: "s2")
            let before = try await ben.get("/me").text
            #expect(before.contains("Send me notices by e-mail") && before.contains("ben@campus.example"))
            #expect(!before.contains(" checked"))
            let answer = try await ben.post("/me/mail", ["mail": "yes"])
            #expect(answer.status == 303 && answer.headers["location"] == "/me?done=wants-mail")
            #expect(try await ben.get("/me").text.contains(" checked"))
            #expect(try api.store.use { try $0.wantsMail(number: "s2") })
            let off = try await ben.post("/me/mail")
            #expect(off.headers["location"] == "/me?done=wants-no-mail")
            let isOn = try api.store.use { try $0.wantsMail(number: "s2") }
            #expect(!isOn)
            for number in [nil, "s9"] {
                let other = try api.browser(.student, name: "Cy", number: number)
                #expect(try await other.post("/me/mail", ["mail": "yes"]).status == 422)
            }
        }
    }

    @Test("Without a mail server or an address nobody can choose e-mails") func notWanted() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            _ = try await api.exposeBen()
            let ben = try api.browser(.student, name: "Ben", number: "s2")
            #expect(try await ben.get("/me").text.contains("E-mail is not set up here."))
            #expect(try await ben.post("/me/mail", ["mail": "yes"]).status == 422)
        }
        try await TestAPI.with(configuration: Self.withMail) { api in
            _ = try await api.exposeBen(contact: [])
            let ben = try api.browser(.student, name: "Ben", number: "s2")
            #expect(try await ben.get("/me").text.contains("The register has no e-mail address for you."))
        }
    }
}
