import Evidence
import InteractionStore
import Matching
import OperatorText
import SystemIO
import Testing

@testable import MatcherCore

@Suite("What phones ranged themselves, over HTTP") struct PhoneTests {
    private func body(_ phone: TestAPI.Phone, _ readings: [String]) -> String {
        #"{"phone":"\#(phone.id)","interactions":[\#(readings.joined(separator: ","))]}"#
    }

    /// A reading at a minute of the morning, 1.2 m from the beacon.
    private func reading(
        _ minute: Int64, distance: String = "1.2", minor: String = "1", proximity: String = #""near""#
    ) -> String {
        let time = InstantText.utc(morning + minute * 60)
        return
            #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":\#(minor),"proximity":\#(proximity),"distance":\#(distance),"timestamp":"\#(time)"}"#
    }

    // Ann's badge is heard 8:00-8:20. Ben's phone ranges the beacon every minute from 8:05 to 8:15: ten minutes together.
    @Test(arguments: Backend.installed)
    func `A phone that ranged the beacon itself meets whom the gateway heard`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...20, sequence: 1)
            let batch = body(ben, (5...15).map { reading($0) })
            let answer = try await api.post("/v1/interactions", batch, secret: ben.secret)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text == #"{"refused":[],"stored":11}"#)
            let token = try await api.token(api.claims(of: ann))
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            try api.match()
            let exposures = try await api.get(ben.path + "/exposures", secret: ben.secret)
            #expect(exposures.text.contains(#""start":"2026-11-02T00:00:00Z""#), "\(exposures.text)")
            #expect(try api.store.use { try $0.exposures(of: ben.identity) }.map(\.minutes) == [10])
        }
    }

    @Test func `The same batch again, out of order or longer, is one stay`() async throws {
        try await TestAPI.with { api in
            let ben = try await api.newPhone()
            try api.hear(try await api.newPhone().identity, 0...1, sequence: 1)
            let batches: [[Int64]] = [[5, 6, 7], [7, 5, 6], [5, 6, 7, 8, 9], [5, 6]]
            for readings in batches {
                let batch = body(ben, readings.map { reading($0) })
                #expect(try await api.post("/v1/interactions", batch, secret: ben.secret).status == 200)
            }
            let stays = try api.stays()
            #expect(stays.filter { $0.start == morning + 300 }.map(\.end) == [morning + 540])
            #expect(stays.count == 2)
        }
    }

    @Test func `What can't be stored is said by its index, and the rest is stored`() async throws {
        try await TestAPI.with { api in
            let ben = try await api.newPhone()
            try api.hear(try await api.newPhone().identity, 0...1, sequence: 1)
            // 12:00 is now; 15 days before it is older than interactions are kept.
            let readings = [reading(10), reading(10, minor: "7"), reading(245), reading(-15 * 1440), reading(11)]
            let answer = try await api.post("/v1/interactions", body(ben, readings), secret: ben.secret)
            #expect(answer.status == 200)
            #expect(
                answer.text
                    == #"{"refused":[{"index":1,"reason":"unknown-beacon"},{"index":2,"reason":"future"},{"index":3,"reason":"expired"}],"stored":2}"#
            )
            #expect(try api.stays().count == 2)
        }
    }

    // Ann 8:00-8:20, Ben 8:05-8:15, at a beacon of which no gateway has told.
    @Test(arguments: Backend.installed)
    func `At a beacon that is configured phones meet, though no gateway tells of it`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let beacon = "\(TestAPI.beacon.dropLast(1))7"
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let ranged = body(ben, (5...15).map { reading($0, minor: "7") })
            #expect(try await api.post("/v1/interactions", ranged, secret: ben.secret).text.contains(#""stored":0"#))
            try api.store.use {
                try $0.setFixedBeacons([beacon: "HB 2"], now: morning)
                // The configuration was changed.
                try $0.setFixedBeacons([beacon: "HB 2.11"], now: morning)
            }
            for (phone, minutes) in [(ann, Int64(0)...20), (ben, 5...15)] {
                let batch = body(phone, minutes.map { reading($0, minor: "7") })
                let answer = try await api.post("/v1/interactions", batch, secret: phone.secret)
                #expect(answer.text.contains(#""refused":[]"#), "\(answer.text)")
            }
            let found = try api.store.use { store in
                try ExposureSearch(
                    subjects: [.init(identity: ann.identity, since: 0, until: morning + 86_400)],
                    positive: PositiveCase(reportType: .confirmed), policy: api.policy
                ).run(store).exposures
            }
            #expect(found.map(\.sharedSeconds) == [600])
            let names = try api.store.use { try $0.places(Set(found.map(\.place))) }
            #expect(names.values.map(\.room) == ["HB 2.11"])
            // What hangs there is no person: a gateway that hears it hears no badge.
            let badge = try #require(SubjectIdentity("badge:\(beacon)"))
            try api.hear(badge, 0...20, sequence: 1)
            let (fixed, number) = try api.store.use {
                (try $0.fixedSubjects(since: 0), try $0.numbers(of: [badge])[badge])
            }
            #expect(fixed.map(Optional.some) == [number])
            // What a gateway says of a room doesn't go before what is configured.
            try api.hear(ann.identity, 30...40, sequence: 2, room: "landing", beacon: beacon)
            let rooms = try api.store.use { try $0.places(Set(found.map(\.place))) }
            #expect(rooms.values.map(\.room) == ["HB 2.11"])
            #expect(rooms.values.map(\.gateway) == ["campus/main/1/east"])
        }
    }

    @Test func `Only with the phone's own secret`() async throws {
        try await TestAPI.with { api in
            let (ann, eve) = (try await api.newPhone(), try await api.newPhone())
            let batch = body(ann, [reading(1)])
            #expect(try await api.post("/v1/interactions", batch).status == 401)
            #expect(try await api.post("/v1/interactions", batch, secret: eve.secret).status == 401)
            #expect(try await api.post("/v1/interactions", batch, secret: ann.secret).status == 200)
            for path in ["risk", "exposures", "events"] {
                #expect(try await api.get("\(ann.path)/\(path)", secret: eve.secret).status == 401)
                #expect(try await api.get("\(ann.path)/\(path)").status == 401)
            }
        }
    }

    @Test(
        arguments: [
            #"{"uuid":"x","major":1,"minor":1,"timestamp":"2026-11-02T08:00:00Z"}"#,
            #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":65536,"minor":1,"timestamp":"2026-11-02T08:00:00Z"}"#,
            #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":-1,"minor":1,"timestamp":"2026-11-02T08:00:00Z"}"#,
            #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"timestamp":"now"}"#,
            #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"distance":-2,"timestamp":"2026-11-02T08:00:00Z"}"#,
            #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"distance":1e308,"timestamp":"2026-11-02T08:00:00Z"}"#,
        ])
    func `A reading that can't be refuses the batch`(reading: String) async throws {
        try await TestAPI.with { api in
            let ben = try await api.newPhone()
            try api.hear(try await api.newPhone().identity, 0...1, sequence: 1)
            let answer = try await api.post("/v1/interactions", body(ben, [reading]), secret: ben.secret)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(try api.stays().count == 1)
        }
    }

    // Core Location: CLProximity 0 is unknown, and accuracy -1.
    @Test(arguments: [(#""unknown""#, "1.2"), ("0", "1.2"), ("2", "-1"), (#""far""#, "-1")])
    func `A distance that the phone doesn't know isn't invented`(proximity: String, distance: String) throws {
        let decoded = try JSONBody.decode(
            PhoneReport.self,
            from: Array(
                #"{"phone":"x","interactions":[\#(reading(1, distance: distance, proximity: proximity))]}"#.utf8))
        let phone = try #require(SubjectIdentity(kind: "phone", id: "x"))
        #expect(try PhoneStays.stays(decoded.interactions, of: phone).stays.map(\.distance) == [nil])
    }

    // Readings at 0, 2 and 5 minutes: 120 s apart is one stay, 180 s two. The median of 1 m and 3 m is the lower.
    @Test func `Readings further apart than two minutes are two stays`() throws {
        let readings = [reading(5), reading(2, distance: "3"), reading(0, distance: "1")]
        let decoded = try JSONBody.decode(
            PhoneReport.self,
            from: Array(#"{"phone":"x","interactions":[\#(readings.joined(separator: ","))]}"#.utf8))
        let phone = try #require(SubjectIdentity(kind: "phone", id: "x"))
        let (stays, parts) = try PhoneStays.stays(decoded.interactions, of: phone)
        #expect(stays.map { ($0.start - morning) / 60 } == [0, 5])
        #expect(stays.map { ($0.end - morning) / 60 } == [2, 5])
        #expect(stays[0].distance == .init(centimetres: 100, lower: 40, upper: 250))
        #expect(parts == [1, 0, 0])
    }

    @Test func `Whoever asks too often waits, and others don't`() async throws {
        try await TestAPI.with(requestsPerMinute: 3) { api in
            var statuses: [Int] = []
            for _ in 0..<100 where !statuses.contains(429) { statuses.append(try await api.get("/v1/keys").status) }
            #expect(statuses.starts(with: [200, 200, 200]))
            #expect(statuses.last == 429)
            let seconds = try await api.get("/v1/keys").headers["retry-after"].flatMap { Int($0) }
            #expect((1...20).contains(seconds ?? 0))
        }
    }

    @Test func `A phone that sends too often waits wherever it is, and others don't`() async throws {
        try await TestAPI.with(requestsPerMinute: 20, isBehindProxy: true) { api in
            try api.hear(try #require(SubjectIdentity("phone:somebody")), 0...1, sequence: 1)
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            var statuses: [Int] = []
            for minute in 0..<Int64(200) where !statuses.contains(429) {
                // From another address each time.
                let answer = try await api.post(
                    "/v1/interactions", body(ann, [reading(minute)]), secret: ann.secret, for: "192.0.2.\(minute)")
                statuses.append(answer.status)
                if answer.status == 429 { #expect((1...60).contains(Int(answer.headers["retry-after"] ?? "") ?? 0)) }
            }
            #expect(statuses.count > 20)
            #expect(statuses.dropLast().allSatisfy { $0 == 200 } && statuses.last == 429, "\(statuses)")
            let other = try await api.post(
                "/v1/interactions", body(ben, [reading(1)]), secret: ben.secret, for: "192.0.2.1")
            #expect(other.status == 200)
        }
    }

    // Two requests a minute are 100 stays, of which 80 are spent, and 50 are asked for; readings three minutes apart are stays
    // of their own.
    @Test func `An address stores so many stays a minute, by however many phones`() async throws {
        try await TestAPI.with(requestsPerMinute: 2, isBehindProxy: true) { api in
            try api.hear(try #require(SubjectIdentity("phone:somebody")), 0...1, sequence: 1)
            let phones = [try await api.newPhone(), try await api.newPhone()]
            var statuses: [Int] = []
            for phone in phones {
                let batch = body(phone, (0..<80).map { reading($0 * 3) })
                let answer = try await api.post("/v1/interactions", batch, secret: phone.secret, for: "192.0.2.1")
                statuses.append(answer.status)
            }
            #expect(statuses == [200, 429])
            #expect(try api.stays().count == 81)
            let batch = body(phones[1], (0..<80).map { reading($0 * 3) })
            let other = try await api.post("/v1/interactions", batch, secret: phones[1].secret, for: "192.0.2.2")
            #expect(other.status == 200)
        }
    }

    // Ann reports at noon, and then has her phone tell of a morning beside everybody.
    @Test(arguments: Backend.installed)
    func `What a phone tells after its report exposes nobody by it`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ben.identity, 0...20, sequence: 1)
            let token = try await api.token(api.claims(of: ann))
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            let batch = body(ann, (0...20).map { reading($0) })
            let late = try await api.post("/v1/interactions", batch, secret: ann.secret)
            #expect(late.text.contains(#""reason":"reported""#) && late.text.contains(#""stored":0"#), "\(late.text)")
            // What comes after is stored, and isn't the report's.
            api.clock.withLock { $0 += 3600 }
            try api.hear(ben.identity, 250...290, sequence: 2)
            let later = try await api.post(
                "/v1/interactions", body(ann, (250...290).map { reading($0) }), secret: ann.secret)
            #expect(later.text.contains(#""stored":41"#), "\(later.text)")
            try api.match()
            #expect(try await api.get(ben.path + "/risk", secret: ben.secret).member("exposures") == "0")
        }
    }

    @Test func `An erased phone is gone, and stays gone`() async throws {
        try await TestAPI.with { api in
            let ben = try await api.newPhone()
            try api.hear(try await api.newPhone().identity, 0...1, sequence: 1)
            let batch = body(ben, [reading(5), reading(6)])
            #expect(try await api.post("/v1/interactions", batch, secret: ben.secret).status == 200)
            let token = try await api.token(api.claims(of: ben))
            #expect(try await api.post("/v1/reports", api.reportBody(ben, verification: token)).status == 201)
            let now = api.clock.withLock { $0 }
            let digest = PositiveScheme.digest(kind: "phone", id: ben.id)
            let erasure = try api.store.use { try $0.erase(ben.identity, listed: [digest], now: now) }
            #expect(erasure.isComplete, "\(erasure)")
            #expect(try api.reports() == 0)
            let again = try await api.post("/v1/interactions", batch, secret: ben.secret)
            #expect(again.status == 401)
            #expect(try api.stays().count == 1)
        }
    }
}

extension TestAPI {
    /// All of the morning, at the beacon.
    func stays() throws -> [Stay] {
        try store.use { store in
            try store.stays(
                at: try store.placeNumbers(named: [Self.beacon]), from: morning - 86_400 * 20, to: morning + 86_400,
                reportedByPhones: true)
        }
    }
}
