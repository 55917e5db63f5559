/// An iBeacon identity: proximity UUID, major and minor (Apple, "Proximity Beacon Specification", release R1).
public struct BeaconID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var uuid: ProximityUUID
    public var major: UInt16
    public var minor: UInt16

    public init(uuid: ProximityUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    public static func < (left: BeaconID, right: BeaconID) -> Bool {
        (left.uuid, left.major, left.minor) < (right.uuid, right.major, right.minor)
    }

    /// `uuid/major/minor`, as in the topics.
    public var description: String { "\(uuid)/\(major)/\(minor)" }
}
