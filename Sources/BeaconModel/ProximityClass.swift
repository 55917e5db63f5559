/// A class of proximity, as in Apple's CLProximity. The raw value is that of CLProximity.
public enum ProximityClass: Int, Codable, Sendable {
    /// The distance is not known.
    case unknown = 0
    /// Up to 0.5 m.
    case immediate = 1
    /// Up to 3 m.
    case near = 2
    /// More than 3 m.
    case far = 3

    /// The name in records.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .immediate: "immediate"
        case .near: "near"
        case .far: "far"
        }
    }
}
