import BeaconModel
import CommandSupport
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Publishing
import RecordContract
import SystemIO

/// Reload of a changed configuration while the matcher runs.
struct MatcherReload: Sendable {
    /// Configuration at the start. Its values stay for settings that need a restart.
    var started: MatcherConfiguration
    var parts: ReloadableParts
    var store: SharedStore
    /// The API; `nil` if the configuration at the start has none.
    var api: Reloadable<APIService>?
    var live: LivePlaces?
    /// Reads and checks the configuration again.
    var load: @Sendable () throws -> MatcherConfiguration

    /// Reloads the configuration.
    ///
    /// - Throws: problems of the configuration, or of the timetable or roster that it names; then nothing is changed.
    func reload() async throws -> ReloadOutcome {
        let new = try load()
        let now = WallClock.now().microseconds / 1_000_000
        if let settings = new.attendance {
            let uploads = try store.use { try $0.uploads() }
            _ = try AttendanceFiles.load(settings, uploads: uploads, fixedBeacons: new.fixedSubjects, now: now)
        }
        let merged = try store.use { try started.takingUp(new).withDrawnFloors(of: $0) }
        try store.use { store in
            try store.setNeighbours(merged.neighbourDistances)
            try store.setFixedBeacons(merged.fixedBeacons, now: now)
        }
        let before = parts.configuration.current
        parts.replace(with: merged)
        await live?.apply(merged.localisation)
        live?.streams.endStreams(unless: merged.operators)
        if let api {
            var service = api.current
            service.policy = merged.policy
            service.verifier = await ReportVerifier(merged.reports, codes: service.codes)
            service.pseudonymizers = merged.reports.pseudonymKeys.map { Pseudonymizer(secret: $0) }
            service.operators = merged.operators
            service.occupancy = parts.occupancy.current
            service.configuration = merged
            service.attendanceFiles = AttendanceReader()
            api.replace(with: service)
        }
        return ReloadOutcome(
            reloaded: [
                "site (\(merged.days.name))", "matching (policy \(merged.policy.name) \(merged.policy.version))",
                "neighbours", "phones",
                "rooms (\(merged.rooms.count))", "occupancy", "attendance",
                "localisation (\(Self.count(merged.localisation?.plans.count ?? 0, "floor")), live \(Self.live(merged)))",
                "authorities",
                "reports.audience", "signing", "commands (\(Self.commands(merged)))",
                "reports.pseudonym-key-files", "operators (\(merged.operators.count))",
            ], needsRestart: started.needsRestart(to: new),
            warnings: Self.warnings(from: before, to: merged))
    }

    private static func live(_ configuration: MatcherConfiguration) -> String {
        configuration.localisation?.live.isOn == true ? "on" : "off"
    }

    private static func commands(_ configuration: MatcherConfiguration) -> String {
        switch configuration.commands {
        case .signed?: "signed"
        case .unsigned?: "not signed"
        case nil: "off"
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns the warnings that a new configuration adds.
    static func warnings(
        from before: MatcherConfiguration, to new: MatcherConfiguration
    ) -> [ConfigurationWarning] {
        let known = before.warnings
        var warnings = new.warnings.filter { !known.contains($0) }
        // With a broker on another machine this warning is there already.
        if before.signing != nil, new.signing == nil, !warnings.contains(where: { $0.key == "signing" }) {
            warnings.append(
                ConfigurationWarning(
                    key: "signing", found: "was removed",
                    meaning: "whoever can publish, including the broker, can forge records",
                    remedy: "restore the table"))
        }
        return warnings
    }
}
