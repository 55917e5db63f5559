/// What a running matcher takes up of a configuration that was read again. Pure.
extension MatcherConfiguration {
    /// This configuration with all of `new` that can change while the matcher runs.
    func takingUp(_ new: MatcherConfiguration) -> MatcherConfiguration {
        var merged = self
        // Policies and attendance count days by it.
        (merged.zone, merged.days) = (new.zone, new.days)
        merged.policy = new.policy
        merged.policies = new.policies
        merged.neighbours = new.neighbours
        merged.rooms = new.rooms
        merged.occupancyKinds = new.occupancyKinds
        merged.attendance = new.attendance
        merged.signing = new.signing
        merged.reports.authorities = new.reports.authorities
        merged.reports.audience = new.reports.audience
        merged.reports.pseudonymKey = new.reports.pseudonymKey
        if let token = new.api { merged.api?.operatorToken = token.operatorToken }
        return merged
    }

    /// Tables and keys in which `new` differs and which need a restart.
    func needsRestart(to new: MatcherConfiguration) -> [String] {
        var (ownAPI, newAPI) = (api, new.api)
        ownAPI?.operatorToken = nil
        newAPI?.operatorToken = nil
        let tables: [(name: String, hasChanged: Bool)] = [
            ("store.location", store != new.store), ("store.retention-days", retention != new.retention),
            // By default it follows the other.
            (
                "store.readings-retention-days",
                readingRetention != new.readingRetention && retention == new.retention
            ),
            (
                "mqtt",
                broker != new.broker || topicPrefix != new.topicPrefix || filters != new.filters
                    || share != new.share
            ),
            ("api", ownAPI != newAPI),
            ("reports.retention-days", reports.retention != new.reports.retention),
            ("notices", notices != new.notices),
        ]
        return tables.filter(\.hasChanged).map(\.name)
    }
}
