import BeaconModel
import OperatorText
import RecordContract
import Rollout

/// Questions to the broker about all gateways.
enum FleetSurvey {
    /// Time without a further message after which a broker is taken to have sent everything that it kept.
    static let quiet: Duration = .milliseconds(700)
    static let limit: Duration = .seconds(20)

    /// Topics that a plan needs.
    static let topics: [HeardMessage.Topic] = [.status, .info, .configuration]

    static func plan(_ directory: FleetDirectory, _ gateways: [GatewayPath]) async throws -> RolloutPlan {
        let prefix = directory.settings.prefix
        let heard = try await FleetConnection.use(
            directory.settings.broker, prefix: prefix,
            filters: HeardMessage.filters(prefix: prefix, sites: directory.sites, topics, replies: false)
        ) { try await $0.survey(quiet: quiet, limit: limit) }
        return try await plan(directory, gateways, heard)
    }

    static func plan(
        _ directory: FleetDirectory, _ gateways: [GatewayPath], _ heard: HeardFleet
    ) async throws -> RolloutPlan {
        RolloutPlan(
            gateways.compactMap { directory.documents[$0] }, heard: heard, former: try await directory.former(heard),
            known: Set(directory.documents.gateways))
    }
}

extension FleetDirectory {
    /// Name of the state of the files, for people.
    var name: String { revision.map { "commit \($0.short)" } ?? "files that are not committed" }
}
