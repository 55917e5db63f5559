/// An iBeacon identity: proximity UUID, major and minor (Apple, "Proximity Beacon Specification", release R1).
public struct BeaconID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Proximity UUID, the same for all beacons of an owner.
    public var uuid: ProximityUUID
    /// Major number, for example the building or floor.
    public var major: UInt16
    /// Minor number, for example the room.
    public var minor: UInt16

    /// Creates an identity from its parts.
    public init(uuid: ProximityUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    public static func < (left: BeaconID, right: BeaconID) -> Bool {
        (left.uuid, left.major, left.minor) < (right.uuid, right.major, right.minor)
    }

    /// Text form `uuid/major/minor`, as in MQTT topics.
    public var description: String { "\(uuid)/\(major)/\(minor)" }
}

extension BeaconID {
    /// Parses `UUID/MAJOR/MINOR`, with decimal numbers. Returns `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let uuid = ProximityUUID(parts[0]), let major = Self.number(parts[1]),
            let minor = Self.number(parts[2])
        else { return nil }
        self.init(uuid: uuid, major: major, minor: minor)
    }

    /// Parses a number without a sign, which `UInt16` would accept.
    private static func number(_ text: some StringProtocol) -> UInt16? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? UInt16(text) : nil
    }
}
