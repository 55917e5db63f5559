/// Who carries a device, by what identifies it: a badge by its beacon, a phone by its pseudonym or random id.
public struct SubjectIdentity: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// `badge` for a carried iBeacon, `phone` for a phone that reports beacons itself, else the kind of a record's
    /// counterpart (`exposure-notification`, `ble-proximity`, `further`, `c19x`, `herald`).
    public let kind: String
    /// Of a badge `uuid/major/minor`; of others the id in the record or the report.
    public let id: String

    public static let badge = "badge"
    public static let phone = "phone"
    public static let form = "KIND:ID, such as badge:UUID/MAJOR/MINOR or phone:ID"
    /// In bytes.
    public static let longestKind = 32
    public static let longestID = 128

    /// `nil` when one of the two is empty, too long or holds what no record does.
    public init?(kind: String, id: String) {
        guard (1...Self.longestKind).contains(kind.utf8.count), (1...Self.longestID).contains(id.utf8.count),
            kind.utf8.allSatisfy({ Self.isLower($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") }),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.kind = kind
        self.id = id
    }

    /// As a person writes it: `KIND:ID`.
    public init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let kind = String(text[..<colon])
        let id = String(text[text.index(after: colon)...])
        // UUIDs are written in either case.
        self.init(kind: kind, id: kind == Self.badge ? id.lowercased() : id)
    }

    public static func < (left: Self, right: Self) -> Bool { (left.kind, left.id) < (right.kind, right.id) }

    public var description: String { "\(kind):\(id)" }

    private static func isLower(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
