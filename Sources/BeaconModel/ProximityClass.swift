/// A class of proximity, as in Apple's CLProximity. The raw value is that of CLProximity.
public enum ProximityClass: Int, Codable, Sendable {
    case unknown = 0
    case immediate = 1
    case near = 2
    case far = 3

    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .immediate: "immediate"
        case .near: "near"
        case .far: "far"
        }
    }
}
