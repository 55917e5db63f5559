import FloorPlans
import Localisation
import RealModule

/// Whether one identity is heard where one device cannot be: at two far places at the same time.
struct CloneWatch: Sendable {
    /// A strong reception.
    struct Reception: Equatable, Sendable {
        var building: String
        var position: PlanPoint
        /// Height of the receiver above the building's origin, in metres.
        var height: Double
        var rssi: Double
        var time: Double
    }

    private var strong: [Reception] = []
    /// Evidence: 2 for each second with a contradiction, less 1 for each other.
    private var score = 0
    private(set) var isConflicting = false

    /// Receptions of this age or younger are compared, in seconds: a badge and its copy take turns.
    private static let mostAge = 2.0
    /// RSSI in dBm below which nothing is compared.
    private static let leastRSSI = -80.0
    private static let mostStrong = 8
    /// Score at which a place is conflicting: 10 s of contradictions.
    private static let most = 20
    /// Distance in metres below which nothing contradicts.
    private static let leastDistance = 12.0
    /// Distance between two buildings that is assumed, in metres.
    private static let betweenBuildings = 100.0
    /// How much stronger than the model a device can be, in dB: its power, and reflections.
    private static let margin = 15.0

    init() {}

    /// Takes the strongest receptions of a second.
    mutating func update(_ receptions: [Reception], time: Double, settings: RadioSettings) {
        strong.removeAll { time - $0.time > Self.mostAge }
        let new = receptions.filter { $0.rssi >= Self.leastRSSI }
        let contradicts = new.contains { one in
            strong.contains { Self.contradict(one, $0, settings) }
                || new.contains { Self.contradict(one, $0, settings) }
        }
        strong = Array((strong + new).sorted { $0.rssi > $1.rssi }.prefix(Self.mostStrong))
        score = max(0, min(2 * Self.most, score + (contradicts ? 2 : -1)))
        if score >= Self.most { isConflicting = true } else if score == 0 { isConflicting = false }
    }

    /// Returns whether no device can be heard so strongly at both places: not even halfway between them.
    static func contradict(_ one: Reception, _ other: Reception, _ settings: RadioSettings) -> Bool {
        var distance = betweenBuildings
        if one.building == other.building {
            let (flat, rise) = (one.position.distance(to: other.position), one.height - other.height)
            distance = (flat * flat + rise * rise).squareRoot()
        }
        guard distance > leastDistance else { return false }
        let halfway = settings.referencePower + margin - 10 * settings.exponent * .log10(distance / 2)
        return min(one.rssi, other.rssi) > halfway
    }
}
