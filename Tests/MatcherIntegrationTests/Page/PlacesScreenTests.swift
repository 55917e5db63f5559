import Evidence
import InteractionStore
import Matching
import Pages
import People
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Places of beacons on the page", .timeLimit(.minutes(10))) struct PlacesScreenTests {
    private static let east = "campus/main/1/east"
    private static let spare = "campus/main/2/spare"
    private static let claim = ["beacon": TestAPI.beacon, "receiver": spare]

    /// Runs `body` after gateways of two floors have named the same beacon: the first has it.
    private func with(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            try api.hear(badge, 0...5, sequence: 1)
            try api.hear(badge, 10...15, sequence: 1, gateway: "spare", floor: "2")
            try await body(api)
        }
    }

    private static func beacon(_ number: Int64) -> String { "e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/\(number)" }

    private func audit(_ api: TestAPI) throws -> [String] {
        try api.store.use { try $0.audit(before: nil, containing: nil, limit: 100) }
            .map { "\($0.entry.name) \($0.entry.action.rawValue): \($0.entry.object): \($0.entry.detail)" }
    }

    @Test("Operators see what is believed and what is not, with the local time and the reason") func list() async throws
    {
        try await with { api in
            let browser = try api.browser(.operator)
            #expect(try await browser.get("/gateways").text.contains("href=\"/places\""))
            let page = try await browser.get("/places")
            #expect(page.status == 200)
            for text in [
                "Claims: 1.", "Beacons: 1.", "it is mounted on another floor", "Mon 2026-11-02 08:10",
                "stated by the gateway only", "Times are those of UTC.",
            ] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(try await browser.get("/places?q=main/2").text.contains("No beacon of a place is known that fits"))
            #expect(try await api.browser(.officer).get("/places").status == 403)
            #expect(try await api.browser(.auditor).get("/places").status == 403)
        }
    }

    @Test("A claim is accepted after a question that says what will happen, and the audit has it")
    func accept() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let question = try await browser.post("/places/accept", Self.claim)
            #expect(question.status == 200 && question.text.contains("<h1>Accept this place?</h1>"))
            #expect(question.text.contains("From its next record on, the beacon hangs at \(Self.spare)"))
            #expect(question.text.contains("This claim is not believed since Mon 2026-11-02 08:10"))
            #expect(try api.store.use { try $0.placeDecisions() }.isEmpty)
            let asked = "Olga Officer asked to accept place of beacon: \(TestAPI.beacon): \(Self.spare)"
            #expect(try audit(api) == [asked])
            let answer = try await browser.post("/places/accept", Self.claim.merging(["sure": "yes"]) { $1 })
            #expect(answer.status == 303 && answer.headers["location"] == "/places?done=place-accepted")
            #expect(
                try audit(api) == [
                    "Olga Officer accepted place of beacon: \(TestAPI.beacon): \(Self.spare)", asked,
                ])
            let page = try await browser.get("/places")
            #expect(page.text.contains("Claims: 0."))
            #expect(page.text.contains("confirmed by an operator, from its next record on"))
            #expect(page.text.contains("Mon 2026-11-02 12:00 by Olga Officer"))
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            try api.hear(badge, 20...25, sequence: 2, gateway: "spare", floor: "2")
            #expect(try api.store.use { try $0.placeBeacons() }.map(\.receiver) == [Self.spare])
        }
    }

    @Test("Of two operators who decide at once, the second sees what the first did") func conflict() async throws {
        try await with { api in
            let first = try api.browser(.operator, name: "Otto First")
            let second = try api.browser(.operator, name: "Olga Second")
            let question = try await second.post("/places/accept", Self.claim)
            #expect(question.text.contains("name=\"seen\" value=\"\""))
            let sure = ["sure": "yes", "seen": ""]
            let done = try await first.post(
                "/places/accept", ["beacon": TestAPI.beacon, "receiver": Self.east].merging(sure) { $1 })
            #expect(done.status == 303)
            let late = try await second.post("/places/accept", Self.claim.merging(sure) { $1 })
            #expect(late.status == 409)
            #expect(
                late.text.contains("It hangs at \(Self.east), decided Mon 2026-11-02 12:00 by Otto First."))
            #expect(
                try api.store.use { try $0.placeDecisions() }.map(\.decision) == [.accepted(receiver: Self.east)])
            #expect(
                try audit(api) == [
                    "Olga Second tried to accept place of beacon: \(TestAPI.beacon): \(Self.spare)",
                    "Otto First accepted place of beacon: \(TestAPI.beacon): \(Self.east)",
                    "Olga Second asked to accept place of beacon: \(TestAPI.beacon): \(Self.spare)",
                ])
            // Who has seen the decision can change it.
            let seen = try #require(try api.store.use { try $0.placeDecisions() }.first).since
            let again = try await second.post(
                "/places/accept", Self.claim.merging(["sure": "yes", "seen": "\(seen)"]) { $1 })
            #expect(again.status == 303)
        }
    }

    @Test("Operators see no badges that were in a report or are carried, and cannot ask which these are")
    func carried() async throws {
        try await with { api in
            var badges: [SubjectIdentity] = []
            for number in 21...24 {
                let id = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/\(number)"
                badges.append(try #require(SubjectIdentity(kind: "badge", id: id)))
            }
            let now = api.clock.withLock { $0 }
            try api.store.use { [badges] store in
                _ = try store.add(
                    PositiveReport(
                        reference: "r", received: now, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: badges[0], since: 0, until: now)], entries: []))
                try store.decide(.denied, on: badges[2].id, now: now)
                let ann = Person(number: "17", name: "Ann", subjects: [badges[3]])
                _ = try store.importPeople([ann], keepsOthers: false, isTrial: false)
            }
            let other = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/9"))
            try api.hear(other, 20...25, sequence: 2, beacon: badges[0].id, gateway: "spare", floor: "2")
            try api.hear(badges[1], 30...35, sequence: 2)
            try api.hear(other, 40...45, sequence: 3, beacon: badges[1].id, gateway: "spare", floor: "2")
            let reasons = try api.store.use { try $0.refusedClaims() }.map(\.claim.reason)
            #expect(Set(reasons) == [.heardElsewhere, .ofAnother, .ofPerson] && reasons.count == 3)
            let browser = try api.browser(.operator)
            let page = try await browser.get("/places").text
            #expect(page.contains("Claims: 3.") && page.contains("3 beacons are not shown, since a person may carry"))
            #expect(page.split(separator: ">a person may carry it<").count == 3)
            for text in ["it was part of a report", "received as a badge"] + badges.map(\.id) {
                #expect(!page.contains(text), "\(text)")
            }
            for badge in badges {
                let found = try await browser.get("/places?q=\(badge.id)").text
                #expect(found.contains("Claims: 0.") && found.contains("Beacons: 0."), "\(badge)")
                let claim = ["beacon": badge.id, "receiver": Self.spare]
                for fields in [claim, claim.merging(["sure": "yes"]) { $1 }] {
                    let answer = try await browser.post("/places/accept", fields)
                    #expect(answer.status == 409 && !answer.text.contains(badge.id), "\(badge)")
                    #expect(answer.text.contains("The page decides only about beacons that it lists."))
                }
            }
            #expect(try api.store.use { try $0.placeDecisions() }.map(\.decision) == [.denied])
            var tried: [String] = []
            for badge in badges {
                for _ in 0..<2 {
                    tried.append("Olga Officer tried to accept place of beacon: \(badge.id): \(Self.spare)")
                }
            }
            let entries: [String] = try audit(api).reversed()
            #expect(entries == tried)
        }
    }

    // The page said so about beacons of reports and of the register, and asked about others.
    @Test("Whatever is known about a beacon that the page does not list, its answer is the same, and is noted")
    func oracle() async throws {
        try await with { api in
            let now = api.clock.withLock { $0 }
            let beacons = (Int64(31)...34).map { "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/\($0)" }
            let badges = beacons.compactMap { SubjectIdentity(kind: "badge", id: $0) }
            // The gateway has another beacon, which tells nothing about who carries these.
            for (index, beacon) in beacons.dropFirst().enumerated() {
                let start = Int64(20 + 10 * index)
                try api.hear(
                    badges[0], start...(start + 5), sequence: UInt64(index + 2), beacon: beacon)
            }
            try api.store.use { store in
                #expect(try store.refusedClaims().filter { $0.claim.reason == .another }.count == 3)
                let ann = Person(number: "17", name: "Ann", subjects: [badges[1]])
                _ = try store.importPeople([ann], keepsOthers: false, isTrial: false)
                _ = try store.add(
                    PositiveReport(
                        reference: "r", received: now, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: badges[2], since: 0, until: now)], entries: []))
                let text = "course,student,subject\nA,s1,badge:\(beacons[3])\n"
                #expect(
                    try store.save(
                        [UploadedFile(.roster, name: "a", content: text, by: "Lea", at: now)], audit: []))
            }
            let browser = try api.browser(.operator)
            let page = try await browser.get("/places").text
            #expect(page.contains("Claims: 4.") && page.contains("3 beacons are not shown"))
            var answers: Set<String> = []
            for beacon in beacons + [Self.beacon(99)] {
                #expect(!page.contains(beacon), "\(beacon)")
                for sure in ["no", "yes"] {
                    let answer = try await browser.post(
                        "/places/accept", ["beacon": beacon, "receiver": Self.east, "sure": sure])
                    #expect(answer.status == 409, "\(beacon)")
                    answers.insert(answer.text)
                }
            }
            #expect(answers.count == 1)
            let entries = try audit(api)
            #expect(entries.count == 10)
            #expect(entries.allSatisfy { $0.hasPrefix("Olga Officer tried to accept place of beacon: ") })
            #expect(try api.store.use { try $0.placeDecisions() }.isEmpty)
        }
    }

    @Test("A double click on the decision is answered as one click") func doubleClick() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let sure = Self.claim.merging(["sure": "yes", "seen": ""]) { $1 }
            for _ in 0..<2 {
                let answer = try await browser.post("/places/accept", sure)
                #expect(answer.status == 303 && answer.headers["location"] == "/places?done=place-accepted")
            }
            api.clock.withLock { $0 += 61 }
            #expect(try await browser.post("/places/accept", sure).status == 409)
        }
    }

    @Test("Many claims and beacons come in parts, and a part is small") func parts() async throws {
        try await with { api in
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            for number in Int64(1)...40 {
                try api.hear(
                    badge, (4 * number + 20)...(4 * number + 21), sequence: UInt64(number) + 1,
                    beacon: Self.beacon(number))
            }
            let now = api.clock.withLock { $0 }
            try api.store.use { store in
                for number in Int64(101)...170 {
                    try store.decide(.accepted(receiver: Self.east), on: Self.beacon(number), now: now)
                }
            }
            let browser = try api.browser(.operator)
            let first = try await browser.get("/places").text
            #expect(first.utf8.count < 60_000, "\(first.utf8.count)")
            #expect(first.contains("Claims 1 to 30 of 41.") && first.contains("Beacons 1 to 50 of 71."))
            let claims = try await browser.get("/places?q=&claims=30&from=0").text
            #expect(claims.contains("Claims 31 to 41 of 41.") && claims.contains("Beacons 1 to 50 of 71."))
            #expect(first.contains("Show the next claims") && !claims.contains("Show the next claims"))
            let both = try await browser.get("/places?q=&claims=30&from=50").text
            #expect(both.contains("Claims 31 to 41 of 41.") && both.contains("Beacons 51 to 71 of 71."))
            #expect(!both.contains("Show the next beacons"))
        }
    }

    @Test("What cannot be a beacon or a receiver is asked for again, and a name that nobody knows is said")
    func mistakes() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let wrong = try await browser.post(
                "/places/accept", ["beacon": "7/7", "receiver": "<b>", "sure": "yes"])
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("Write the UUID/MAJOR/MINOR of a beacon.") && wrong.text.contains("&lt;b&gt;"))
            let unknown = try await browser.post(
                "/places/accept", ["beacon": TestAPI.beacon, "receiver": "campus/main/9/none"])
            #expect(unknown.text.contains("No gateway campus/main/9/none is known: check its name."))
            #expect(try api.store.use { try $0.placeDecisions() }.isEmpty)
        }
    }

    @Test("Only operators accept, and only with the token of their form") func refused() async throws {
        try await with { api in
            let fields = Self.claim.merging(["sure": "yes"]) { $1 }
            #expect(try await api.browser(.officer).post("/places/accept", fields).status == 403)
            let browser = try api.browser(.operator)
            #expect(
                try await browser.post("/places/accept", fields.merging(["token": "guessed"]) { $1 }).status == 403)
            #expect(
                try await browser.post("/places/accept", fields, origin: "https://elsewhere.example").status == 403)
            #expect(try api.store.use { try $0.placeDecisions() }.isEmpty && audit(api).isEmpty)
        }
    }
}
