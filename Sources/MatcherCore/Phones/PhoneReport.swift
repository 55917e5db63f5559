import BeaconModel
import Matching
import OperatorText

/// Beacons that a phone ranged, as it sends them: the readings of the iBeacon seed, in a batch.
package struct PhoneReport: Decodable, Sendable {
    /// The phone's id.
    package var phone: String
    package var interactions: [Reading]

    package struct Reading: Decodable, Sendable {
        package var uuid: String
        package var major: Int
        package var minor: Int
        /// `immediate`, `near`, `far`, `unknown`, or Core Location's number for it.
        package var proximity: Proximity?
        /// Distance in metres; Core Location gives -1 for an unknown distance.
        package var distance: Double?
        package var timestamp: String
    }

    package enum Proximity: Decodable, Sendable {
        case known, unknown

        package init(from decoder: any Decoder) throws {
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
