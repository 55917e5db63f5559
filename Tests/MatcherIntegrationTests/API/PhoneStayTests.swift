import BeaconModel
import InteractionStore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore

@Suite("Stays that phones tell of", .timeLimit(.minutes(10))) struct PhoneStayTests {
    @Test(arguments: Backend.installed)
    func `A stay is taken when the floor's gateways heard the phone's proof then, and at no other time or floor`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend, phones: .proving) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...1, sequence: 1)
            func post(_ phone: TestAPI.Phone, minor: Int = 1) async throws -> String {
                try await api.post("/v1/interactions", phone.batch(228...238, minor: minor), secret: phone.secret).text
            }
            #expect(try await post(ben).contains("unproven"))
            let epoch = (morning + 230 * 60) / PhoneProof.epoch
            func proof(_ phone: TestAPI.Phone, _ epoch: Int64) throws -> SubjectIdentity {
                try #require(SubjectIdentity(kind: "badge", id: phone.proof(in: epoch).description))
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

    // Of a beacon that only the configuration names every floor of every site had counted.
    @Test(arguments: Backend.installed)
    func `A stay at a configured beacon is proven where gateways hear that beacon, and nowhere else`(
        backend: Backend
    ) async throws {
        try await TestAPI.with(backend, phones: .proving) { api in
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
                try await api.post("/v1/interactions", ben.batch(228...238, minor: minor), secret: ben.secret).text
            }
            let beacon = try ben.proof(at: 230)
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
                try await api.post("/v1/interactions", ben.batch(200...210, minor: minor), secret: ben.secret).text
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
                    #"{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":1,"minor":\#(minor),"distance":\#(minor == 12 ? 6 : 1),"timestamp":"\#(TestAPI.time(Int64(minute)))"}"#
                }
            }
            let nearest = try await api.post(
                "/v1/interactions", #"{"phone":"\#(dora.id)","interactions":[\#(both.joined(separator: ","))]}"#,
                secret: dora.secret)
            #expect(nearest.text.contains(#""stored":11"#), "\(nearest.text)")
            #expect(nearest.text.contains(#"{"index":0,"reason":"elsewhere"}"#), "\(nearest.text)")
            let cleo = try await api.newPhone()
            let upstairs = try await api.post(
                "/v1/interactions", cleo.batch(200...210, minor: 12), secret: cleo.secret)
            #expect(upstairs.text.contains(#""stored":11"#))
        }
    }
}
