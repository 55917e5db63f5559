import BeaconModel
import Evidence
import Matching
import RecordContract
import SystemIO

@testable import EvidenceTests

/// Returns a record of a gateway of its own.
func heard(
    _ sequence: UInt64, _ subject: SubjectIdentity, by gateway: String, beacon: String? = nil,
    _ minutes: ClosedRange<Int64>
) throws -> ReceivedRecord {
    let levels = gateway.split(separator: "/").map(String.init)
    guard case .interaction(var record) = record(sequence, "nobody", minutes) else {
        throw SystemError("make a record", errorNumber: 0)
    }
    record.gateway = levels.prefix(4).joined(separator: "/")
    record.origin = gateway + "/1"
    record.subject = subject
    record.place = PlaceName(
        key: beacon ?? gateway, site: levels[0], building: levels[1], floor: levels[2], gateway: gateway,
        room: "room of \(gateway)", beacon: beacon)
    return .interaction(record)
}
