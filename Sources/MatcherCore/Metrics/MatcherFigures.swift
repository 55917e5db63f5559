package import Exposition
package import Watching

/// What a matcher knows of itself at one moment, for its metrics. Pure.
///
/// No label holds a subject, a person, an account or the address of a client.
package struct MatcherFigures: Sendable {
    package var liveness: Liveness
    package var observation: MatcherObservation
    package var clockIsSynchronized: Bool
    /// Number of topic filters.
    package var filters: Int
    package var gateways: GatewaySigns.Tally
    /// Size of the store in bytes; `nil` if it is not known.
    package var storeSize: Double?

    package init(
        liveness: Liveness, observation: MatcherObservation, clockIsSynchronized: Bool, filters: Int,
        gateways: GatewaySigns.Tally, storeSize: Double?
    ) {
        self.liveness = liveness
        self.observation = observation
        self.clockIsSynchronized = clockIsSynchronized
        self.filters = filters
        self.gateways = gateways
        self.storeSize = storeSize
    }

    /// Adds the metrics to a scrape.
    package func collect(into scrape: inout Scrape) {
        typealias Name = MatcherMetric
        for part in liveness.parts { scrape.add(Name.live, part.state.isWorking, part.name) }
        scrape.add(Name.active, observation.role == .active)
        scrape.add(Name.clock, clockIsSynchronized)
        scrape.add(Name.brokerConnected, observation.broker == .subscribed)
        scrape.add(Name.subscriptions, observation.broker == .subscribed ? filters : 0)
        scrape.add(Name.gateways, gateways.receiving, "receiving")
        scrape.add(Name.gateways, gateways.deaf, "deaf")
        scrape.add(Name.gateways, gateways.silent, "silent")
        if let storeSize { scrape.add(Name.storeSize, storeSize) }
        if let age = observation.lastStoredAge {
            let (seconds, attoseconds) = age.components
            scrape.add(Name.lastStoredAge, max(0, Double(seconds) + Double(attoseconds) / 1e18))
        }
    }
}
