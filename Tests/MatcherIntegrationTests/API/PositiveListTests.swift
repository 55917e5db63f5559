import Crypto
import InteractionStore
import JWTKit
import Matching
import SystemIO
import Testing

@testable import MatcherCore

@Suite("The list of positives") struct PositiveListTests {
    private let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    private let noon = morning + 4 * 3600

    // From midnight to 12:00 there are 144 epochs of five minutes with 32 slots each, 4608. A day has 288 epochs, 9216.
    @Test func `What is shown grows with the time only`() {
        let day = noon / 86_400
        #expect(PositiveList.slots(of: .id, day: day, now: noon).count == 4608)
        #expect(PositiveList.slots(of: .id, day: day, now: noon + 299).count == 4608)
        #expect(PositiveList.slots(of: .id, day: day, now: noon + 300).count == 4640)
        #expect(PositiveList.slots(of: .id, day: day - 1, now: noon).count == 9216)
        #expect(PositiveList.slots(of: .id, day: day, now: day * 86_400).isEmpty)
    }

    // What is given a slot at 12:00 is in the epoch of 12:05, which is shown from 12:10 on.
    @Test(arguments: PositiveScheme.allCases)
    func `No slot is given that was shown, even when that takes minutes`(scheme: PositiveScheme) {
        let day = noon / 86_400
        let open = PositiveList.openSlots(of: scheme, now: noon)
        #expect(open.count == Int(scheme.slotsPerEpoch))
        #expect(PositiveList.slots(of: scheme, day: day, now: noon + 599).upperBound <= open.lowerBound)
        #expect(PositiveList.slots(of: scheme, day: day, now: noon + 600).upperBound == open.upperBound)
    }

