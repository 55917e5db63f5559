import Glibc
import RecordContract
import SystemIO
import TestSupport
import Testing

@Suite("deploy/mosquitto: access to topics", .timeLimit(.minutes(10)))
struct DeployedAccessTests {
    /// A topic of each form, and whose it is where forms have one owner.
    private struct Topic: Sendable {
        let access: TopicAccess
        let text: String
        let isOwn: Bool

        init(_ access: TopicAccess, isOwn: Bool) {
            self.access = access
            self.isOwn = isOwn
            text = access.topic(
                prefix: "beacons",
                [
                    "site": "s", "building": "b", "floor": "1", "gateway": isOwn ? "g" : "other",
                    "key": isOwn ? DeployedBroker.key : DeployedBroker.otherKey, "uuid": "u", "major": "1",
                    "minor": "1", "module": "m",
                    "command": "reset", "name": "reset", "room": isOwn ? "101" : "102",
                ])
        }

        func mayBeWritten(by role: TopicAccess.Role) -> Bool { access.mayPublish(role, isOwn: isOwn) }
        func mayBeRead(by role: TopicAccess.Role) -> Bool {
            access.mayRead(role, isOwn: isOwn, checksDelivery: true)
        }
    }

    private static let topics = TopicAccess.all.flatMap { access in
        [true, false].map { Topic(access, isOwn: $0) }
    }
    /// Whose form nothing of this system has.
    private static let strange: [String] =
        ["x", "beacon/u/1/1/x", "module/m/x", "stored/x", "reply/reset/x", "retained/1"].map {
            "\(DeployedBroker.own)/\($0)"
        }
        + [
            DeployedBroker.own, "beacons/v1/s", "beacons/v2/s/b/1/g/status", "beacons/v1/\(DeployedBroker.key)/b/1/g/x",
            "homeassistant/x",
            "espresense/devices/x/3060", "x",
        ]

