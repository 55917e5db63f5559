package import Evidence
package import Localisation
package import Matching

/// What the receivers of a building hear of a badge while somebody stands at a spot.
package struct SurveyTally: Sendable {
    private let badge: SubjectIdentity
    private let building: String
    /// Strength by receiver and second, in dBm.
    private var heard: [String: [Int64: Double]] = [:]
    /// Gateways of the building that have sent signals at all.
    package private(set) var gateways: Set<String> = []

    private static let mostReceivers = 1_000
    private static let mostSeconds = 3_600

    /// Creates the tally.
    ///
    /// - Parameter building: `site/building`.
    package init(badge: SubjectIdentity, building: String) {
        self.badge = badge
        self.building = building
    }

    /// Begins a spot: what was heard before does not count.
    package mutating func begin() { heard = [:] }

    /// Takes the signals of a receiver.
    package mutating func add(_ record: SignalsRecord) {
        guard record.receiver.building == building, gateways.count < Self.mostReceivers else { return }
        gateways.insert(record.gateway)
        guard let rssi = record.subjects.first(where: { $0.identity == badge })?.rssi, rssi.isFinite,
            heard[record.receiver] != nil || heard.count < Self.mostReceivers,
            heard[record.receiver, default: [:]].count < Self.mostSeconds
        else { return }
        heard[record.receiver, default: [:]][record.second] = rssi
    }

    /// What was heard, in the order of receivers.
    package var signals: [SurveySpot.Signal] {
        heard.sorted { $0.key < $1.key }.map { receiver, seconds in
            SurveySpot.Signal(
                receiver: receiver, rssi: seconds.values.reduce(0, +) / Double(seconds.count), seconds: seconds.count)
        }
    }

    /// Number of receivers that heard the badge, and the strongest mean in dBm.
    package var summary: (receivers: Int, strongest: Double?) { (heard.count, signals.map(\.rssi).max()) }
}
