import Testing
import Watching

/// What a new start of the program would be good for.
@Suite struct VitalityTests {
    private func gateway(
        _ states: GatewayObservation.Radio.State..., trouble: String? = nil,
        broker: GatewayObservation.Broker = .connected, processedAge: Duration = .zero, reportedAge: Duration = .zero
    ) -> Vitality {
        GatewayObservation(
            radios: states.map { .init(name: "hci0", state: $0) },
            outbox: .init(bytes: 0, capacityBytes: 1000, trouble: trouble), broker: broker,
            processedAge: processedAge, reportedAge: reportedAge
        ).vitality
    }

    private func deaf(_ cure: GatewayObservation.Cure) -> GatewayObservation.Radio.State {
        .deaf(.init(what: "hci0 fails", remedy: "x", cure: cure))
    }

    @Test("A blocked or unplugged adapter is nothing that a new start mends")
    func outside() { #expect(gateway(deaf(.outside)) == .waiting) }

    @Test("An adapter for which all steps were tried in vain is a reason for a new start")
    func restart() { #expect(gateway(deaf(.restart)) == .stuck("hci0 fails")) }

    @Test("The gateway's own steps are tried before a new start")
    func steps() { #expect(gateway(deaf(.steps)) == .starting) }

    @Test("One adapter that scans is enough")
    func oneOfTwo() { #expect(gateway(deaf(.restart), .quiet) == .working) }

    @Test("Records that are not on disk would be lost by a new start")
    func unwritable() { #expect(gateway(.hearing, trouble: "disk full") == .waiting) }

    @Test("A broker that is away is nothing that a new start mends")
    func broker() { #expect(gateway(.hearing, broker: .notConnected) == .working) }

    @Test("A program that processes nothing any more is stuck, whatever its adapters last said")
    func halted() {
        #expect(gateway(.hearing, processedAge: .seconds(20)) == .stuck("nothing has been processed for 20 s"))
        #expect(
            gateway(.hearing, reportedAge: .seconds(20))
                == .stuck("no adapter has reported anything for 20 s, not even silence"))
        #expect(gateway(deaf(.outside), reportedAge: .seconds(20)) == .waiting)
    }

    private func matcher(
        _ role: MatcherObservation.Role = .active, store: MatcherObservation.Store = .writable,
        broker: MatcherObservation.Broker = .subscribed
    ) -> MatcherObservation {
        MatcherObservation(role: role, store: store, broker: broker, publisher: .connected)
    }

    @Test("A standby waits, and is ready")
    func standby() {
        #expect(matcher(.standby(clientID: "m")).vitality == .waiting)
        #expect(matcher(.standby(clientID: "m")).readiness == .working)
    }

    @Test("A failure of the store that has a remedy is for people; without one a new start is tried")
    func store() {
        #expect(matcher(store: .failing(what: "full", remedy: "free space")).vitality == .waiting)
        #expect(matcher(store: .failing(what: "disk I/O error", remedy: nil)).vitality == .stuck("disk I/O error"))
    }

    @Test("A write that does not end is a reason for a new start; a slow one is not")
    func write() {
        #expect(matcher(store: .writing(.seconds(30))).vitality == .working)
        #expect(matcher(store: .writing(.seconds(30))).liveness.isLive)
        #expect(
            matcher(store: .writing(.seconds(300))).vitality
                == .stuck("a write to the store has not ended after 5 min"))
        #expect(!matcher(store: .writing(.seconds(300))).liveness.isLive)
    }
}
