import BeaconModel
import Exposition
import MatcherCore
import SystemIO
import Watching

/// Collects what a matcher knows of itself when it is asked for it.
struct MatcherCollector: Sendable {
    var observer: MatcherObserver
    var gateways: GatewayWatch
    /// Number of topic filters.
    var filters: Int
    var size: StoreSize
    var liveness: @Sendable () -> Liveness

    func collect(into scrape: inout Scrape) async {
        let figures = await MatcherFigures(
            liveness: liveness(), observation: observer.observe(), clockIsSynchronized: WallClock.isSynchronized,
            filters: filters, gateways: gateways.tally(now: WallClock.now().microseconds / 1_000_000),
            storeSize: size.bytes())
        figures.collect(into: &scrape)
    }
}
