import Exposition
import MatcherCore
import Publishing

/// Settings that a running matcher takes over from a new configuration. Pure.
extension MatcherConfiguration {
    /// Returns this configuration with all settings of `new` that can change while the matcher runs.
    func takingUp(_ new: MatcherConfiguration) -> MatcherConfiguration {
        var merged = self
        // Policies and attendance count days in this zone.
        (merged.zone, merged.days) = (new.zone, new.days)
        merged.policy = new.policy
        merged.policies = new.policies
        merged.neighbours = new.neighbours
        merged.rooms = new.rooms
        merged.occupancyKinds = new.occupancyKinds
        merged.attendance = new.attendance
        merged.localisation = new.localisation
        (merged.signing, merged.namesSigning) = (new.signing, new.namesSigning)
        (merged.commands, merged.namesCommands) = (new.commands, new.namesCommands)
        merged.reports.authorities = new.reports.authorities
        merged.reports.audience = new.reports.audience
        merged.reports.pseudonymKeys = new.reports.pseudonymKeys
        merged.operators = new.operators
        // Its address stays: sessions, links and the identity provider have it.
        if let address = page?.address, let new = new.page {
            merged.page = PageSettings(
                address: address, login: page?.login, sessions: new.sessions, courses: new.courses)
        }
        // The store learns only at the start which beacons are proofs.
        let proofUUID = phones.proofUUID
        merged.phones = new.phones
        merged.phones.proofUUID = proofUUID
        return merged
    }

    /// Returns whether `new` connects to the broker in the same way.
    private func isConnectedAs(_ new: MatcherConfiguration) -> Bool {
        var other = new.broker
        // The identifier is the store's, which stays.
        if !namesClientID, !new.namesClientID { other.clientID = broker.clientID }
        return broker == other
    }

    /// Returns the tables and keys that differ in `new` and need a restart.
    func needsRestart(to new: MatcherConfiguration) -> [String] {
        let tables: [(name: String, hasChanged: Bool)] = [
            ("store.location", store != new.store), ("store.retention-days", retention != new.retention),
            // By default it follows `store.retention-days`.
            (
                "store.readings-retention-days",
                readingRetention != new.readingRetention && retention == new.retention
            ),
            ("store.daily-quota", dailyQuota != new.dailyQuota),
            (
                "mqtt",
                !isConnectedAs(new) || topicPrefix != new.topicPrefix || filters != new.filters
                    || share != new.share
            ),
            ("phones.proof-uuid", phones.proofUUID != new.phones.proofUUID),
            ("api", api != new.api), ("page.base-url", page?.address != new.page?.address),
            ("pictures", pictures != new.pictures),
            ("login", page?.login != new.page?.login),
            ("reports.retention-days", reports.retention != new.reports.retention),
            ("metrics", metrics != new.metrics),
            ("notices", notices != new.notices), ("mail", mail != new.mail),
        ]
        return tables.filter(\.hasChanged).map(\.name)
    }
}
