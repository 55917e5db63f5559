/// Distance models by kind of subject.
public struct DistanceRules: Equatable, Sendable {
    /// Model for beacons and badges received by the gateway's fixed antenna.
    public var beacons: DistanceModel = .general
    /// Model for phones on people.
    public var phones: DistanceModel = .phoneToGateway
    /// Measurements of single beacons.
    public var calibration = Calibration()

    /// Creates the default rules.
    public init() {}
}
