import BeaconModel
import Proximity
import Testing

@testable import GatewayCore

@Suite("RemoteReceiver") struct RemoteReceiverTests {
    /// A remote receiver in simulated time.
    private struct Bench {
        var receiver: RemoteReceiver
        var time = Timestamp(microseconds: 1_605_441_600_000_000)
        var now: Duration = .seconds(1)
        var events: [InteractionEvent] = []
        var isConnected = true

        init(_ kind: RemoteReceiverKind = .espresense, _ change: (inout RemoteReceiverConfiguration) -> Void = { _ in })
        {
            var configuration = RemoteReceiverConfiguration(name: "kitchen", kind: kind)
            change(&configuration)
            receiver = RemoteReceiver(
                configuration,
                audience: Audience(listedUUIDs: [RemoteReceiverPayloads.beacon.uuid], includesPhones: false),
                rules: Self.rules, expected: [])
        }

        private static let rules: InteractionRules = {
            var rules = InteractionRules()
            rules.readingsInterval = .seconds(60)
            return rules
        }()

        mutating func take(_ message: RemoteReceiverMessage) {
            events += receiver.take(
                RemoteReceiverPacket(receiver: 0, time: time, contents: .success(message), dropped: 0), now: now)
        }

        mutating func hear(_ beacon: BeaconID = RemoteReceiverPayloads.beacon, rssi: Int8 = -60) {
            guard let rssi = RSSI(dBm: rssi) else { return }
            take(.heard(.init(beacon: beacon, rssi: rssi, measuredPower: -59)))
        }

        /// Lets seconds pass; in each, `each` is done.
        mutating func pass(_ seconds: Int, _ each: (inout Bench, Int) -> Void = { _, _ in }) {
            for second in 0..<seconds {
                time = time + .seconds(1)
                now += .seconds(1)
                each(&self, second)
                events += receiver.advance(isConnected: isConnected, at: time, now: now)
            }
        }

        var endings: [Interaction.EndReason] { events.compactMap { $0.interaction.ending?.reason } }
    }

    @Test("Whom a remote receiver heard that was struck out of the configuration meanwhile is lost, at that receiver")
    func struckOut() throws {
        var bench = Bench()
        bench.hear()
        bench.pass(3)
        var configuration = try Configuration.parse(ConfigurationTests.minimal, path: "gateway.toml") { _ in [] }
        configuration.remoteReceivers = [RemoteReceiverConfiguration(name: "other", kind: .theengs)]
        var receivers = RemoteReceivers(configuration, audience: Audience(listedUUIDs: [], includesPhones: false))
        let news = receivers.resume(["kitchen": bench.receiver.kept], ofRun: 7, at: bench.time + .seconds(1))
        #expect(news.count == 1)
        let events = try #require(news.first?.events)
        #expect(events.map { $0.interaction.ending?.reason } == [.lost])
        #expect(receivers.places[news[0].receiver].ear == "kitchen")
        #expect(receivers.reports(at: bench.time).map(\.name) == ["other"])
        #expect(Array(receivers.kept.keys) == ["other"])
    }

    @Test("A remote receiver has readings of its own: what the node tells, and for how long it is known to hear")
    func readings() {
        var bench = Bench()
        bench.take(.online)
        bench.take(.received(100))
        bench.pass(120) { bench, second in
            if second % 15 == 14 { bench.take(.received(200 + UInt64(second))) }
            if second < 60, second % 5 == 4 { bench.hear() }
        }
        let readings = bench.receiver.takeReadings()
        #expect(readings.map(\.listened) == [.seconds(55), .seconds(60)])
        #expect(readings.map { $0.subjects.map(\.count) } == [[11], [1]])
        #expect(readings.first?.subjects.first?.rssi == -60)
    }

    @Test("A remote receiver that isn't known to hear has readings that say that it was deaf")
    func readingsOfDeafReceiver() {
        var bench = Bench()
        bench.pass(60)
        bench.hear()
        bench.isConnected = false
        bench.pass(60)
        let readings = bench.receiver.takeReadings()
        #expect(readings.map(\.listened) == [.zero, .zero])
        #expect(readings.map { $0.subjects.map(\.count) } == [[], [1]])
    }

    @Test("A beacon that is listed begins an interaction, a stranger is only counted")
    func begins() {
        var bench = Bench()
        bench.hear()
        var stranger = RemoteReceiverPayloads.beacon
        stranger.uuid = ProximityUUID(bits: 7)
        bench.hear(stranger)
        bench.take(.heardSomebody)
        #expect(bench.events.map(\.kind) == [.started])
        #expect(bench.events.first?.interaction.distance?.metres ?? 0 > 0.3)
        #expect(bench.receiver.counts.strangers == 2)
        #expect(bench.receiver.state == .hearing)
    }

    @Test("A beacon at rest, of which ESPresense tells every 5 s, stays; when others are still heard, it departs")
    func departs() {
        var bench = Bench()
        bench.pass(600) { if $1 % 5 == 0 { $0.hear() } }
        #expect(bench.endings.isEmpty)
        bench.pass(60) { bench, _ in bench.take(.heardSomebody) }
        #expect(bench.endings == [.departed])
    }

