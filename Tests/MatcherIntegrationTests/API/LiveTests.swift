import Glibc
import HTTPClient
import InteractionStore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// The program with a broker, and two gateways that say each second what they hear.
@Suite("Live positions, from the broker to pages", .timeLimit(.minutes(10))) struct LiveTests {
    private static let tokens = [
        "desk": "token-of-the-desk-0001", "health": "token-of-the-officer-2",
    ]
    private static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
    private static let phone = "b052ef51482f903485677d5a2f57b19a"

    private static let plan = """
        [[floors]]
        site = "campus"
        building = "hb"
        floor = "1"
        outline = [[0, 0], [40, 0], [40, 10], [0, 10]]
        [[floors.rooms]]
        name = "HB 1.0"
        points = [[0, 0], [20, 0], [20, 10], [0, 10]]
        [[floors.rooms]]
        name = "HB 1.1"
        points = [[20, 0], [40, 0], [40, 10], [20, 10]]
        [[floors.doors]]
        at = [20, 5]
        """

    private static func configuration(port: UInt16, in directory: TemporaryDirectory) throws -> String {
        _ = try directory.write("floors.toml", plan)
        var tables: [String] = []
        for (name, token) in tokens.sorted(by: { $0.key < $1.key }) {
            let file = try directory.write("\(name).token", token)
            chmod(file, 0o600)
            tables.append(
                "[[operators]]\nname = \"\(name)\"\ntoken-file = \"\(file)\"\n"
                    + (name == "health" ? "role = \"officer\"\n" : ""))
        }
        return try TestMatcher.configuration(
            .sqlite(directory.path + "/store.sqlite"), port: port,
            more: """
                [api]
                listen = "127.0.0.1:0"
                [localisation]
                plan = "floors.toml"
                live = ["badge"]
                publish = true
                \(tables.joined(separator: "\n"))
                """, in: directory)
    }

    /// Starts gateways that hear a badge, and somebody's phone, until they are stopped.
    private static func gateways(port: UInt16) throws -> ChildProcess {
        func message(_ gateway: String, x: Int, rssi: Int) -> String {
            """
            {"boot":1,"clock":"synchronized","listenedSeconds":1,"number":$n,"place":{"building":"hb","floor":"1",\
            "gateway":"\(gateway)","position":{"x":\(x),"y":5,"z":2},"site":"campus"},"subjects":[{"counts":[3],\
            "kind":"beacon","major":7,"minors":[9],"rssi":[\(rssi)],"uuid":"\(uuid)"},{"counts":[3],"ids":["\(phone)"],\
            "kind":"exposure-notification","rssi":[-50]}],"time":"$t"}
            """
        }
        let publishing = [("g0", 10, -52), ("g1", 30, -84)].map { gateway, x, rssi in
            let text = message(gateway, x: x, rssi: rssi).replacing("\"", with: "\\\"")
            return "mosquitto_pub -h 127.0.0.1 -p \(port) -t beacons/v1/campus/hb/1/\(gateway)/signals -m \"\(text)\""
        }
        return try ChildProcess(
            "sh",
            [
                "-c",
                "n=0; while :; do n=$((n + 1)); t=$(date -u -d '1 second ago' +%Y-%m-%dT%H:%M:%S.000Z); "
                    + publishing.joined(separator: "; ") + "; sleep 1; done",
            ])
    }

    private static func get(
        _ port: String, _ path: String, _ name: String?, accept: String = "application/json"
    ) async throws -> HTTPClient.Response {
        var headers = [HTTPClient.Header("Accept", accept)]
        if let name { headers.append(.init("Authorization", "Bearer \(tokens[name] ?? name)")) }
        return try await TestAPI.client.send(
            HTTPClient.Request("GET", "http://127.0.0.1:\(port)\(path)", headers: headers))
    }

    private static func listen(_ port: String, _ name: String) throws -> ChildProcess {
        try ChildProcess(
            "curl",
            [
                "-sNi", "-H", "Authorization: Bearer \(tokens[name] ?? "")",
                "http://127.0.0.1:\(port)/v1/floors/campus/hb/1/live",
            ])
    }

    @Test func `A badge is shown to each as the table says, published, and gone when it is no longer heard`()
        async throws
    {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let places = try await broker.subscribe(to: "beacons/v1/+/+/+/subject/+/location", format: "%r %t %p")
            let matcher = try TestMatcher(try Self.configuration(port: broker.port, in: directory))
            let listening = await matcher.process.errorOutput.first { $0.contains("API listening") }
            let port = String(try #require(listening?.split(separator: "port=").last?.prefix { $0.isNumber }))
            let live = "/v1/floors/campus/hb/1/live"

            for (path, status) in [
                ("/v1/floors", 200), ("/v1/floors/campus/hb/1", 200), ("/v1/floors/campus/hb/1/plan.svg", 200),
                ("/v1/floors/campus/hb/2", 404), (live, 200), (live + "?x=1", 422),
            ] {
                #expect(try await Self.get(port, path, "desk").status == status, "\(path)")
                #expect(try await Self.get(port, path, nil).status == 401, "\(path)")
                #expect(try await Self.get(port, path, "somebody-else-s-token-1").status == 401, "\(path)")
            }
            let desk = try Self.listen(port, "desk")
            #expect(await desk.output.first { $0.lowercased().hasPrefix("x-accel-buffering:") } != nil)
            #expect(await desk.output.first { $0 == "event: snapshot" } != nil)
            #expect(await desk.output.first { $0 == "event: receivers" } != nil)
            let officer = try Self.listen(port, "health")
            #expect(await officer.output.first { $0 == "event: snapshot" } != nil)

            let gateways = try Self.gateways(port: broker.port)
            #expect(await desk.output.first { $0.contains(#"{"isHeard":true,"path":"campus/hb/1/g0"}"#) } != nil)
            let dots = try #require(await desk.output.first { $0.contains(#""room":"HB 1.0""#) })
            #expect(dots.contains(#""state":"room""#) && dots.contains(#""key":""#))
            #expect(!dots.contains(Self.uuid) && !dots.contains("subject"))
            let known = try #require(await officer.output.first { $0.contains(#""room":"HB 1.0""#) })
            #expect(known.contains("badge:\(Self.uuid)/7/9"))
            let place = try #require(await places.first { $0.contains(#""room":"HB 1.0""#) })
            #expect(place.contains("beacons/v1/campus/hb/1/subject/"))
            #expect(!place.contains(Self.uuid))
            let occupancy = String(decoding: try await Self.get(port, "/v1/occupancy", "desk").body, as: UTF8.self)
            #expect(occupancy.contains(#""by":"rooms""#) && occupancy.contains(#""expected":1"#))
            let snapshot = String(decoding: try await Self.get(port, live, "health").body, as: UTF8.self)
            #expect(snapshot.contains("badge:\(Self.uuid)/7/9"))
            // Nothing of the phone of somebody who has nothing to do with the site.
            for text in [dots, known, place, occupancy, snapshot] {
                #expect(!text.contains(Self.phone) && !text.contains("exposure-notification"), "\(text)")
            }

            gateways.send(signal: SIGKILL)
            #expect(await desk.output.first { $0.contains(#"{"isHeard":false,"path":"campus/hb/1/g0"}"#) } != nil)
            #expect(await desk.output.first { $0 == "event: left" } != nil)
            #expect(await places.first { $0.hasSuffix("/location ") } != nil)
            #expect(try await Self.get(port, live, "desk").status == 200)
            #expect(
                await matcher.process.errorOutput.first {
                    $0.contains("route=GET /v1/floors/{site}/{building}/{floor}/live")
                        && $0.contains("about=campus/hb/1")
                        && $0.contains("operator=desk")
                } != nil)
            desk.send(signal: SIGKILL)
            officer.send(signal: SIGKILL)
            #expect(await matcher.stop() == 0)
        }
    }

    @Test func `A stream ends with its operator's token, and for a reader who is too slow`() async throws {
        let streams = LiveStreams()
        let desk = OperatorCredential(name: "desk", token: Array("a".utf8))
        let events = try #require(
            streams.events(on: "s/b/f", view: .dots, of: .operator(desk), to: "here", first: "event: snapshot\n\n"))
        streams.endStreams(unless: [desk])
        streams.send("x", on: "s/b/f", view: .dots)
        streams.send("y", on: "s/b/f", view: .identities)
        streams.endStreams(unless: [OperatorCredential(name: "desk", token: Array("a".utf8), role: .officer)])
        var told: [String] = []
        for await event in events { told.append(event) }
        #expect(told == ["event: snapshot\n\n", "x"])

        let slow = try #require(streams.events(on: "s/b/f", view: .dots, of: .operator(desk), to: "here", first: "0"))
        for number in 1...100 { streams.send("\(number)", on: "s/b/f", view: .dots) }
        told = []
        for await event in slow { told.append(event) }
        #expect(told == (0...15).map { "\($0)" })
    }

    @Test func `Streams are bounded by address, by operator and in all`() {
        let streams = LiveStreams()
        func open(_ name: String, _ client: String) -> AsyncStream<String>? {
            streams.events(
                on: "s/b/f", view: .dots, of: .operator(OperatorCredential(name: name, token: [1])), to: client,
                first: "")
        }
        var kept: [AsyncStream<String>] = []
        for number in 0..<200 {
            if let events = open("desk\(number % 3)", "client\(number % 50)") { kept.append(events) }
        }
        #expect(kept.count == 100)
        streams.close()
        #expect(open("desk", "client") == nil)
    }

    @Test("Streams of sessions have limits of their own, and do not take the places of operators")
    func sessionLimits() {
        let streams = LiveStreams()
        func open(_ client: LiveClient) -> AsyncStream<String>? {
            streams.events(on: "s/b/f", view: .dots, of: client, to: "office", first: "")
        }
        var kept: [AsyncStream<String>] = []
        for _ in 0..<10 { if let events = open(.session(hash: "one", account: "a")) { kept.append(events) } }
        #expect(kept.count == 8)
        for number in 0..<400 {
            if let events = open(.session(hash: "\(number)", account: "\(number)")) { kept.append(events) }
        }
        #expect(kept.count == 240)
        #expect(open(.operator(OperatorCredential(name: "desk", token: [1]))) != nil)
    }

    @Test func `One account has a few streams, however many sessions it has`() {
        let streams = LiveStreams()
        func open(_ client: LiveClient) -> AsyncStream<String>? {
            streams.events(on: "s/b/f", view: .dots, of: client, to: "office", first: "")
        }
        let kept = (0..<20).compactMap { open(.session(hash: "\($0)", account: "olga")) }
        #expect(kept.count == 16)
        #expect(open(.session(hash: "20", account: "omar")) != nil)
    }

    @Test func `Streams of all kinds together leave connections for the pages of 200 browsers`() throws {
        let room = StreamRoom()
        let (live, board) = (LiveStreams(room: room), NoticeStreams(room: room))
        let ben = try #require(SubjectIdentity("phone:ben"))
        func open(_ number: Int) -> AsyncStream<String>? {
            live.events(
                on: "s/b/f", view: .dots, of: .session(hash: "\(number)", account: "\(number)"), to: "office", first: ""
            )
        }
        func listen(_ number: Int) -> AsyncStream<String>? {
            board.news(of: [ben], session: "\(number)", account: "\(number)", since: 0, to: "office")
        }
        // Those that are just ending still have their places.
        var kept = (0..<240).compactMap(open)
        #expect(kept.count == 240)
        kept += (0..<200).compactMap(listen)
        #expect(kept.count == StreamRoom.most && kept.count + 200 <= APIServer.usualConnections)
        #expect(board.events(for: ben, to: "here") == nil)
        // A stream that ends makes room.
        live.endStreams(ofSession: "7")
        #expect(board.events(for: ben, to: "here") != nil)
    }

    @Test("A session's stream ends after ten minutes, or with the session; an operator's goes on")
    func sessionEnds() async throws {
        let streams = LiveStreams()
        let start = ContinuousClock.now
        func open(_ client: LiveClient) -> AsyncStream<String>? {
            streams.events(on: "s/b/f", view: .dots, of: client, to: "office", first: "first", now: start)
        }
        let desk = try #require(open(.operator(OperatorCredential(name: "desk", token: [1]))))
        let one = try #require(open(.session(hash: "one", account: "a")))
        let other = try #require(open(.session(hash: "other", account: "b")))
        streams.endStreams(ofSession: "one")
        var told: [String] = []
        for await event in one { told.append(event) }
        #expect(told == ["first"])
        streams.beat(now: start + .seconds(599))
        streams.beat(now: start + .seconds(600))
        told = []
        for await event in other { told.append(event) }
        #expect(told == ["first", ": still here\n\n"])
        streams.close()
        told = []
        for await event in desk { told.append(event) }
        #expect(told == ["first", ": still here\n\n", ": still here\n\n"])
    }
}
