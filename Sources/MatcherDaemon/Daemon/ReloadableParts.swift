import CommandSupport
import InteractionStore
import MatcherCore

/// Parts of the configuration that a matcher's services read at the beginning of each piece of work.
struct ReloadableParts: Sendable {
    var configuration: Reloadable<MatcherConfiguration>
    var matching: Reloadable<ReportMatching>
    var occupancy: Reloadable<OccupancySearch>

    init(_ configuration: MatcherConfiguration) {
        self.configuration = Reloadable(Self.prepared(configuration))
        matching = Reloadable(Self.matching(configuration))
        occupancy = Reloadable(Self.occupancy(configuration))
    }

    func replace(with configuration: MatcherConfiguration) {
        self.configuration.replace(with: Self.prepared(configuration))
        matching.replace(with: Self.matching(configuration))
        occupancy.replace(with: Self.occupancy(configuration))
    }

    private static func prepared(_ configuration: MatcherConfiguration) -> MatcherConfiguration {
        var prepared = configuration
        prepared.signing = configuration.signing?.cached
        return prepared
    }

    private static func matching(_ configuration: MatcherConfiguration) -> ReportMatching {
        ReportMatching(
            policy: configuration.policy, retention: configuration.retention,
            phoneDelay: configuration.phones.tellingDelay)
    }

    private static func occupancy(_ configuration: MatcherConfiguration) -> OccupancySearch {
        OccupancySearch(rooms: configuration.rooms, kinds: configuration.occupancyKinds)
    }
}