    @Test("A beacon that walked and then rests isn't said to have left for the node telling of it less often")
    func walkThenRest() {
        var bench = Bench()
        bench.pass(300) { bench, _ in bench.hear() }
        bench.pass(120) { if $1 % 5 == 4 { $0.hear() } }
        #expect(bench.endings.isEmpty)
    }

    @Test("Of OpenMQTTGateway, which scans for 10 s in 66, a beacon stays for an hour, and departs after some rounds")
    func openMQTTGateway() {
        var bench = Bench(.openmqttgateway)
        bench.take(.online)
        bench.pass(3600) { if $1 % 66 == 3 { $0.hear() } }
        #expect(bench.endings.filter { $0 != .continued }.isEmpty)
        bench.pass(290)
        #expect(bench.endings.last == .departed)
    }

    @Test("A node that says nothing is no proof that somebody left: after five minutes he is lost")
    func silent() {
        var bench = Bench()
        bench.hear()
        bench.pass(200)
        #expect(bench.endings.isEmpty)
        #expect(bench.receiver.state == .hearing)
        bench.pass(101)
        #expect(bench.receiver.state == .silent)
        #expect(bench.endings == [.lost])
        bench.hear()
        #expect(bench.receiver.state == .hearing)
        #expect(bench.events.last?.kind == .started)
    }

    @Test("Telemetry that counts further advertisements proves that the node hears, and that its beacon left")
    func telemetry() {
        var bench = Bench()
        bench.take(.online)
        bench.take(.received(100))
        bench.hear()
        bench.pass(60) { if $1 % 15 == 14 { $0.take(.received(200 + UInt64($1))) } }
        #expect(bench.endings == [.departed])
    }

    @Test("Telemetry of a radio that hangs proves nothing: its beacon is lost, though the node is online")
    func hangs() {
        var bench = Bench()
        bench.take(.online)
        bench.take(.received(100))
        bench.hear()
        bench.pass(290) { if $1 % 15 == 14 { $0.take(.received(100)) } }
        #expect(bench.endings.isEmpty)
        bench.pass(30) { if $1 % 15 == 14 { $0.take(.received(100)) } }
        #expect(bench.endings == [.lost])
        #expect(bench.receiver.state == .silent)
    }

    @Test("Who was at a node that went offline is lost once that is as long as a silence; a restart is no end")
    func offline() {
        var bench = Bench()
        bench.pass(60) { bench, _ in bench.hear() }
        bench.take(.offline)
        bench.pass(20)
        bench.take(.online)
        bench.hear()
        bench.pass(60) { bench, _ in bench.hear() }
        #expect(bench.endings.isEmpty)
        bench.take(.offline)
        #expect(bench.receiver.state == .offline)
        bench.pass(40)
        #expect(bench.endings == [.lost])
    }

    @Test("Without a connection to the broker every remote receiver is deaf: who was there is lost, and nobody departs")
    func disconnected() {
        var bench = Bench()
        bench.take(.online)
        bench.pass(60) { bench, _ in bench.hear() }
        bench.isConnected = false
        bench.pass(10)
        #expect(bench.receiver.state == .disconnected)
        bench.isConnected = true
        bench.take(.online)
        bench.hear()
        #expect(bench.endings.isEmpty)
        bench.isConnected = false
        bench.pass(120)
        #expect(bench.endings == [.lost])
    }

    @Test("After a restart it goes on with the interactions that it had")
    func restart() throws {
        var bench = Bench()
        bench.pass(60) { bench, _ in bench.hear() }
        let kept = bench.receiver.kept
        var next = Bench()
        next.time = bench.time + .seconds(3)
        next.events += next.receiver.resume(kept, ofRun: 7, rules: InteractionRules(), at: next.time)
        next.pass(5)
        next.hear()
        next.pass(60) { bench, _ in bench.hear() }
        #expect(Set(next.events.map(\.kind)) == [.updated])
        #expect(next.events.first?.interaction.run == 7)
    }

    @Test("Messages that aren't understood, or are too many, are counted by reason and prove nothing")
    func refused() {
        var bench = Bench()
        _ = bench.receiver.take(
            RemoteReceiverPacket(receiver: 0, time: bench.time, contents: .failure(.notJSON), dropped: 3),
            now: bench.now)
        #expect(bench.receiver.counts.refused == ["not-json": 1, "too-many": 3])
        #expect(bench.receiver.counts.messages == 4)
        #expect(bench.receiver.state == .waiting)
    }

    @Test("Of a flood on a topic a bounded number a second is let through")
    func flood() {
        var intake = RemoteReceiverIntake(.devices, of: .espresense)
        let message = RemoteReceiverPayloads.message(RemoteReceiverPayloads.espresense4)
        var taken = 0
        var dropped: UInt64 = 0
        for millisecond in 0..<10_000 {
            let packet = intake.take(message, receiver: 0, at: .epoch, now: .milliseconds(millisecond))
            if let packet {
                taken += 1
                dropped += packet.dropped
            }
        }
        #expect((1190...1210).contains(taken), "\(taken)")
        #expect((9990 - UInt64(taken)...10_000 - UInt64(taken)).contains(dropped), "\(dropped)")
    }
}
