import BeaconModel
import OperatorText

/// Identity of the carrier of a device: a badge by its beacon, a phone by its pseudonym or random id.
package struct SubjectIdentity: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Kind: `badge` for a carried iBeacon, `phone` for a phone that reports beacons itself, otherwise the kind of the
    /// record's counterpart (`exposure-notification`, `ble-proximity`, `further`, `c19x`, `herald`).
    package let kind: String
    /// Identifier: `uuid/major/minor` for a badge, otherwise the id in the record or the report.
    package let id: String

    package static let badge = "badge"
    package static let phone = "phone"
    package static let form = "KIND:ID, such as badge:UUID/MAJOR/MINOR or phone:ID"
    /// Identity of a badge as an example for people who do not know the form.
    package static let example = "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/42"
    /// Maximum lengths of kind and id, in bytes.
    package static let longestKind = 32
    package static let longestID = 128

    /// Creates an identity; `nil` when a part is empty, too long or contains characters that do not occur in records.
    package init?(kind: String, id: String) {
        guard (1...Self.longestKind).contains(kind.utf8.count), (1...Self.longestID).contains(id.utf8.count),
            kind.utf8.allSatisfy({ Self.isLower($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") }),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.kind = kind
        self.id = id
    }

    /// Parses an identity as a person writes it: `KIND:ID`. A badge must be the identity of a beacon and is normalized
    /// to the form in records: its UUID can be in either case, and without hyphens.
    package init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        self.init(writtenKind: String(text[..<colon]), id: String(text[text.index(after: colon)...]))
    }

    /// Creates an identity from two parts as an app writes them, normalized in the same way.
    package init?(writtenKind kind: String, id: String) {
        guard kind == Self.badge else {
            self.init(kind: kind, id: id)
            return
        }
        guard let beacon = BeaconID(id) else { return nil }
        self.init(kind: kind, id: beacon.description)
    }

    /// Returns the expected form for a text that is not a subject, for an error message.
    package static func allowed(insteadOf text: String) -> String {
        let prefix = badge + ":"
        guard text.hasPrefix(prefix) else { return "must be \(form)" }
        let form = "must be badge:UUID/MAJOR/MINOR"
        let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return form }
        if ProximityUUID(parts[0]) != nil { return form + ", the two numbers from 0 to 65535" }
        if let other = parts[0].first(where: { !$0.isHexDigit && $0 != "-" }) {
            return form + ": \(String(other).excerpt) is not a hexadecimal digit"
        }
        let count = parts[0].count { $0.isHexDigit }
        return form + ": the UUID has \(count) digits, and must have 32, in groups of 8-4-4-4-12"
    }

    package static func < (left: Self, right: Self) -> Bool { (left.kind, left.id) < (right.kind, right.id) }

    package var description: String { "\(kind):\(id)" }

    private static func isLower(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