    @Test(arguments: PositiveScheme.allCases)
    func `Filler has the form of what it hides, and stays the same`(scheme: PositiveScheme) {
        let slots = PositiveList.slots(of: scheme, day: noon / 86_400, now: noon)
        let entries = PositiveList.entries(of: scheme, slots: slots, published: [:], key: key)
        #expect(entries == PositiveList.entries(of: scheme, slots: slots, published: [:], key: key))
        #expect(Set(entries).count == entries.count)
        for (slot, entry) in zip(slots, entries) {
            // A slot may have what its filler looks like.
            #expect(scheme.admits(entry, slot: slot))
            if scheme == .id { #expect(entry.utf8.count == PositiveScheme.digest(kind: "herald", id: "1").utf8.count) }
        }
        let first = slots.lowerBound
        let real = PositiveList.entries(of: scheme, slots: slots, published: [first + 3: "x"], key: key)
        #expect(real[3] == "x")
        #expect(zip(real, entries).count { $0 != $1 } == 1)
    }

    // Each epoch has a slot for each of the 14 days that are over.
    @Test func `The days of seeds are the same in every epoch, whoever reports`() {
        let day = noon / 86_400
        let slots = PositiveList.openSlots(of: .c19x, now: noon)
        for back in 1...Int64(14) {
            let entry = PositiveScheme.seedEntry(day: day - back, seed: 5)
            #expect(slots.count { PositiveScheme.c19x.admits(entry, slot: $0) } == 1)
        }
        // By a seed of today somebody would be recognised by what their phone says next.
        for other in [day + 1, day, day - 15] {
            let entry = PositiveScheme.seedEntry(day: other, seed: 5)
            #expect(!slots.contains { PositiveScheme.c19x.admits(entry, slot: $0) })
        }
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

    /// A confirmed report of a phone and of one code that it said.
    ///
    /// - Returns: what the list has of the code.
    private func report(_ phone: TestAPI.Phone, code: UInt64, _ api: TestAPI) async throws -> String {
        let commitment = try await api.commitment(
            phone, app: "herald", registered: morning - 86_400,
            [(code: code, since: "2026-11-02T00:00:00Z", until: "2026-11-02T01:00:00Z")])
        let answer = try await api.report(phone, #","commitments":[\#(commitment)]"#)
        #expect(answer.status == 201, "\(answer.text)")
        return PositiveScheme.digest(kind: "herald", id: "\(code)")
    }

    @Test(arguments: Backend.installed)
    func `Who reported is listed in the next epoch, in the place of filler, and stays there`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let ann = try await api.newPhone()
            let entry = try await report(ann, code: 1, api)
            let (before, _) = try await page(api)
            #expect(before.entries["id"]?.contains(entry) == false)
            try api.publish()
            api.clock.withLock { $0 += 599 }
            #expect(try await page(api).0.entries["id"]?.contains(entry) == false)
            api.clock.withLock { $0 += 1 }
            let (after, _) = try await page(api)
            let (old, new) = (before.entries["id"] ?? [], after.entries["id"] ?? [])
            #expect(new.count == old.count + 64)
            #expect(Array(new.prefix(old.count)) == old)
            #expect(new.suffix(32).contains(entry))
        }
    }

    // One entry that becomes filler tells who was erased.
    @Test(arguments: Backend.installed)
    func `What was shown stays as it is when somebody is erased, and what wasn't shown never is`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let entryOfAnn = try await report(ann, code: 1, api)
            try api.publish()
            api.clock.withLock { $0 += 600 }
            let entryOfBen = try await report(ben, code: 2, api)
            let shown = try await page(api).0.entries["id"] ?? []
            #expect(shown.contains(entryOfAnn))
            for phone in [ann, ben] {
                let erasure = try api.store.use { try $0.erase(phone.identity, now: api.clock.withLock { $0 }) }
                #expect(erasure.isComplete)
            }
            try api.publish()
            #expect(try await page(api).0.entries["id"] ?? [] == shown)
            api.clock.withLock { $0 += 600 }
            let later = try await page(api).0.entries["id"] ?? []
            #expect(Array(later.prefix(shown.count)) == shown && !later.contains(entryOfBen))
            _ = try api.store.use { try $0.enforceRetention(days: 14, now: api.clock.withLock { $0 }) }
            #expect(try await page(api).0.entries["id"] ?? [] == later)
            // It isn't kept for ever.
            api.clock.withLock { $0 += 16 * 86_400 }
            try api.publish()
            let slots = PositiveList.slots(of: .id, day: 20_759, now: api.clock.withLock { $0 })
            #expect(try api.store.use { try $0.published(scheme: "id", slots: slots) }.isEmpty)
        }
    }

    // Phones that heard Ann would go on warning of her. That her entry is the one that changes is the price (docs/privacy.md).
    @Test(arguments: Backend.installed)
    func `What was shown of a report that is taken back becomes filler at once, and nothing else changes`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let entryOfAnn = try await report(ann, code: 1, api)
            let entryOfBen = try await report(ben, code: 2, api)
            try api.publish()
            api.clock.withLock { $0 += 600 }
            let shown = try await page(api).0.entries["id"] ?? []
            let taken = try api.store.use { store in
                try store.reports(since: 0).first { $0.subjects.contains { $0.identity == ann.identity } }
            }
            try api.decide(.withdrawn, try #require(taken).reference, by: "Olga Officer")
            api.clock.withLock { $0 += 300 }
            let left = try await page(api).0.entries["id"] ?? []
            let changed = zip(shown, left).filter { $0 != $1 }
            #expect(changed.map(\.0) == [entryOfAnn])
            #expect(!left.contains(entryOfAnn) && left.contains(entryOfBen))
        }
    }

    private struct Index: JWTPayload {
        var days: [String]
        var schemes: [String]
        var epochSeconds: Int

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test func `The index of the list is signed, and names each day that can be fetched`() async throws {
        try await TestAPI.with { api in
            let answer = try await api.get("/v1/positives")
            let keys = JWTKeyCollection()
            _ = try await keys.add(jwksJSON: try await api.get("/v1/keys").text)
            let index = try await keys.verify(answer.text, as: Index.self)
            #expect(index.days.count == 14 && index.days.first == "2026-11-02" && index.days.last == "2026-10-20")
            #expect(index.schemes == PositiveScheme.allCases.map(\.rawValue) && index.epochSeconds == 300)
            for day in index.days { #expect(try await api.get("/v1/positives/\(day)").status == 200) }
            #expect(try await api.get("/v1/positives/2026-10-19").status == 404)
            let tag = try #require(answer.headers["etag"])
            #expect(try await api.get("/v1/positives", tag: tag).status == 304)
        }
    }

    // What a phone does with an entry: the codes of that day follow from its seed, and one of them is what it heard.
    @Test(arguments: Backend.installed)
    func `A seed that was reported is listed with its day, and codes that phones heard follow from it`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend) { api in
            let ann = try await api.newPhone()
            let seed = #","seeds":[{"scheme":"c19x","day":"2026-10-31","seed":"-77"}]"#
            let token = try await api.token(api.claims(of: ann))
            let body = api.reportBody(ann, verification: token, more: seed)
            #expect(try await api.post("/v1/reports", body).status == 201)
            try api.publish()
            api.clock.withLock { $0 += 600 }
            let entries = try #require(try await page(api).0.entries["c19x"])
            // Day 20757 is 2026-10-31.
            let entry = try #require(entries.first { $0 == "20757/-77" })
            let listed = try #require(entry.split(separator: "/").last.flatMap { Int64($0) })
            let heard = C19XCodes.beaconCodes(seed: -77)[200]
            #expect(C19XCodes.beaconCodes(seed: listed).contains(heard))
        }
    }

    // 32 entries an epoch, and half of them of one report: of 40 codes of one and one of another the latter doesn't wait behind
    // the former.
    @Test func `Who reports much doesn't keep others waiting`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let codes = (0..<40).map {
                (code: UInt64($0), since: "2026-11-02T00:00:00Z", until: "2026-11-02T01:00:00Z")
            }
            let commitment = try await api.commitment(ann, app: "herald", registered: morning - 86_400, codes)
            #expect(try await api.report(ann, #","commitments":[\#(commitment)]"#).status == 201)
            let entryOfBen = try await report(ben, code: 40, api)
            try api.publish()
            api.clock.withLock { $0 += 600 }
            let listed = try await page(api).0.entries["id"] ?? []
            #expect(listed.contains(entryOfBen))
            let all = Set((0..<40).map { PositiveScheme.digest(kind: "herald", id: "\($0)") })
            #expect(all.intersection(listed).count == 16)
            for _ in 0..<2 {
                try api.publish()
                api.clock.withLock { $0 += 600 }
            }
            #expect(all.isSubset(of: try await page(api).0.entries["id"] ?? []))
        }
    }

    // Rosters and a proxy's log have ids of phones: whoever reads those had found in the public list who is positive.
    @Test(arguments: Backend.installed)
    func `Whoever knows a phone's id finds nothing of it in the list`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let entry = try await report(ann, code: 1, api)
            try api.hear(ben.identity, 0...20, sequence: 1)
            let filed = try await TestMatcher.run([
                "report", ben.identity.description, "--test-date", "2026-11-01", "--as-of", "2026-11-02T12:00:00Z",
                "--store", api.locationText,
            ])
            #expect(filed.status == 0, "\(filed)")
            #expect(try api.reports() == 2)
            try api.publish()
            api.clock.withLock { $0 += 600 }
            let listed = try await page(api).0.entries["id"] ?? []
            #expect(listed.contains(entry))
            for phone in [ann, ben] {
                #expect(!listed.contains(PositiveScheme.digest(kind: "phone", id: phone.id)))
            }
        }
    }

    @Test func `What nobody vouches for, and a badge, aren't listed`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            #expect(try await api.post("/v1/reports", api.reportBody(ann)).status == 201)
            let badge = try #require(SubjectIdentity("badge:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/5/6"))
            var claims = api.claims(of: ann)
            claims.sub = badge.description
            let token = try await api.token(claims)
            let body =
                #"{"subjects":[{"kind":"badge","id":"\#(badge.id)","secret":"\#(api.secrets.secret(of: badge))"}],"verification":"\#(token)"}"#
            #expect(try await api.post("/v1/reports", body).status == 201)
            try api.publish()
            api.clock.withLock { $0 += 600 }
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
        let now = clock.withLock { $0 }
        for scheme in PositiveScheme.allCases {
            try store.use { store in
                try store.publish(scheme: scheme.rawValue, slots: PositiveList.openSlots(of: scheme, now: now)) {
                    scheme.admits($1, slot: $0)
                }
            }
        }
    }
}
