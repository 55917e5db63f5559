import BeaconModel
import InteractionStore
import MQTTBridge
import OperatorText

/// What a matcher reads of a gateway's health.
struct GatewayHealth: Decodable {
    struct Outbox: Decodable {
        /// The first record that it still holds.
        var oldest: RecordPosition?
    }

    var time: String?
    var outbox: Outbox?

    /// So many seconds around it a message is of the present.
    static let patience: Int64 = 600

    static let old = RecordReader.Defect(
        "tells of a time more than \(patience / 60) minutes from this machine's: it is an old one, or a clock is wrong")

    /// `nil` when nothing can be read of it.
    init?(_ payload: [UInt8]) {
        guard payload.count <= RecordReader.longestRecord,
            let health = try? JSON.decode(GatewayHealth.self, from: payload)
        else { return nil }
        self = health
        // Numbers that no gateway can have would have all its records look stored.
        if outbox?.oldest?.isPossible == false { outbox?.oldest = nil }
    }

    /// Whether it was said about that time.
    ///
    /// - Parameter now: seconds since 1970.
    func isOf(_ now: Int64) -> Bool {
        guard let seconds = time.flatMap({ RFC3339Text.parse($0) }).map({ $0.microseconds / 1_000_000 }) else {
            return false
        }
        return abs(seconds - now) <= Self.patience
    }
}