    @Test("Each may write what is theirs, and nothing else", arguments: TopicAccess.Role.allCases)
    func writing(role: TopicAccess.Role) async throws {
        try await DeployedBroker.with { broker in
            let seen = try await broker.subscribe("#", as: DeployedBroker.observer)
            for topic in Self.topics.map(\.text) + Self.strange {
                try await broker.publish(topic, as: DeployedBroker.user(role))
            }
            try await broker.publish("end", as: DeployedBroker.observer)
            var received: [String] = []
            while let topic = await seen.output.first(), topic != "end" { received.append(topic) }
            #expect(received == Self.topics.filter { $0.mayBeWritten(by: role) }.map(\.text))
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("Each may read what is theirs, and nothing else", arguments: TopicAccess.Role.allCases)
    func reading(role: TopicAccess.Role) async throws {
        try await DeployedBroker.with { broker in
            let filters = DeployedBroker.filters(role)
            let seen = try await broker.subscribe(
                filters[0], as: DeployedBroker.user(role), further: filters.dropFirst().flatMap { ["-t", $0] })
            for topic in Self.topics { try await broker.publish(topic.text, as: DeployedBroker.observer) }
            let allowed = Self.topics.filter { $0.mayBeRead(by: role) }.map(\.text)
            // The last one is another that is theirs, once more.
            let last = try #require(allowed.first)
            try await broker.publish(last, as: DeployedBroker.observer)
            var received: [String] = []
            while received.count(where: { $0 == last }) < 2, let topic = await seen.output.first() {
                received.append(topic)
            }
            #expect(received.dropLast().sorted() == allowed.sorted())
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("A subject that comes back reads what it was told meanwhile, which is retained, and not what others were")
    func retainedNotice() async throws {
        try await DeployedBroker.with { broker in
            for (key, text) in [(DeployedBroker.otherKey, "theirs"), (DeployedBroker.key, "mine")] {
                try await broker.publish(
                    "beacons/v1/subject/\(key)/exposure", as: "consumer_matcher", text, isRetained: true)
            }
            let seen = try await broker.subscribe(
                "beacons/v1/subject/\(DeployedBroker.key)/exposure", as: DeployedBroker.key, format: "%p")
            #expect(await seen.output.first() == "mine")
            try await broker.publish(
                "beacons/v1/subject/\(DeployedBroker.otherKey)/exposure", as: "consumer_matcher", "theirs")
            try await broker.publish(
                "beacons/v1/subject/\(DeployedBroker.key)/exposure", as: "consumer_matcher", "again")
            #expect(await seen.output.first() == "again")
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test func `An analyst of a floor, without interactions, reads no other floor and no interactions`() async throws {
        try await DeployedBroker.with { broker in
            let seen = try await broker.subscribe("beacons/v1/s/b/2/#", as: DeployedBroker.analystOfAFloor)
            let floors = ["1", "2"].map { "beacons/v1/s/b/\($0)/g" }
            for root in floors {
                for topic in ["beacon/u/1/1/interaction", "readings", "signals", "status"] {
                    try await broker.publish(root + "/" + topic, as: DeployedBroker.observer)
                }
            }
            #expect(await seen.output.first() == floors[1] + "/status")
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
            let wider = try await broker.run(
                "mosquitto_sub", as: DeployedBroker.analystOfAFloor, ["-t", "beacons/v1/#", "-q", "1", "-E", "-d"])
            #expect(wider.output.contains { $0.hasSuffix("): 128") }, "\(wider)")
        }
    }

    // The kind is denied all places, and the denial had come before the filter that an operator gave.
    @Test func `Home Assistant that was given the place of a badge reads it, and no other place`() async throws {
        try await DeployedBroker.with { broker in
            let seen = try await broker.subscribe(
                DeployedBroker.places(of: DeployedBroker.key), as: DeployedBroker.homeAssistant,
                further: ["-t", "beacons/v1/#"])
            let places = [DeployedBroker.otherKey, DeployedBroker.key, DeployedBroker.otherKey].map {
                "beacons/v1/s/b/1/subject/\($0)/location"
            }
            for topic in places { try await broker.publish(topic, as: "consumer_matcher", isRetained: true) }
            // It reads the rest of its kind as before, and this comes after what it must not get.
            let last = DeployedBroker.own + "/status"
            try await broker.publish(last, as: "s/b/1/g")
            #expect(await seen.output.first() == places[1])
            #expect(await seen.output.first() == last)
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    // An access list allows every subscription: 14,000 of 190 levels had filled the memory, and the broker ended.
    @Test(arguments: TopicAccess.Role.allCases.filter { $0 != .consumer })
    func `Nobody but a matcher may subscribe to other filters than there are`(role: TopicAccess.Role) async throws {
        try await DeployedBroker.with(memory: 10_000_000) { broker in
            let deep = Array(repeating: "a", count: 188).joined(separator: "/")
            let invented =
                ["#", "x", "$SYS/#", "$CONTROL/dynamic-security/v1", "$share/x/beacons/v1/#"]
                + DeployedBroker.filters(role).map { $0.replacing("#", with: deep).replacing("+", with: "x") + "/y" }
            func maySubscribe(_ filters: [String]) async throws -> Bool {
                let options = filters.flatMap { ["-t", $0] } + ["-i", "probe", "-c", "-q", "1", "-E", "-d"]
                let result = try await broker.run("mosquitto_sub", as: DeployedBroker.user(role), options)
                // "Subscribed (mid: 1): 1, 128", a number for each filter (MQTT 3.1.1, section 3.9.3).
                let answer = try #require(result.output.first { $0.hasPrefix("Subscribed ") }, "\(result)")
                return answer.split(separator: ": ").last?.split(separator: ", ").contains { $0 != "128" } ?? true
            }
            for filter in invented {
                let may = try await maySubscribe([filter])
                #expect(!may, "\(filter)")
            }
            // 200 a connection, of 142 kB each, would be three times the memory that there is.
            for _ in 0..<2 {
                let filters = (0..<100).map { "beacons/v1/\($0)/" + deep }
                let may = try await maySubscribe(filters)
                #expect(!may)
            }
            let may = try await maySubscribe(DeployedBroker.filters(role))
            #expect(may)
        }
    }

    @Test("Who publishes what isn't theirs is told so by MQTT 5")
    func refusal() async throws {
        try await DeployedBroker.with { broker in
            let arguments = ["-V", "mqttv5", "-q", "1", "-m", "x", "-t"]
            let refused = try await broker.run(
                "mosquitto_pub", as: "s/b/1/g", arguments + [DeployedBroker.other + "/status"])
            #expect(refused.errorOutput.contains { $0.contains("Not authorized") }, "\(refused.errorOutput)")
            let taken = try await broker.run(
                "mosquitto_pub", as: "s/b/1/g", arguments + [DeployedBroker.own + "/status"])
            #expect(taken.errorOutput.isEmpty, "\(taken.errorOutput)")
        }
    }
}
