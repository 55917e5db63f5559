import BeaconModel
import Exposition
package import InteractionStore
package import MatcherCore
package import Matching
package import OperatorText
package import Publishing
package import RecordContract
import Timetables

/// Configuration of a matcher, completely checked.
package struct MatcherConfiguration: Sendable {
    package var store: StoreLocation
    /// Number of days for which interactions are kept.
    package var retention: Int64
    /// Number of days for which readings, and the results derived from them minute by minute, are kept.
    package var readingRetention: Int64
    /// Maximum number of bytes stored for one gateway and day.
    var dailyQuota: Int64
    package var broker: BrokerConfiguration
    /// Whether the configuration names the client identifier; otherwise the store does.
    package var namesClientID: Bool
    /// Time zone of the site, in which all days are counted; `nil` for UTC.
    var zone: CalendarZone?
    /// Calendar days of that zone.
    package var days: CalendarDays
    package var topicPrefix: String
    /// Topic filters below the prefix and its version. They select the gateways whose records are stored.
    package var filters: [String]
    /// Name of a share. The matchers of a share divide the messages among them, if the broker supports it.
    package var share: String?
    /// Name of the share at the broker, which is secret.
    var secretShare: String?
    package var policy: Policy
    /// Policies by name: the site's own, and those shipped with the program.
    package var policies: [String: Policy]
    var neighbours: [Neighbours]
    package var rooms: [Room]
    /// Settings of the HTTP API; `nil` if it is disabled.
    var api: APISettings?
    /// Settings of the page; `nil` if it is disabled.
    package var page: PageSettings?
    /// Treatment of pictures of test results on the page.
    package var pictures: PictureSettings
    /// Operators who can see attendance and occupancy.
    var operators: [OperatorCredential]
    package var phones: PhoneSettings
    package var reports: ReportSettings
    var notices: NoticeSettings
    /// Settings of e-mail; `nil` if it is disabled.
    package var mail: MailSettings?
    /// Settings of attendance; `nil` if it is disabled.
    package var attendance: AttendanceSettings?
    /// Floor plans; `nil` if there are none.
    package var localisation: LocalisationSettings?
    /// Verifier of messages; if `nil`, all messages are trusted that the broker lets clients publish.
    package var signing: MessageVerifier?
    /// Whether there is a table `signing`. Its keys may be readable for the service alone.
    var namesSigning: Bool
    /// Settings of commands that operators give on the page; `nil` if it gives none.
    var commands: CommandSettings?
    /// Whether there is a table `commands`. Its key may be readable for the service alone.
    var namesCommands: Bool
    /// Where `/metrics` and `/healthz` are answered; `nil`: nowhere.
    var metrics: MetricsSettings?
    /// Kinds of subjects that count as people; if empty, all kinds do.
    var occupancyKinds: Set<String>

    /// Two neighbouring places and their distance.
    struct Neighbours: Equatable, Sendable {
        var places: [String]
        var centimetres: Int64
    }

    static let defaultStore = "/var/lib/beacon-matcher/store.sqlite"

    /// Reads and checks a configuration.
    ///
    /// - Parameters:
    ///   - path: file name for problems, and base of relative paths.
    ///   - secrets: secrets that are read.
    ///   - readFile: returns the contents of a file that the configuration names.
    ///   - locate: returns the path of a file that the configuration names; `nil` for `ConfiguredPath`.
    /// - Throws: `ConfigurationError` with all problems.
    package static func parse(
        _ text: String, path: String, secrets: SecretAccess = SecretAccess(),
        readFile: (String) throws -> [UInt8], locate: ((String) -> String)? = nil
    ) throws(ConfigurationError) -> MatcherConfiguration {
        let locate = locate ?? { ConfiguredPath.resolve($0, in: path) }
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else {
            throw ConfigurationError(path: path, problems: problems.all)
        }
        let configuration = read(root, secrets: secrets, readFile: { try readFile(locate($0)) }, locate: locate)
        root.finish()
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return configuration
    }
}
