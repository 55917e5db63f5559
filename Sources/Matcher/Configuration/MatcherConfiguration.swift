import BeaconModel
import InteractionStore
import Matching
import OperatorText
import Publishing
import RecordContract
import Timetables

/// What a matcher is told by its file, checked completely.
struct MatcherConfiguration: Sendable {
    var store: StoreLocation
    /// For how many days interactions are kept.
    var retention: Int64
    /// For how many days readings are kept, and what follows from them minute by minute.
    var readingRetention: Int64
    /// Bytes that one gateway may have stored of one day.
    var dailyQuota: Int64
    var broker: BrokerConfiguration
    /// Whether the client identifier is the configuration's; else it is the store's.
    var namesClientID: Bool
    /// The site's time zone, by whose days everything is counted that is said in days; UTC where it is `nil`.
    var zone: CalendarZone?
    /// Its days.
    var days: CalendarDays
    var topicPrefix: String
    /// Of topics below the prefix's version: which gateways' records are stored.
    var filters: [String]
    /// Several matchers of one share divide the messages among them, where the broker can.
    var share: String?
    /// Its name at the broker, which nobody else knows.
    var secretShare: String?
    var policy: Policy
    /// The site's own, and those that come with the program.
    var policies: [String: Policy]
    var neighbours: [Neighbours]
    var rooms: [Room]
    /// `nil`: there is none.
    var api: APISettings?
    /// Who may see attendance and occupancy.
    var operators: [OperatorCredential]
    var phones: PhoneSettings
    var reports: ReportSettings
    var notices: NoticeSettings
    /// `nil` where nobody asks for it.
    var attendance: AttendanceSettings?
    /// Whose messages are believed; `nil`: everybody's whom the broker lets publish.
    var signing: MessageVerifier?
    /// Whether there is a table `signing`, whose keys only the service may have.
    var namesSigning: Bool
    /// Which kinds of subjects are counted as people; everyone without.
    var occupancyKinds: Set<String>

    /// Two places side by side.
    struct Neighbours: Equatable, Sendable {
        var places: [String]
        var centimetres: Int64
    }

    static let defaultStore = "/var/lib/beacon-matcher/store.sqlite"

    /// - Parameters:
    ///   - path: what problems are reported of, and where relative paths begin.
    ///   - secrets: those that are read.
    ///   - readFile: gives the contents of a file that the configuration names.
    ///   - locate: gives the path of a file that the configuration names; `nil` for `ConfiguredPath`.
    /// - Throws: `ConfigurationError` with everything that is wrong.
    static func parse(
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
