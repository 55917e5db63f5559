/// How RSSI becomes distance, for whom.
public struct DistanceRules: Equatable, Sendable {
    /// Beacons and badges heard by the gateway's fixed antenna.
    public var beacons: DistanceModel = .general
    /// Phones on people.
    public var phones: DistanceModel = .phoneToGateway
    /// What was measured of single beacons.
    public var calibration = Calibration()

    public init() {}
}
