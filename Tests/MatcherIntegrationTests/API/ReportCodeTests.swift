import BeaconModel
import InteractionStore
import Matching
import OperatorText
import SystemIO
import Testing

@testable import MatcherCore

@Suite("Codes in reports, and whose they are", .timeLimit(.minutes(10))) struct ReportCodeTests {
    /// 2026-11-02T00:00:00Z.
    private let midnight = morning - 8 * 3600

    private func code(_ app: String, _ code: String) -> String {
        #","codes":[{"app":"\#(app)","code":"\#(code)","since":"2026-11-02T08:00:00Z","until":"2026-11-02T09:00:00Z"}]"#
    }

    private func listed(_ api: TestAPI) throws -> [String] {
        try api.publish()
        let now = api.clock.withLock { $0 }
        return try api.store.use { store in
            try PositiveScheme.allCases.flatMap { scheme in
                try store.published(
                    scheme: scheme.rawValue, slots: 0..<PositiveList.openSlots(of: scheme, now: now).upperBound
                ).values
            }
        }
    }

    // MARK: Keys

    private let key =
        #"{"scheme":"exposure-notification","key":"dcc0xt0aeC3nqWXaXrkxJQ==","rollingStart":2989296,"rollingPeriod":144}"#

    // 2026-11-02T00:00:00Z is interval 2989296; 8:00 is 48 later.
    @Test(arguments: Backend.installed)
    func `A key finds the identifiers that gateways heard, in their time`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let bytes = try #require(Base64URL.decode("dcc0xt0aeC3nqWXaXrkxJQ"))
            let at = { (interval: UInt32) in
                RotatingCode.exposureNotification(ExposureKey(bytes: bytes).identifier(ofInterval: interval))
            }
            let (ann, ben, cid) = (try await api.newPhone(), try await api.newPhone(), try await api.newPhone())
            try api.hear(try api.pseudonym(at(2_989_296 + 48)), 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            // Somebody repeats an identifier that was said three hours before: that isn't the phone.
            try api.hear(try api.pseudonym(at(2_989_296 + 42)), 120...140, sequence: 3)
            try api.hear(cid.identity, 120...140, sequence: 4)
            let answer = try await api.report(ann, #","keys":[\#(key)]"#)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer.text.contains(#""pending":0"#) && answer.text.contains(#""ignored":[]"#), "\(answer.text)")
            #expect(try await api.level(ben) == "medium")
            #expect(try await api.level(cid) == "low")
            let code = at(2_989_296)
            let digest = PositiveScheme.digest(kind: code.kind, id: code.text)
            var all: [String] = []
            // 73 intervals have begun: 16 an epoch.
            for _ in 0..<5 {
                all = try listed(api)
                api.clock.withLock { $0 += 300 }
            }
            #expect(all.contains(digest) && all.count == 73, "\(all.count)")
        }
    }

    @Test(arguments: [
        (#""rollingStart":2989296"#, #""rollingStart":2989400"#, "keys[0].rollingStart"),
        (#""rollingStart":2989296"#, #""rollingStart":-1"#, "keys[0].rollingStart"),
        (#""rollingPeriod":144"#, #""rollingPeriod":145"#, "keys[0].rollingPeriod"),
        (#""rollingPeriod":144"#, #""rollingPeriod":0"#, "keys[0].rollingPeriod"),
        ("dcc0xt0aeC3nqWXaXrkxJQ==", "dcc0", "keys[0].key"),
        (#""exposure-notification""#, #""c19x""#, "keys[0].scheme"),
    ])
    func `A key that can't be is said with its place`(part: String, wrong: String, place: String) async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let answer = try await api.report(ann, #","keys":[\#(key.replacing(part, with: wrong))]"#)
            #expect(answer.status == 422 && answer.text.contains(place), "\(answer.text)")
            let many = try await api.report(
                ann, #","keys":[\#(Array(repeating: key, count: 31).joined(separator: ","))]"#)
            #expect(many.status == 422 && many.text.contains("keys has 31 entries"), "\(many.text)")
            #expect(try api.reports() == 0)
        }
    }

    @Test(arguments: [
        ("exposure-notification", String(repeating: "0", count: 32), "send keys"), ("c19x", "7", "send seeds"),
    ])
    func `A single code that follows from a key is refused`(app: String, value: String, remedy: String) async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let answer = try await api.report(ann, code(app, value))
            #expect(answer.status == 422 && answer.text.contains(remedy), "\(answer.text)")
            let commitment = try await api.commitment(ann, app: app, registered: nil, [])
            let committed = try await api.report(ann, #","commitments":[\#(commitment)]"#)
            #expect(committed.status == 422 && committed.text.contains(remedy), "\(committed.text)")
            #expect(try api.reports() == 0)
        }
    }

    // Eve reads the list, and says that what is there was hers.
    @Test(arguments: Backend.installed)
    func `A seed or key that was published exposes nobody when it is reported again`(backend: Backend) async throws {
        try await TestAPI.with(backend, selfReported: 1) { api in
            let (ann, eve, ben) = (try await api.newPhone(), try await api.newPhone(), try await api.newPhone())
            let heard = RotatingCode.user(.c19x, UInt64(bitPattern: C19XCodes.beaconCodes(seed: -77)[9]))
            try api.hear(try api.pseudonym(heard), 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let secrets = #","seeds":[{"scheme":"c19x","day":"2026-11-02","seed":"-77"}],"keys":[\#(key)]"#
            let first = try await api.report(ann, secrets)
            #expect(first.status == 201 && first.text.contains(#""ignored":[]"#), "\(first.text)")
            #expect(try await api.level(ben) == "medium")
            for isConfirmed in [true, false] {
                let answer =
                    isConfirmed
                    ? try await api.report(eve, secrets)
                    : try await api.post("/v1/reports", api.reportBody(eve, more: secrets))
                #expect(answer.status == 201)
                #expect(answer.text.contains(#""ignored":["seeds[0]","keys[0]"]"#), "\(answer.text)")
            }
            let reports = try api.store.use { try $0.reports(since: 0) }
            #expect(reports.map { $0.subjects.contains { $0.identity.kind == "c19x" } } == [true, false, false])
            #expect(reports[0].subjects.contains { $0.identity.kind == "exposure-notification" })
            #expect(!reports[1...].flatMap(\.subjects).contains { $0.identity.kind == "exposure-notification" })
        }
    }

    // MARK: Codes without a key

    // Eve has a test of her own, and overheard a stranger's code.
    @Test(arguments: Backend.installed)
    func `An overheard code exposes nobody until an officer confirms it`(backend: Backend) async throws {
        // Two names, since gateways may have had the former key.
        try await TestAPI.with(backend) { api in
            let (eve, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(try api.pseudonym(.user(.herald, 42)), 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let answer = try await api.report(eve, code("herald", "42"))
            #expect(answer.status == 201 && answer.text.contains(#""pending":1"#), "\(answer.text)")
            let digest = PositiveScheme.digest(kind: "herald", id: "42")
            #expect(try await api.level(ben) == "low")
            #expect(try !listed(api).contains(digest))

            let reference = try answer.member("report")
            let reports = try await TestMatcher.run(["reports", "--store", api.locationText])
            #expect(reports.errorOutput.first?.contains("2 names and 1 entry") == true, "\(reports.errorOutput)")
            #expect(reports.errorOutput.first?.contains("report --confirm \(reference)") == true)
            let document = try await TestMatcher.run(["reports", "--json", "--store", api.locationText])
            #expect(
                document.output.first?.contains(#""waiting":{"entries":1,"names":2}"#) == true, "\(document.output)")

            let unknown = try await TestMatcher.run(["report", "--confirm", "x", "--store", api.locationText])
            #expect(unknown.status != 0 && unknown.errorOutput.first?.contains("there is no report") == true)
            let both = try await TestMatcher.run(
                ["report", "--confirm", "x", "--withdraw", "y", "--store", api.locationText])
            #expect(both.status == 64, "\(both)")
            let confirmed = try await TestMatcher.run([
                "report", "--confirm", reference, "--as-of", "2026-11-02T12:00:00Z", "--store", api.locationText,
            ])
            #expect(confirmed.status == 0, "\(confirmed)")
            #expect(
                confirmed.output == ["report \(reference) is confirmed", ben.identity.description],
                "\(confirmed)")
            #expect(try await api.level(ben) == "medium")
            #expect(try listed(api).contains(digest))
            let again = try await TestMatcher.run([
                "report", "--confirm", reference, "--as-of", "2026-11-02T12:00:00Z", "--json", "--store",
                api.locationText,
            ])
            #expect(again.output.first?.contains(#""confirmed":{"entries":0,"names":0}"#) == true, "\(again)")
        }
    }

    // Registered on the day before; 8:00 to 8:20 Ben was near.
    @Test(arguments: Backend.installed)
    func `A code to which the phone committed itself the day before counts, and is listed`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(try api.pseudonym(.user(.bleProximity, 42)), 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let commitment = try await api.commitment(
                ann, app: "ble-proximity", registered: midnight - 3600,
                [
                    (42, "2026-11-02T07:55:00Z", "2026-11-02T08:30:00Z"),
                    (7, "2026-11-02T08:30:00Z", "2026-11-02T09:00:00Z"),
                ])
            let answer = try await api.report(ann, #","commitments":[\#(commitment)]"#)
            #expect(answer.status == 201 && answer.text.contains(#""pending":0"#), "\(answer.text)")
            #expect(try await api.level(ben) == "medium")
            #expect(try listed(api).contains(PositiveScheme.digest(kind: "ble-proximity", id: "42")))
        }
    }

    // Eve overhears a stranger's code on one day, and commits to it for the next.
    @Test func `A code that never changes waits for a health officer, whoever committed to it`() async throws {
        try await TestAPI.with { api in
            let (eve, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(try api.pseudonym(.user(.further, 42)), 0...60, sequence: 1)
            try api.hear(ben.identity, 0...60, sequence: 2)
            let commitment = try await api.commitment(
                eve, app: "further", registered: midnight - 3600,
                [(42, "2026-11-02T08:00:00Z", "2026-11-02T09:00:00Z")])
            let answer = try await api.report(eve, #","commitments":[\#(commitment)]"#)
            #expect(answer.status == 201 && answer.text.contains(#""pending":1"#), "\(answer.text)")
            #expect(try await api.level(ben) == "low")
            #expect(try !listed(api).contains(PositiveScheme.digest(kind: "further", id: "42")))
        }
    }

    // Eve overhears a code until 8:20, and commits to it at 8:30. Ben was near the stranger before that, Cid after it.
    @Test func `A commitment to an overheard code gains nothing of the time before`() async throws {
        try await TestAPI.with { api in
            let (eve, ben, cid) = (try await api.newPhone(), try await api.newPhone(), try await api.newPhone())
            try api.hear(try api.pseudonym(.user(.herald, 42)), 0...60, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            try api.hear(cid.identity, 31...55, sequence: 3)
            let commitment = try await api.commitment(
                eve, app: "herald", registered: morning + 30 * 60,
                [(42, "2026-11-02T08:00:00Z", "2026-11-02T09:00:00Z")])
            let answer = try await api.report(eve, #","commitments":[\#(commitment)]"#)
            // Phones compare the list with what they heard before, too: there it waits.
            #expect(answer.status == 201 && answer.text.contains(#""pending":1"#), "\(answer.text)")
            #expect(try await api.level(ben) == "low")
            #expect(try await api.level(cid) == "medium")
            #expect(try !listed(api).contains(PositiveScheme.digest(kind: "herald", id: "42")))
        }
    }

    @Test func `What isn't what the phone committed itself to waits`() async throws {
        try await TestAPI.with { api in
            let (ann, eve) = (try await api.newPhone(), try await api.newPhone())
            // Names are of the sites of which gateways have told.
            try api.hear(try api.pseudonym(.user(.herald, 42)), 0...20, sequence: 1)
            let said = [(code: UInt64(42), since: "2026-11-02T08:00:00Z", until: "2026-11-02T09:00:00Z")]
            let commitment = try await api.commitment(ann, app: "herald", registered: midnight - 3600, said)
            // Another's, another salt, another code, none.
            let others = [
                (eve, commitment), (ann, commitment.replacing(#""salt":"c"#, with: #""salt":"d"#)),
                (ann, commitment.replacing(#""code":"42""#, with: #""code":"43""#)),
                (
                    ann,
                    commitment.replacing("2026-11-02\",\"salt", with: "2026-11-01\",\"salt").replacing(
                        "-02T", with: "-01T")
                ),
            ]
            for (phone, other) in others {
                let answer = try await api.report(phone, #","commitments":[\#(other)]"#)
                #expect(answer.status == 201 && answer.text.contains(#""pending":1"#), "\(answer.text)")
            }
            let short = commitment.replacing("c2FsdCBvZiBhIHBob25lIDE", with: "c2FsdA")
            #expect(try await api.report(ann, #","commitments":[\#(short)]"#).status == 422)
            #expect(
                try api.store.use { try $0.reports(since: 0) }.flatMap(\.subjects).allSatisfy {
                    $0.identity.kind == "phone"
                })
        }
    }

    // Eve claims a code first; what waits doesn't keep it from whom it belongs to.
    @Test(arguments: Backend.installed)
    func `A claim doesn't stand in the way of a code that is known`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, eve) = (try await api.newPhone(), try await api.newPhone())
            let commitment = try await api.commitment(
                ann, app: "herald", registered: midnight - 3600, [(42, "2026-11-02T08:00:00Z", "2026-11-02T09:00:00Z")])
            #expect(try await api.report(eve, code("herald", "42")).status == 201)
            #expect(try await api.report(ann, #","commitments":[\#(commitment)]"#).status == 201)
            #expect(try listed(api).contains(PositiveScheme.digest(kind: "herald", id: "42")))
        }
    }

    // MARK: Commitments

    @Test(arguments: Backend.installed)
    func `A phone commits itself eight times for a day, goes with it, and isn't kept for ever`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            func commit(_ phone: TestAPI.Phone, _ number: Int, day: String = "2026-11-02") async throws -> Int {
                let hash = CodeCommitmentText(app: "herald", day: 1, salt: "", codes: [UInt64(number)]).hash
                return try await api.post(
                    "/v1/commitments", #"{"phone":"\#(phone.id)","day":"\#(day)","hash":"\#(hash)"}"#,
                    secret: ann.secret
                ).status
            }
            for number in 0..<8 { #expect(try await commit(ann, number) == 201) }
            #expect(try await commit(ann, 8) == 429)
            // The same again keeps its time.
            let before = try api.store.use { try $0.commitments(of: [ann.identity]) }
            api.clock.withLock { $0 += 60 }
            #expect(try await commit(ann, 7) == 201)
            #expect(try api.store.use { try $0.commitments(of: [ann.identity]) } == before && before.count == 8)
            #expect(try await commit(ann, 8, day: "2026-11-09") == 201)
            #expect(try await commit(ben, 0) == 401)
            for wrong in ["2026-11-01", "2026-11-10", "today"] { #expect(try await commit(ann, 9, day: wrong) == 422) }
            let noHash = #"{"phone":"\#(ann.id)","day":"2026-11-02","hash":"x"}"#
            #expect(try await api.post("/v1/commitments", noHash, secret: ann.secret).status == 422)

            let later = api.clock.withLock { $0 } + 16 * 86_400
            _ = try api.store.use { try $0.enforceRetention(days: 14, now: later) }
            #expect(try api.store.use { try $0.commitments(of: [ann.identity]) }.keys.map(\.day) == [20_766])
            let erasure = try api.store.use { try $0.erase(ann.identity, now: later) }
            #expect(erasure.isComplete && erasure.remaining["code_commitment"] == 0, "\(erasure)")
            #expect(try api.store.use { try $0.commitments(of: [ann.identity]) }.isEmpty)
        }
    }
}
