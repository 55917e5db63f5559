import BeaconModel
import InteractionStore
import Matching
import OperatorText

/// Beacons that a phone ranged, as it sends them: the readings of the iBeacon seed, in a batch.
struct PhoneReport: Decodable, Sendable {
    /// The phone's id.
    var phone: String
    var interactions: [Reading]

    struct Reading: Decodable, Sendable {
        var uuid: String
        var major: Int
        var minor: Int
        /// `immediate`, `near`, `far`, `unknown`, or Core Location's number for it.
        var proximity: Proximity?
        /// Distance in metres; Core Location gives -1 for an unknown distance.
        var distance: Double?
        var timestamp: String
    }

    enum Proximity: Decodable, Sendable {
        case known, unknown

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let names = ["unknown", "immediate", "near", "far"]
            let index: Int? =
                if let number = try? container.decode(Int.self) {
                    names.indices.contains(number) ? number : nil
                } else {
                    names.firstIndex(of: try container.decode(String.self))
                }
            guard let index else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "must be unknown, immediate, near, far, or 0 to 3")
            }
            self = index == 0 ? .unknown : .known
        }
    }

    static let mostReadings = 1000
}
