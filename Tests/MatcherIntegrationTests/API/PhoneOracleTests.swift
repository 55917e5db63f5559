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
    /// What 16 phones are answered that were beside the beacon for half an hour each, the first from 8:00 on.
    private func invent(_ phones: [TestAPI.Phone], _ api: TestAPI) async throws -> [String] {
        var answers: [String] = []
        for (slot, phone) in phones.enumerated() {
            let minutes = Int64(slot) * 30...Int64(slot) * 30 + 29
            answers.append(try await api.post("/v1/interactions", phone.batch(minutes), secret: phone.secret).text)
        }
        return answers
    }

    /// Ann's visits are 9:10 to 9:50 and 13:10 to 13:50. She reports at 16:00.
    private static let visits: [ClosedRange<Int64>] = [70...110, 310...350]
    /// Beside them are the half hours from 9:00, 9:30, 13:00 and 13:30 on.
    private static let slotsOfVisits = [2, 3, 10, 11]

    private func visit(_ api: TestAPI) async throws -> TestAPI.Phone {
        api.clock.withLock { $0 = morning + 8 * 3600 }
        let ann = try await api.enrol(try api.enrolmentCode())
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
            let common = try api.enrolmentCode(uses: 16)
            var phones: [TestAPI.Phone] = []
            for _ in 0..<16 { phones.append(try await api.enrol(common)) }
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

    // They pushed what had been told out of the thousand that were read.
    @Test func `A thousand exposures of today take nothing from what a phone is told of yesterday`() async throws {
        try await TestAPI.with(phones: PhoneSettings()) { api in
            let ann = try await visit(api)
            let ben = try await api.enrol(try api.enrolmentCode())
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
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
