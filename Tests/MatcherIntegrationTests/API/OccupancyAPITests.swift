import CommandSupport
import Evidence
import InteractionStore
import Logging
import MQTTBridge
import Matching
import OperatorText
import Publishing
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Occupancy and attendance over HTTP") struct OccupancyAPITests {
    // Three phones are heard until noon, 1 m away with bounds of 0.5 to 2 m; the room's radius is 6 m. The standard deviation
    // of the logarithm is ln(4) / 3.29 = 0.421, and ln(6) / 0.421 = 4.25 deviations: as good as certainly inside.
    @Test(arguments: Backend.installed)
    func `Who was heard a moment ago is in the room, and on its floor`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            for sequence in 1...3 {
                let phone = try await api.newPhone()
                try api.hear(phone.identity, 200...240, sequence: UInt64(sequence))
            }
            // Gone for 10 minutes.
            try api.hear(try await api.newPhone().identity, 200...230, sequence: 4)
            api.gateways.heard("campus/main/1/east", now: morning + 4 * 3600)
            let answer = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
            #expect(answer.status == 200)
            let time =
                #""asOf":"2026-11-02T12:00:00Z","building":"main","by":"radius","expected":3,"floor":"1","isHeard":true,"lower":3"#
            #expect(
                answer.text
                    == #"[{\#(time),"site":"campus","upper":3},{\#(time),"room":"101","site":"campus","upper":3}]"#)
            api.clock.withLock { $0 += 91 }
            let later = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
            // Nobody, and the gateway hasn't said either that it works.
            #expect(later.text.contains(#""expected":0"#))
            #expect(later.text.contains(#""isHeard":false"#))
        }
    }

    // Two at a gateway of no room, two in 101: the floor has four.
    @Test func `Who is at a gateway of no room counts for its floor`() async throws {
        try await TestAPI.with { api in
            try api.hear(try await api.newPhone().identity, 200...240, sequence: 1)
            for sequence in 2...3 {
                try api.hear(
                    try await api.newPhone().identity, 200...240, sequence: UInt64(sequence), room: nil,
                    beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99")
            }
            // In 101, and heard in the corridor as well: a person of the room, and one.
            let phone = try await api.newPhone().identity
            try api.hear(phone, 200...240, sequence: 4)
            try api.hear(
                phone, 200...240, sequence: 5, room: nil, beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99")
            api.gateways.heard("campus/main/1/east", now: morning + 4 * 3600)
            let answer = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
            let documents = try JSON.decode([Counted].self, from: answer.body)
            #expect(documents == [.init(room: nil, expected: 4), .init(room: "101", expected: 2)])
        }
    }

    // Three badges in a room of floor 1, and five inventions of a gateway of floor 2 that says it is there.
    @Test(arguments: Backend.installed)
    func `What a gateway of another floor says of a room isn't about that room`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            for sequence in 1...3 {
                try api.hear(try await api.newPhone().identity, 200...240, sequence: UInt64(sequence))
            }
            for sequence in 1...5 {
                try api.hear(
                    try await api.newPhone().identity, 200...240, sequence: UInt64(sequence),
                    beacon: "00000000-0000-0000-0000-000000000001/0/0", gateway: "thief", floor: "2")
            }
            // The gateway of floor 1 is dead.
            api.gateways.heard("campus/main/2/thief", now: morning + 4 * 3600)
            let answer = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
            let documents = try JSON.decode([Heard].self, from: answer.body)
            #expect(
                documents == [
                    .init(floor: "1", room: nil, expected: 3, isHeard: false),
                    .init(floor: "1", room: "101", expected: 3, isHeard: false),
                    .init(floor: "2", room: nil, expected: 5, isHeard: true),
                    .init(floor: "2", room: "101", expected: 5, isHeard: true),
                ])
        }
    }

    // Thirty people had become 1.4, in a room whose gateway heard all of them.
    @Test(arguments: Backend.installed)
    func `A gateway of another floor takes nobody out of a room`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let phones = [try await api.newPhone().identity, try await api.newPhone().identity]
            for (index, phone) in phones.enumerated() {
                try api.hear(phone, 200...240, sequence: UInt64(index + 1))
                for room in 0..<10 {
                    try api.hear(
                        phone, 200...240, sequence: UInt64(index * 10 + room + 1), room: "L\(room)",
                        beacon: "00000000-0000-0000-0000-000000000001/0/\(room)", gateway: "thief", floor: "2")
                }
            }
            api.gateways.heard("campus/main/1/east", now: morning + 4 * 3600)
            let answer = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
            let documents = try JSON.decode([Heard].self, from: answer.body).filter { $0.floor == "1" }
            #expect(
                documents == [
                    .init(floor: "1", room: nil, expected: 2, isHeard: true),
                    .init(floor: "1", room: "101", expected: 2, isHeard: true),
                ])
        }
    }

    // It is configured without places: only records say where it is.
    @Test(arguments: Backend.installed)
    func `A configured room without places is on the floor that named it first`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let thief = "00000000-0000-0000-0000-000000000001/0/0"
            let phone = try await api.newPhone().identity
            // Its place is older; it names the room later.
            try api.hear(
                phone, 200...240, sequence: 1, room: nil, beacon: thief, gateway: "thief", floor: "2")
            try api.hear(try await api.newPhone().identity, 200...240, sequence: 1)
            try api.hear(phone, 200...240, sequence: 2, beacon: thief, gateway: "thief", floor: "2")
            let search = OccupancySearch(rooms: [Room(name: "101")], kinds: [])
            try api.store.use { store in
                let documents = try search.documents(
                    store, heard: ["campus/main/2/thief"], now: morning + 4 * 3600)
                let room = documents.first { $0.room == "101" }
                #expect(room?.floor == "1" && room?.expected == 1 && room?.isHeard == false)
                let contested = try search.contestedRooms(store)
                #expect(contested.map(\.floor) == ["campus/main/1"])
                #expect(contested.map(\.refused) == [["campus/main/2/thief"]])
            }
        }
    }

    private struct Heard: Decodable, Equatable {
        var floor: String
        var room: String?
        var expected: Double
        var isHeard: Bool
    }

    private struct Counted: Decodable, Equatable {
        var room: String?
        var expected: Double
    }

    @Test func `What phones say of themselves fills no room`() async throws {
        try await TestAPI.with { api in
            try api.hear(try await api.newPhone().identity, 0...1, sequence: 1)
            let eve = try await api.newPhone()
            let reading =
                #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"distance":0,"timestamp":"2026-11-02T12:00:00Z"}"#
            let body = #"{"phone":"\#(eve.id)","interactions":[\#(reading)]}"#
            #expect(try await api.post("/v1/interactions", body, secret: eve.secret).text.contains(#""stored":1"#))
            let answer = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
            #expect(!answer.text.contains(#""expected":1"#))
        }
    }

    @Test func `Only with the operator's token`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            for path in ["/v1/occupancy", "/v1/attendance"] {
                #expect(try await api.get(path).status == 401)
                #expect(try await api.get(path, secret: ann.secret).status == 401)
            }
        }
    }

    @Test func `Rooms have topics on their floor`() {
        let place = PlaceName(
            key: "k", site: "campus", building: "main", floor: "1", gateway: "campus/main/1/east", room: "HB 2.11")
        let room = Room(name: "HB 2.11")
        let space = OccupancySearch.Space(room: room, places: [1], names: [place])
        let document = OccupancyDocument(room, on: space.floor, Occupancy([]), isHeard: true, now: morning)
        #expect(topics([document]) == ["beacons/v1/campus/main/1/occupancy/hb-2-11"])
        let unknown = OccupancyDocument(Room(name: "x"), on: nil, Occupancy([]), isHeard: false, now: 0)
        #expect(topics([unknown]) == [])
    }

    // SHA-256 of "HB 2.11" begins with 8a97ce, that of "HB-2-11" with 746421.
    @Test func `Rooms whose names differ in punctuation only have topics of their own`() {
        let floor = FloorName(site: "campus", building: "main", floor: "1")
        let documents = ["HB 2.11", "HB-2-11", "HB 3"].map { name in
            OccupancyDocument(Room(name: name), on: floor, Occupancy([]), isHeard: true, now: morning)
        }
        #expect(
            topics(documents).map { $0.split(separator: "/").last } == ["hb-2-11-8a97ce", "hb-2-11-746421", "hb-3"])
    }

    @Test(.timeLimit(.minutes(2)))
    func `What is retained of a room that is gone is emptied, by the matcher alone that says how full rooms are`()
        async throws
    {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try api.hear(try await api.newPhone().identity, 200...240, sequence: 1)
                var logger = Logger(label: "occupancy") { StreamLogHandler.standardError(label: $0) }
                logger.logLevel = .critical
                let publisher = MQTTPublisher(
                    configuration: BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "m-notices"),
                    outbox: try await Outbox.open(nil, rules: OutboxRules(), now: .now()), logger: logger)
                let running = Task { await publisher.run() }
                let search = Reloadable(OccupancySearch(rooms: [], kinds: []))
                func service(_ leader: StoreLeader) -> OccupancyService {
                    OccupancyService(
                        store: api.store, search: search, gateways: api.gateways,
                        live: LivePlaces(nil, secrets: api.secrets, prefix: "beacons", logger: logger),
                        topicPrefix: "beacons", publisher: publisher, leader: leader, activation: Activation(),
                        logger: logger)
                }
                let messages = try await broker.subscribe(to: "beacons/v1/#", format: "%t %l")
                let (speaking, silent) = (
                    service(StoreLeader(store: api.location)), service(StoreLeader(store: api.location))
                )
                let floor = "beacons/v1/campus/main/1/occupancy"
                var topics = OccupancyTopics()
                try await speaking.publish(&topics)
                #expect(await messages.first { $0.hasPrefix("\(floor)/101 ") }?.hasSuffix(" 0") == false)
                search.replace(with: OccupancySearch(rooms: [Room(name: "102", places: [TestAPI.beacon])], kinds: []))
                var others = topics
                try await silent.publish(&others)
                #expect(others == topics)
                try await speaking.publish(&topics)
                #expect(await messages.first { $0.hasPrefix("\(floor)/102 ") }?.hasSuffix(" 0") == false)
                #expect(await messages.first { $0.hasPrefix("\(floor)/101 ") } == "\(floor)/101 0")
                _ = await publisher.finish(within: .seconds(2))
                await running.value
            }
        }
    }

    private func topics(_ documents: [OccupancyDocument]) -> [String] {
        OccupancyDocument.topics(of: documents, prefix: "beacons").map(\.topic)
    }

    @Test(arguments: Backend.installed)
    func `What one matcher heard of a gateway, the others of its store know`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            try api.hear(try await api.newPhone().identity, 200...240, sequence: 1)
            let now = api.clock.withLock { $0 }
            try api.store.use { store in
                // Of a gateway that never sent a record nothing is kept.
                try store.setHeard(["campus/main/1/east": now - 10, "campus/main/1/invented": now])
                try store.setHeard(["campus/main/1/east": now - 20])
                #expect(try store.gateways(heardSince: now - 10, until: now) == ["campus/main/1/east"])
            }
            let answer = try await api.get("/v1/occupancy", secret: TestAPI.operatorToken)
            #expect(answer.text.contains(#""isHeard":true"#), "\(answer.text)")
        }
    }

    // At 12:00 the lecture of 12:10 is 10 minutes ahead, within the 15 of the look-ahead.
    @Test func `A student in the room signs for the lecture that begins soon, once`() async throws {
        try await TestAPI.withStudent { api, badge, secret in
            try api.hear(badge, 230...240, sequence: 1)
            let body = #"{"room":"101","kind":"badge","id":"\#(badge.id)"}"#
            let first = try await api.post("/v1/check-ins", body, secret: secret)
            #expect(try first.member("result") == "successful", "\(first.text)")
            api.clock.withLock { $0 += 60 }
            let second = try await api.post("/v1/check-ins", body, secret: secret)
            #expect(try second.member("result") == "already-signed")
            #expect(try second.member("at") == "2026-11-02T12:00:00Z")
            let attendance = try await api.get("/v1/attendance?student=s1", secret: TestAPI.operatorToken)
            #expect(attendance.status == 200, "\(attendance.text)")
        }
    }

    @Test func `A check-in may write the UUID of a badge in capitals`() async throws {
        try await TestAPI.withStudent { api, badge, secret in
            try api.hear(badge, 230...240, sequence: 1)
            let body = #"{"room":"101","kind":"badge","id":"\#(badge.id.uppercased())"}"#
            let answer = try await api.post("/v1/check-ins", body, secret: secret)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.member("result") == "successful", "\(answer.text)")
        }
    }

    // USiBeacon's way: the phone ranges the room's beacon, and signs. The gateway only tells that the beacon is there.
    @Test func `A phone on the roster signs and attends by what it ranged itself, and counts for nobody else`()
        async throws
    {
        try await TestAPI.withStudent(carrying: "phone:the-phone-of-s1") { api, phone, secret in
            let stranger = try await api.newPhone()
            try api.hear(stranger.identity, 0...1, sequence: 1)
            let body = #"{"room":"101","kind":"phone","id":"\#(phone.id)"}"#
            #expect(try await api.post("/v1/check-ins", body, secret: secret).member("result") == "not-in-the-room")
            // Every minute from 11:55 on; it is 12:00.
            func range(_ minutes: ClosedRange<Int64>) async throws {
                let readings = minutes.map { minute in
                    #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"proximity":"near","distance":1.2,"#
                        + #""timestamp":"\#(InstantText.utc(morning + minute * 60))"}"#
                }
                let batch = #"{"phone":"\#(phone.id)","interactions":[\#(readings.joined(separator: ","))]}"#
                let answer = try await api.post("/v1/interactions", batch, secret: secret)
                #expect(try answer.member("stored") == "\(readings.count)", "\(answer.text)")
            }
            try await range(235...240)
            #expect(try await api.post("/v1/check-ins", body, secret: secret).member("result") == "successful")
            // 12:10 to 13:30 is the lecture, and 13:40 now.
            api.clock.withLock { $0 = morning + 340 * 60 }
            try await range(250...330)
            let entries = try await api.get(
                "/v1/attendance?from=2026-11-02T00:00:00Z&to=2026-11-03T00:00:00Z", secret: TestAPI.operatorToken)
            #expect(entries.text.contains(#""status":"present""#), "\(entries.text)")
        }
    }

    @Test func `Somebody who isn't there, too early or a stranger doesn't sign`() async throws {
        try await TestAPI.withStudent { api, badge, secret in
            let body = #"{"room":"101","kind":"badge","id":"\#(badge.id)"}"#
            #expect(try await api.post("/v1/check-ins", body, secret: secret).member("result") == "not-in-the-room")
            api.clock.withLock { $0 -= 301 }
            #expect(try await api.post("/v1/check-ins", body, secret: secret).member("result") == "no-lecture")
            #expect(try await api.post("/v1/check-ins", body, secret: "guess").status == 401)
            let stranger = try await api.newPhone()
            let other = #"{"room":"101","kind":"phone","id":"\#(stranger.id)"}"#
            let answer = try await api.post("/v1/check-ins", other, secret: stranger.secret)
            #expect(answer.status == 401)
            #expect(answer.text.contains("credential-error"))
        }
    }

    @Test(
        "What can't be understood of a question is refused, and not answered with nobody",
        arguments: [
            ("from=monday", "from found"), ("from=2027-11-02", "from is in the future"),
            ("from=2026-11-02&to=2026-11-01", "from is not before to"),
            ("from=2026-11-02T08:00:00Z&to=2026-11-02T08:00:00Z", "from is not before to"),
            ("course=Chemistry", "course found"), ("student=s9", "student found"), ("form=2026-11-02", "is unknown"),
        ])
    func refused(query: String, detail: String) async throws {
        try await TestAPI.withStudent { api, _, _ in
            let answer = try await api.get("/v1/attendance?\(query)", secret: TestAPI.operatorToken)
            #expect(answer.status == 422)
            #expect(answer.text.contains(detail), "\(answer.text)")
        }
    }

    // The lecture is from 12:10 to 13:30 of that day.
    @Test func `A day of a question is whole`() async throws {
        try await TestAPI.withStudent { api, badge, _ in
            try api.hear(badge, 250...330, sequence: 1)
            api.clock.withLock { $0 = morning + 340 * 60 }
            let answer = try await api.get(
                "/v1/attendance?from=2026-11-02&to=2026-11-02", secret: TestAPI.operatorToken)
            #expect(answer.text.contains(#""status":"present""#), "\(answer.text)")
        }
    }
}
