import BeaconModel
import InteractionStore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// Sixteen invented phones, each with half an hour of a day beside a beacon, had been told within ten seconds which of them had
/// met somebody positive: and so when that person had been there.
@Suite("What invented phones find out", .timeLimit(.minutes(10))) struct PhoneOracleTests {
    private static let proofUUID = "5a0d1e0c-9c2b-4f6e-8f6a-0d9b4a7c1e52"

    private func batch(_ phone: TestAPI.Phone, _ minutes: ClosedRange<Int64>, minor: Int = 1) -> String {
        let readings = stride(from: minutes.lowerBound, through: minutes.upperBound, by: 1).map { minute in
            #"{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":1,"minor":\#(minor),"distance":1,"timestamp":"\#(time(minute))"}"#
        }
        return #"{"phone":"\#(phone.id)","interactions":[\#(readings.joined(separator: ","))]}"#
    }

    private func time(_ minute: Int64) -> String {
        Timestamp(microseconds: (morning + minute * 60) * 1_000_000).rfc3339
    }

    private func code(_ api: TestAPI, uses: Int = 1, expires: Int64 = .max / 2) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let code = EnrolmentCode.make(using: &generator)
        try api.store.use { try $0.issue(codes: [code], label: "test", uses: uses, expires: expires, now: 0) }
        return EnrolmentCode.shown(code)
    }

    private func enrol(_ api: TestAPI, _ code: String) async throws -> TestAPI.Phone {
        let answer = try await api.post("/v1/phones", #"{"code":"\#(code)"}"#)
        #expect(answer.status == 201, "\(answer.text)")
        let id = try answer.member("id")
        return TestAPI.Phone(
            id: id, secret: try answer.member("secret"),
            identity: try #require(SubjectIdentity(kind: "phone", id: id)))
    }

    /// What 16 phones are answered that were beside the beacon for half an hour each, the first from 8:00 on.
    private func invent(_ phones: [TestAPI.Phone], _ api: TestAPI) async throws -> [String] {
        var answers: [String] = []
        for (slot, phone) in phones.enumerated() {
            let minutes = Int64(slot) * 30...Int64(slot) * 30 + 29
            answers.append(try await api.post("/v1/interactions", batch(phone, minutes), secret: phone.secret).text)
        }
        return answers
    }

    /// Ann's visits are 9:10 to 9:50 and 13:10 to 13:50. She reports at 16:00.
    private static let visits: [ClosedRange<Int64>] = [70...110, 310...350]
    /// Beside them are the half hours from 9:00, 9:30, 13:00 and 13:30 on.
    private static let slotsOfVisits = [2, 3, 10, 11]

    private func visit(_ api: TestAPI) async throws -> TestAPI.Phone {
        api.clock.withLock { $0 = morning + 8 * 3600 }
        let ann = try await enrol(api, try code(api))
        for (number, minutes) in Self.visits.enumerated() {
            try api.hear(ann.identity, minutes, sequence: UInt64(number + 1))
        }
        return ann
    }

    private func report(_ ann: TestAPI.Phone, _ api: TestAPI) async throws {
        let token = try await api.token(api.claims(of: ann))
        #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
        try api.match()
    }

    /// What each phone is told now, without its name.
    private func told(_ phones: [TestAPI.Phone], _ api: TestAPI) async throws -> [String] {
        try await phones.asyncMap { phone in
            let risk = try await api.get(phone.path + "/risk", secret: phone.secret)
            let exposures = try await api.get(phone.path + "/exposures", secret: phone.secret)
            #expect(risk.status == 200 && exposures.status == 200)
            let notice = try api.store.use { try $0.notice(for: phone.identity) }.map { NoticeDocument($0).text } ?? ""
            return (risk.text + exposures.text + notice).replacing(phone.id, with: "ID")
        }
    }

    @Test(arguments: Backend.installed)
    func `By default invented stays aren't taken, and nothing is learnt`(backend: Backend) async throws {
        try await TestAPI.with(backend, phones: PhoneSettings()) { api in
            #expect(try await api.post("/v1/phones", "{}").status == 400)
            let ann = try await visit(api)
            let common = try code(api, uses: 16)
            var phones: [TestAPI.Phone] = []
            for _ in 0..<16 { phones.append(try await enrol(api, common)) }
            #expect(try await api.post("/v1/phones", #"{"code":"\#(common)"}"#).status == 403)
            let answers = try await invent(phones, api)
            #expect(answers.allSatisfy { $0.contains(#""stored":0"#) }, "\(answers)")
            // It is 16:00.
            #expect(answers.dropLast().allSatisfy { $0.contains("late") }, "\(answers)")
            #expect(answers.last?.contains("unproven") == true, "\(answers)")
            try await report(ann, api)
            for hours: Int64 in [0, 7, 2, 100] {
                api.clock.withLock { $0 += hours * 3600 }
                try api.match()
                let told = try await told(phones, api)
                #expect(Set(told).count == 1, "\(told)")
                #expect(told[0].contains(#""exposures":0"#) && told[0].contains(#""level":"low""#), "\(told[0])")
            }
        }
    }

    // What remains: each phone learns of the half hour of which it told. So the two settings of this test are warned of.
    @Test(arguments: Backend.installed)
    func `Where phones are believed, they are told the day and nothing finer, when it is over`(
        backend: Backend
    ) async throws {
        var settings = PhoneSettings.permissive
        (settings.tellsNextDay, settings.uploadWithin) = (true, 8 * 3600)
        try await TestAPI.with(backend, phones: settings) { api in
            let ann = try await visit(api)
            var phones: [TestAPI.Phone] = []
            for _ in 0..<16 { phones.append(try await api.newPhone()) }
            let answers = try await invent(phones, api)
            #expect(answers.allSatisfy { $0.contains(#""stored":30"#) }, "\(answers)")
            try await report(ann, api)
            let midnight = morning + 16 * 3600
            // Until 8:00 somebody may tell of that day, one half hour after the other, and ask what changes.
            let over = midnight + 8 * 3600 + 300
            for time in [midnight - 8 * 3600, midnight - 1, midnight, over - 1] {
                api.clock.withLock { $0 = time }
                try api.match()
                let told = try await told(phones, api)
                #expect(Set(told).count == 1 && told[0].contains(#""exposures":0"#), "\(told)")
            }
            // Thirteen days it is told, and its end says no time either.
            for time in [over, midnight + 3 * 86_400 + 4000, midnight + 13 * 86_400 - 1] {
                api.clock.withLock { $0 = time }
                try api.store.use { try $0.markNoticesStale() }
                try api.match()
                let told = try await told(phones, api)
                let exposed = told.indices.filter { told[$0].contains(#""exposures":1"#) }
                #expect(exposed == Self.slotsOfVisits, "\(told)")
                #expect(Set(exposed.map { told[$0] }).count == 1, "\(told)")
                for slot in exposed {
                    #expect(
                        told[slot].contains(
                            #"{"exposures":[{"end":"2026-11-03T00:00:00Z","policy":{"name":"further","version":"\#(api.policy.version)"},"start":"2026-11-02T00:00:00Z","subject":{"id":"ID","kind":"phone"}}]}"#
                        ), "\(told[slot])")
                    #expect(!told[slot].contains("value") && told[slot].contains(#""missing":[]"#), "\(told[slot])")
                }
            }
            api.clock.withLock { $0 = midnight + 13 * 86_400 }
            let later = try await told(phones, api)
            #expect(later.allSatisfy { $0.contains(#""exposures":[]"#) }, "\(later)")
        }
    }

    private static func enrol(twenty code: String, _ api: TestAPI) async throws -> [TestAPI.Answer] {
        try await withThrowingTaskGroup(of: TestAPI.Answer.self) { group in
            for _ in 0..<20 {
                group.addTask { try await api.post("/v1/phones", #"{"code":"\#(code)"}"#) }
            }
            var answers: [TestAPI.Answer] = []
            for try await answer in group { answers.append(answer) }
            return answers
        }
    }

    @Test(arguments: Backend.installed)
    func `Of twenty who try a code of one use at once one enrols, and the others learn nothing`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend, phones: PhoneSettings()) { api in
            let answers = try await Self.enrol(twenty: try code(api), api)
            #expect(answers.count { $0.status == 201 } == 1)
            let expired = try self.code(api, expires: morning)
            var refusals = Set(answers.filter { $0.status != 201 }.map { "\($0.status) \($0.text)" })
            for code in [expired, "0000-0000-0000", "typo", ""] {
                let answer = try await api.post(
                    "/v1/phones", #"{"code":"\#(code)"}"#, secret: TestAPI.operatorToken)
                refusals.insert("\(answer.status) \(answer.text)")
            }
            #expect(refusals.count == 1 && refusals.first?.hasPrefix("403 ") == true, "\(refusals)")
            #expect(try await api.post("/v1/phones", secret: TestAPI.operatorToken).status == 400)
            // What isn't valid any more is deleted.
            _ = try api.store.use { try $0.enforceRetention(days: 14, now: morning + 2 * 86_400) }
            #expect(try api.store.use { try $0.enrolments() }.map(\.codes) == [1])
        }
    }

    @Test func `Who guesses codes waits, and others enrol`() async throws {
        try await TestAPI.with(phones: PhoneSettings(), isBehindProxy: true) { api in
            let common = try code(api, uses: 100)
            func statuses(_ code: String, _ count: Int, _ address: String) async throws -> [Int: Int] {
                var statuses: [Int: Int] = [:]
                for _ in 0..<count {
                    let answer = try await api.post("/v1/phones", #"{"code":"\#(code)"}"#, for: address)
                    statuses[answer.status, default: 0] += 1
                }
                return statuses
            }
            // A whole building is one address: who has a code isn't counted.
            #expect(try await statuses(common, 80, "192.0.2.1") == [201: 80])
            let guesses = try await statuses("0000-0000-0000", EnrolmentTries.perAddress * 3, "192.0.2.2")
            #expect(guesses[429] ?? 0 > EnrolmentTries.perAddress)
            #expect(try await statuses(common, 1, "192.0.2.3") == [201: 1])
        }
    }

    @Test(arguments: Backend.installed)
    func `A stay is taken when the floor's gateways heard the phone's proof then, and at no other time or floor`(
        backend: Backend
    ) async throws {
        var phones = PhoneSettings()
        (phones.needsCode, phones.proofUUID) = (false, ProximityUUID(Self.proofUUID))
        try await TestAPI.with(backend, phones: phones) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...1, sequence: 1)
            func post(_ phone: TestAPI.Phone, minor: Int = 1) async throws -> String {
                try await api.post("/v1/interactions", batch(phone, 228...238, minor: minor), secret: phone.secret).text
            }
            #expect(try await post(ben).contains("unproven"))
            let epoch = (morning + 230 * 60) / PhoneProof.epoch
            func proof(_ phone: TestAPI.Phone, _ epoch: Int64) throws -> SubjectIdentity {
                let beacon = PhoneProof.beacon(
                    uuid: try #require(phones.proofUUID), secret: phone.secret, epoch: epoch)
                return try #require(SubjectIdentity(kind: "badge", id: beacon.description))
            }
            // Somebody else's, one of an hour before, one that was heard before or at its beginning only, and one on another
            // floor prove nothing.
            try api.hear(proof(ann, epoch), 237...238, sequence: 2)
            try api.hear(proof(ben, epoch - 4), 237...238, sequence: 3)
            try api.hear(proof(ben, epoch), 160...161, sequence: 4)
            try api.hear(proof(ben, epoch), 228...235, sequence: 6)
            try api.hear(
                proof(ben, epoch), 237...238, sequence: 1, beacon: TestAPI.beacon + "2", gateway: "west", floor: "2")
            #expect(try await post(ben).contains("unproven"))
            try api.hear(proof(ben, epoch), 236...237, sequence: 7)
            #expect(try await post(ben).contains(#""stored":11"#))
            // Proofs are nobody.
            let subjects = try api.store.use { try $0.numbers(of: [proof(ben, epoch), proof(ann, epoch)]) }
            #expect(subjects.isEmpty)
            // They are forgotten after a day.
            api.clock.withLock { $0 += 3 * 86_400 }
            _ = try api.store.use { try $0.enforceRetention(days: 14, now: api.clock.withLock { $0 }) }
            api.clock.withLock { $0 -= 3 * 86_400 }
            #expect(try await post(ann).contains("unproven"))
        }
    }

    // They pushed what had been told out of the thousand that were read.
    @Test func `A thousand exposures of today take nothing from what a phone is told of yesterday`() async throws {
        try await TestAPI.with(phones: PhoneSettings()) { api in
            let ann = try await visit(api)
            let ben = try await enrol(api, try code(api))
            try await report(ann, api)
            api.clock.withLock { $0 += 86_400 }
            let now = api.clock.withLock { $0 }
            let matching = ReportMatching(policy: api.policy, phoneDelay: api.phones.tellingDelay)
            try api.store.use { store in
                let report = try #require(try store.reports(since: 0).first)
                let place = try #require(try store.placeBeacons().first.map { _ in Int64(1) })
                let exposures = (0..<1100).map { index in
                    let start = index == 0 ? now - 86_400 : now - 1200 + Int64(index)
                    return ExposureSummary(
                        subject: ben.identity, place: place, start: start, end: start + 60, minutes: 30)
                }
                _ = try store.setExposures(exposures, of: report.number)
                for stale in try store.staleNotices() { try matching.announce(stale, in: store, now: now) }
                let notice = try #require(try store.notice(for: ben.identity))
                #expect(notice.days == 1, "\(notice)")
            }
        }
    }

    // Whoever had the database and the store's secret could see where the phone had been.
    @Test(arguments: Backend.installed)
    func `What was heard of a phone's proofs goes when the phone is erased`(backend: Backend) async throws {
        var phones = PhoneSettings()
        (phones.needsCode, phones.proofUUID) = (false, ProximityUUID(Self.proofUUID))
        try await TestAPI.with(backend, phones: phones) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...1, sequence: 1)
            let uuid = try #require(phones.proofUUID)
            let beacon = PhoneProof.beacon(
                uuid: uuid, secret: ben.secret, epoch: (morning + 230 * 60) / PhoneProof.epoch)
            try api.hear(
                try #require(SubjectIdentity(kind: "badge", id: beacon.description)), 228...238, sequence: 2)
            let (now, secrets) = (api.clock.withLock { $0 }, api.secrets)
            let proofs = secrets.proofs(of: ben.identity, version: 0, uuid: uuid, now: now)
            #expect(proofs.contains(beacon.description))
            // Of somebody else here, so that Ben may still ask.
            let erasure = try api.store.use { try $0.erase(ann.identity, proofs: proofs, now: now) }
            #expect(erasure.isComplete)
            let text = try await api.post("/v1/interactions", batch(ben, 228...238), secret: ben.secret).text
            #expect(text.contains("unproven"), "\(text)")
        }
    }

    // A phone that was lost couldn't be erased, and its proofs stayed.
    @Test(arguments: [[true], [false, false, false], [false, true]])
    func `A phone's proofs are found under its former secrets, also when the last was revoked`(
        revocations: [Bool]
    ) async throws {
        var phones = PhoneSettings()
        (phones.needsCode, phones.proofUUID) = (false, ProximityUUID(Self.proofUUID))
        try await TestAPI.with(phones: phones) { api in
            let ben = try await api.newPhone()
            let uuid = try #require(phones.proofUUID)
            let beacon = PhoneProof.beacon(
                uuid: uuid, secret: ben.secret, epoch: (morning + 230 * 60) / PhoneProof.epoch)
            try api.hear(
                try #require(SubjectIdentity(kind: "badge", id: beacon.description)), 228...238, sequence: 2)
            let (now, secrets) = (api.clock.withLock { $0 }, api.secrets)
            var version: Int64 = 0
            for isRevoked in revocations {
                version = try api.store.use {
                    try $0.renewSecret(of: ben.identity, revoking: isRevoked, topicKey: "0a", now: now)
                }
            }
            #expect(try api.store.use { try $0.proofUUIDs() } == [uuid])
            let proofs = secrets.proofs(of: ben.identity, version: version, uuid: uuid, now: now)
            #expect(proofs.contains(beacon.description))
        }
    }

    // They had stayed for ever while the machine's clock wasn't synchronized.
    @Test(arguments: Backend.installed)
    func `Proofs that were heard are forgotten by the gateways' clocks too`(backend: Backend) async throws {
        var phones = PhoneSettings()
        (phones.needsCode, phones.proofUUID) = (false, ProximityUUID(Self.proofUUID))
        try await TestAPI.with(backend, phones: phones) { api in
            let (ann, uuid) = (try await api.newPhone(), try #require(phones.proofUUID))
            let beacon = PhoneProof.beacon(uuid: uuid, secret: ann.secret, epoch: morning / PhoneProof.epoch)
            try api.hear(try #require(SubjectIdentity(kind: "badge", id: beacon.description)), 0...5, sequence: 1)
            api.clock.withLock { $0 = morning + 5 * 86_400 }
            try api.hear(ann.identity, 4 * 1440...4 * 1440 + 5, sequence: 2)
            try api.store.use { store in
                #expect(try store.proofUUIDs() == [uuid])
                _ = try store.enforceRetention(days: 14, now: morning + 5 * 86_400, clockIsSynchronized: false)
                #expect(try store.proofUUIDs().isEmpty)
            }
        }
    }

    // Of a beacon that only the configuration names every floor of every site had counted.
    @Test(arguments: Backend.installed)
    func `A stay at a configured beacon is proven where gateways hear that beacon, and nowhere else`(
        backend: Backend
    ) async throws {
        var phones = PhoneSettings()
        (phones.needsCode, phones.proofUUID) = (false, ProximityUUID(Self.proofUUID))
        try await TestAPI.with(backend, phones: phones) { api in
            let ben = try await api.newPhone()
            let lab = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/9"
            let now = api.clock.withLock { $0 }
            try api.store.use { try $0.setFixedBeacons([lab: "Lab 9.01"], now: now) }
            func hear(_ subject: SubjectIdentity, _ minutes: ClosedRange<Int64>, floor: String, _ sequence: UInt64)
                throws
            {
                try api.hear(
                    subject, minutes, sequence: sequence, room: nil, beacon: TestAPI.beacon + floor,
                    gateway: "g\(floor)", floor: floor)
            }
            func post(_ minor: Int) async throws -> String {
                try await api.post("/v1/interactions", batch(ben, 228...238, minor: minor), secret: ben.secret).text
            }
            let beacon = PhoneProof.beacon(
                uuid: try #require(phones.proofUUID), secret: ben.secret,
                epoch: (morning + 230 * 60) / PhoneProof.epoch)
            let proof = try #require(SubjectIdentity(kind: "badge", id: beacon.description))
            let hanging = try #require(SubjectIdentity(kind: "badge", id: lab))
            try hear(proof, 228...238, floor: "2", 1)
            // By that it is known which beacon hangs on the second floor.
            try hear(try #require(SubjectIdentity(kind: "badge", id: TestAPI.beacon + "7")), 0...10, floor: "2", 2)
            // Nobody knows where it hangs; then it is heard upstairs.
            #expect(try await post(9).contains("unproven"))
            try hear(hanging, 0...100, floor: "9", 1)
            #expect(try await post(9).contains("unproven"))
            try hear(proof, 228...238, floor: "9", 2)
            #expect(try await post(9).contains(#""stored":11"#))
            // Who is there isn't on another floor then.
            let text = try await post(12)
            #expect(text.contains("elsewhere"), "\(text)")
        }
    }

    @Test func `A phone isn't on two floors at once, nor at more places than are in reach`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            for minor in 1...12 {
                try api.hear(
                    ann.identity, Int64(minor)...Int64(minor + 1), sequence: UInt64(minor),
                    beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/\(minor)", gateway: "g\(minor)",
                    floor: minor == 12 ? "2" : "1")
            }
            func post(_ minor: Int) async throws -> String {
                try await api.post("/v1/interactions", batch(ben, 200...210, minor: minor), secret: ben.secret).text
            }
            for minor in 1...8 { #expect(try await post(minor).contains(#""stored":11"#), "\(minor)") }
            #expect(try await post(9).contains("elsewhere"))
            let text = try await post(12)
            #expect(text.contains("elsewhere"), "\(text)")
            // The same again is the same.
            #expect(try await post(3).contains(#""stored":11"#))
            let dora = try await api.newPhone()
            // Heard through the ceiling: the nearest counts, in whatever order they are told.
            let both = [12, 3].flatMap { minor in
                (200...210).map { minute in
                    #"{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":1,"minor":\#(minor),"distance":\#(minor == 12 ? 6 : 1),"timestamp":"\#(time(Int64(minute)))"}"#
                }
            }
            let nearest = try await api.post(
                "/v1/interactions", #"{"phone":"\#(dora.id)","interactions":[\#(both.joined(separator: ","))]}"#,
                secret: dora.secret)
            #expect(nearest.text.contains(#""stored":11"#), "\(nearest.text)")
            #expect(nearest.text.contains(#"{"index":0,"reason":"elsewhere"}"#), "\(nearest.text)")
            let cleo = try await api.newPhone()
            let upstairs = try await api.post(
                "/v1/interactions", batch(cleo, 200...210, minor: 12), secret: cleo.secret)
            #expect(upstairs.text.contains(#""stored":11"#))
        }
    }

    @Test(arguments: Backend.installed)
    func `A code enrols as many phones as it may, however many ask at once`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            try store.issue(codes: ["A"], label: "one", uses: 3, expires: 100, now: 0)
            let enrolled = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await DedicatedThread.run(name: "enrolment") {
                            Result {
                                let store = try InteractionStore.open(location)
                                return try (0..<3).count { _ in try store.enrol(code: "A", now: 50) }
                            }
                        }.get()
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(enrolled == 3)
            try store.issue(codes: ["B"], label: "two", uses: 3, expires: 100, now: 0)
            #expect(try !store.enrol(code: "B", now: 100) && !store.enrol(code: "C", now: 50))
            #expect(try store.enrolments().map(\.used) == [3, 0])
            #expect(try store.revokeEnrolment(label: "two") == 1)
            #expect(try !store.enrol(code: "B", now: 50))
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
