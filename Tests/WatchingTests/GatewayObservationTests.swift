import Testing
import Watching

@Suite struct GatewayObservationTests {
    private typealias Fault = GatewayObservation.Fault

    private let blocked = Fault(what: "hci0 is blocked by rfkill", remedy: "unblock it", cure: .outside)
    private let room = GatewayObservation.Outbox(bytes: 100, capacityBytes: 1000)
    private let full = GatewayObservation.Outbox(bytes: 960, capacityBytes: 1000)

    private func observation(
        _ states: [GatewayObservation.Radio.State], receivers: [GatewayObservation.Receiver] = [],
        outbox: GatewayObservation.Outbox? = nil, broker: GatewayObservation.Broker = .connected
    ) -> GatewayObservation {
        GatewayObservation(
            radios: states.enumerated().map { .init(name: "hci\($0.offset)", state: $0.element) },
            receivers: receivers, outbox: outbox ?? room, broker: broker)
    }

    @Test("A gateway that hears, writes and is connected is live")
    func live() { #expect(observation([.hearing]).liveness.isLive) }

    @Test("An adapter that scans where nothing is transmitted counts as receiving")
    func quiet() { #expect(observation([.quiet]).liveness.receiving == .working) }

    @Test("Before the first scan the gateway is starting to receive")
    func starting() {
        #expect(observation([.starting]).liveness.receiving == .starting("first scan of hci0"))
    }

    @Test("An adapter that hears nothing makes receiving fail, with its remedy")
    func deaf() {
        #expect(
            observation([.deaf(blocked)]).liveness.receiving
                == .failing(what: "hci0 is blocked by rfkill", remedy: "unblock it"))
    }

    @Test("A deaf adapter beside one that hears is a note")
    func oneOfTwo() {
        let liveness = observation([.hearing, .deaf(blocked)]).liveness
        #expect(liveness.isLive)
        #expect(liveness.statusLine.hasSuffix("; adapter hci1: hci0 is blocked by rfkill"))
    }

    @Test("A module that hears is a receiver like an adapter")
    func listeningModule() {
        let module = GatewayObservation.Receiver(name: "door", isHearing: true)
        #expect(observation([.deaf(blocked)], receivers: [module]).liveness.receiving == .working)
    }

    @Test("Records that are not on disk make storing fail")
    func unwritable() {
        let liveness = observation(
            [.hearing], outbox: .init(bytes: 0, capacityBytes: 1000, trouble: "no space left on device")
        ).liveness
        #expect(liveness.receiving.isWorking)
        guard case .failing(let what, _) = liveness.storing else {
            Issue.record("storing is \(liveness.storing)")
            return
        }
        #expect(what == "records are not on disk: no space left on device")
    }

    @Test("Without the broker the gateway delivers as long as records can wait")
    func brokerAway() {
        let waiting = observation([.hearing], broker: .notConnected).liveness
        #expect(waiting.isLive)
        #expect(waiting.statusLine.hasSuffix("; the broker is not connected, the outbox is 10 % full"))
        #expect(!observation([.hearing], outbox: full, broker: .notConnected).liveness.isLive)
        #expect(observation([.hearing], outbox: full, broker: .connected).liveness.isLive)
    }

    @Test("A broker that refuses what it is offered makes delivering fail")
    func refusing() {
        let liveness = observation([.hearing], broker: .refusing("not authorized")).liveness
        #expect(!liveness.delivering.isWorking)
        #expect(liveness.statusLine.hasPrefix("not delivering: not authorized"))
    }
}
