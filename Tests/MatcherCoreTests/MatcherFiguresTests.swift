import Exposition
import MatcherCore
import Testing
import Watching

@Suite("The metrics of a matcher") struct MatcherFiguresTests {
    private static func lines(
        _ role: MatcherObservation.Role, broker: MatcherObservation.Broker = .subscribed, stored: Duration? = nil,
        size: Double? = nil
    ) -> Set<String> {
        let observation = MatcherObservation(
            role: role, store: .writable, broker: broker, publisher: .connected, lastStoredAge: stored)
        var scrape = Scrape()
        MatcherFigures(
            liveness: observation.liveness, observation: observation, clockIsSynchronized: false, filters: 3,
            gateways: GatewaySigns.Tally(receiving: 4, deaf: 1, silent: 2), storeSize: size
        ).collect(into: &scrape)
        return Set(scrape.text(.prometheus).split(separator: "\n").map(String.init))
    }

    @Test("An active matcher says that it works, what it subscribes to, and how its gateways are")
    func active() {
        let lines = Self.lines(.active, stored: .milliseconds(1500), size: 4096)
        for line in [
            "beacon_matcher_live{part=\"storing\"} 1", "beacon_matcher_active 1", "beacon_matcher_subscriptions 3",
            "beacon_matcher_broker_connected 1", "beacon_matcher_clock_synchronized 0",
            "beacon_matcher_gateways{state=\"receiving\"} 4", "beacon_matcher_gateways{state=\"silent\"} 2",
            "beacon_matcher_store_size_bytes 4096", "beacon_matcher_last_stored_record_age_seconds 1.5",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test("A standby is not active, and has nothing that was not measured")
    func standby() {
        let lines = Self.lines(.standby(clientID: "m"), broker: .away(complaint: nil, isFirst: true))
        for line in [
            "beacon_matcher_live{part=\"storing\"} 0", "beacon_matcher_active 0", "beacon_matcher_subscriptions 0",
        ] { #expect(lines.contains(line), "\(line)") }
        #expect(!lines.contains { $0.contains("last_stored") || $0.contains("store_size") })
    }

    @Test("Gateways are counted by what they said last, and as silent when that is long ago")
    func tally() {
        var signs = GatewaySigns()
        signs.heard("s/b/1/hears", deaf: [], now: 1000)
        signs.heard("s/b/1/deaf", deaf: nil, now: 1000)
        #expect(signs.tally(now: 1000) == GatewaySigns.Tally(receiving: 1, deaf: 1, silent: 0))
        #expect(
            signs.tally(now: 1000 + GatewaySigns.patience + 1)
                == GatewaySigns.Tally(receiving: 0, deaf: 0, silent: 2))
    }
}
