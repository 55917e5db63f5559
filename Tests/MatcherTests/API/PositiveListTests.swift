import Crypto
import InteractionStore
import JWTKit
import Matching
import SystemIO
import Testing

@testable import Matcher

@Suite("The list of positives") struct PositiveListTests {
    private let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    private let noon = morning + 4 * 3600

    // From midnight to 12:00 there are 144 epochs of five minutes with 4 slots each; at 12:00 the epoch that begins isn't
    // shown yet, so there are 576. A day has 1152.
    @Test func `What is shown grows with the time only`() {
        let day = noon / 86_400
        #expect(PositiveList.slots(ofDay: day, now: noon).count == 576)
        #expect(PositiveList.slots(ofDay: day, now: noon + 299).count == 576)
        #expect(PositiveList.slots(ofDay: day, now: noon + 300).count == 580)
        #expect(PositiveList.slots(ofDay: day - 1, now: noon).count == 1152)
        #expect(PositiveList.slots(ofDay: day, now: day * 86_400).isEmpty)
        #expect(PositiveList.openSlots(now: noon).lowerBound == PositiveList.slots(ofDay: day, now: noon).upperBound)
    }

    @Test(arguments: PositiveScheme.allCases)
    func `Filler has the form of what it hides, and stays the same`(scheme: PositiveScheme) {
        let slots: Range<Int64> = 1000..<1400
        let entries = PositiveList.entries(of: scheme, slots: slots, day: 20_000, published: [:], key: key)
        #expect(entries == PositiveList.entries(of: scheme, slots: slots, day: 20_000, published: [:], key: key))
        #expect(Set(entries).count == 400)
        for entry in entries {
            switch scheme {
            case .id: #expect(entry.utf8.count == PositiveScheme.digest(kind: "phone", id: "x").utf8.count)
            case .c19x:
                let parts = entry.split(separator: "/").compactMap { Int64($0) }
                #expect(parts.count == 2 && (19_987...20_000).contains(parts[0]))
            }
        }
        let real = PositiveList.entries(of: scheme, slots: slots, day: 20_000, published: [1003: "x"], key: key)
        #expect(real[3] == "x")
        #expect(zip(real, entries).count { $0 != $1 } == 1)
    }

    private struct Page: JWTPayload {
        var day: String
        var entries: [String: [String]]

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// What the day's page holds, by its signature.
    private func page(_ api: TestAPI, _ tag: String? = nil) async throws -> (Page, TestAPI.Answer) {
        let answer = try await api.get("/v1/positives/2026-11-02", tag: tag)
        let keys = JWTKeyCollection()
        _ = try await keys.add(jwksJSON: try await api.get("/v1/keys").text)
        return (try await keys.verify(answer.text, as: Page.self), answer)
    }

    @Test(arguments: Backend.installed)
    func `Who reported is listed in the next epoch, in the place of filler, and stays there`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let ann = try await api.newPhone()
            let entry = PositiveScheme.digest(kind: "phone", id: ann.id)
            let token = try await api.token(api.claims)
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            let (before, _) = try await page(api)
            #expect(before.entries["id"]?.contains(entry) == false)
            try api.publish()
            #expect(try await page(api).0.entries == before.entries)
            api.clock.withLock { $0 += 300 }
            let (after, _) = try await page(api)
            let (old, new) = (before.entries["id"] ?? [], after.entries["id"] ?? [])
            #expect(new.count == old.count + 4)
            #expect(Array(new.prefix(old.count)) == old)
            #expect(new.suffix(4).contains(entry))
            #expect(after.entries["c19x"]?.count == new.count)
        }
    }

    @Test func `Six who report at once take two epochs, and none is lost`() async throws {
        try await TestAPI.with { api in
            var entries: Set<String> = []
            for number in 0..<6 {
                let phone = try await api.newPhone()
                entries.insert(PositiveScheme.digest(kind: "phone", id: phone.id))
                var claims = api.claims
                claims.jti = "\(number)"
                let token = try await api.token(claims)
                #expect(try await api.post("/v1/reports", api.reportBody(phone, verification: token)).status == 201)
            }
            for listed in [0, 4, 6] {
                #expect(Set(try await page(api).0.entries["id"] ?? []).intersection(entries).count == listed)
                try api.publish()
                api.clock.withLock { $0 += 300 }
            }
        }
    }

    @Test func `What nobody vouches for, and a badge, aren't listed`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            #expect(try await api.post("/v1/reports", api.reportBody(ann)).status == 201)
            let badge = try #require(SubjectIdentity("badge:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/5/6"))
            let token = try await api.token(api.claims)
            let body =
                #"{"subjects":[{"kind":"badge","id":"\#(badge.id)","secret":"\#(api.secrets.secret(of: badge))"}],"verification":"\#(token)"}"#
            #expect(try await api.post("/v1/reports", body).status == 201)
            try api.publish()
            api.clock.withLock { $0 += 300 }
            let listed = try await page(api).0.entries["id"] ?? []
            #expect(!listed.contains(PositiveScheme.digest(kind: "phone", id: ann.id)))
            #expect(!listed.contains(PositiveScheme.digest(kind: "badge", id: badge.id)))
        }
    }

    @Test func `Who has the page already is sent nothing until it changes`() async throws {
        try await TestAPI.with { api in
            let (_, first) = try await page(api)
            let tag = try #require(first.headers["etag"])
            #expect(first.headers["cache-control"] == "public, max-age=300")
            let again = try await api.get("/v1/positives/2026-11-02", tag: "\"other\", \(tag)")
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            api.clock.withLock { $0 += 100 }
            #expect(try await api.get("/v1/positives/2026-11-02", tag: tag).status == 304)
            api.clock.withLock { $0 += 200 }
            #expect(try await api.get("/v1/positives/2026-11-02", tag: tag).status == 200)
            // A day that is over doesn't change.
            let yesterday = try #require(try await api.get("/v1/positives/2026-11-01").headers["etag"])
            api.clock.withLock { $0 += 3000 }
            #expect(try await api.get("/v1/positives/2026-11-01", tag: yesterday).status == 304)
        }
    }

    @Test func `The list has 14 days`() async throws {
        try await TestAPI.with { api in
            let first = try await api.get("/v1/positives/2026-10-20")
            #expect(first.status == 200)
            for day in ["2026-10-19", "2026-11-03", "today", "2026-11-02x", "%00"] {
                let answer = try await api.get("/v1/positives/\(day)")
                #expect(answer.status == 404, "\(day)")
            }
        }
    }
}

extension TestAPI {
    /// Gives waiting entries their slots, as the daemon does.
    func publish() throws {
        let slots = PositiveList.openSlots(now: clock.withLock { $0 })
        for scheme in PositiveScheme.allCases {
            try store.use { try $0.publish(scheme: scheme.rawValue, slots: slots) }
        }
    }
}
