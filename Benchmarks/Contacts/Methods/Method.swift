import Matching

/// A way to tell contacts; the words are those of figures.
enum Method: String, CaseIterable, Sendable {
    /// Minutes together, as gateways and matcher have them.
    case together
    /// The same minutes by other policies: who is alerted by en-v2, red by cwa-1.15, at a medium risk by further. Each has a
    /// question of its own, and gives one answer to all of these.
    case alert, red, further
    /// Minutes together, made of packets by the benchmark itself.
    case cosine
    /// Rooms and positions on the building's plan: by the plan alone, with modules at gateways, and with these and a survey.
    case placed, modules, surveyed
    /// Policies that take one distance from one gateway, as they were shipped.
    case shipped
    /// The same gateway hears both best in a minute.
    case strongest
    /// The centroids of the gateways, each weighted by the amplitude that it hears, are near each other in a minute.
    case centroid
    /// One gateway hears both.
    case coLocation = "colocation"
    /// The interactions' medians are greatest at the same gateway.
    case nearest
    /// The true room, and no distance.
    case room
    /// All distances from gateways without error, but no direction.
    case exact

    /// For tables.
    var words: String {
        switch self {
        case .together: "together"
        case .alert: "en-v2: alert"
        case .red: "cwa-1.15: red"
        case .further: "further: medium or high"
        case .cosine: "cosine of amplitudes"
        case .placed: "rooms and positions"
        case .modules: "rooms and positions, modules"
        case .surveyed: "rooms and positions, survey"
        case .shipped: "one distance, as shipped"
        case .strongest: "strongest gateway of a minute"
        case .centroid: "weighted centroid, 2.5 m"
        case .coLocation: "heard by one gateway"
        case .nearest: "heard best by one gateway"
        case .room: "(the true room)"
        case .exact: "(exact distances)"
        }
    }

    /// The shipped policy whose answer it is, and from which level on somebody is found.
    var level: (policy: String, least: RiskLevel)? {
        switch self {
        case .alert: ("en-v2", .high)
        case .red: ("cwa-1.15", .high)
        case .further: ("further", .medium)
        default: nil
        }
    }

    /// It knows no more than what gateways hear.
    var isSimple: Bool { [.strongest, .centroid, .coLocation, .nearest].contains(self) }
}

/// What a method says of two people on a day.
struct Verdict: Equatable, Sendable {
    var isContact: Bool
    /// The greater, the more likely; of no unit, and of no meaning from one method to another.
    var score: Double
    /// 0 to 1; `nil`: the method says none.
    var probability: Double?
}
