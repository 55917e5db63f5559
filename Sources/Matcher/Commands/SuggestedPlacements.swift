import BeaconModel
import FloorPlans
import InteractionStore
import Localisation
import OperatorText
import RecordContract

/// Suggested and disagreeing positions as they are shown. Pure.
struct SuggestedPlacements {
    private let plans: [FloorPlan]
    private let report: PlacementReport
    /// Paths of receivers on floors without a plan.
    private let withoutPlan: [String]
    /// Number of receivers that have a position.
    private let known: Int

    /// - Parameter floor: path of the only floor that is shown; `nil`: all.
    init(
        plans: [FloorPlan], receivers: [InteractionStore.ReceiverPosition], levels: [MutualLevel],
        floor: String?
    ) {
        self.plans = plans
        let floors = Dictionary(plans.indices.map { (plans[$0].path, $0) }) { first, _ in first }
        var placed: [PlacementReceiver] = []
        var withoutPlan: [String] = []
        for receiver in receivers {
            let plain = PlanReceiver(path: receiver.path, position: receiver.position, room: receiver.room)
            guard let index = floors[plain.floor] else {
                if floor == nil, receiver.position == nil { withoutPlan.append(receiver.path) }
                continue
            }
            placed.append(
                PlacementReceiver(
                    path: receiver.path, floor: index, position: plain.point,
                    height: receiver.position?.z ?? PlacementReceiver.usualHeight, room: receiver.room))
        }
        self.withoutPlan = withoutPlan
        var report = PlacementReport(
            plans: plans, receivers: placed,
            levels: levels.map {
                MutualLevel(beacon: $0.beacon, receiver: $0.receiver, rssi: $0.rssi, minutes: $0.minutes)
            })
        if let floor {
            report.suggestions.removeAll { plans[$0.floor].path != floor }
            report.disagreements.removeAll { plans[$0.floor].path != floor }
        }
        self.report = report
        known = placed.count { $0.position != nil && (floor == nil || plans[$0.floor].path == floor) }
    }

    /// Lines of the table of suggested positions; none if there are none.
    func table(width: Int?) -> [String] {
        var table = TextTable([
            ("RECEIVER", .left), ("ROOM", .left), ("X", .right), ("Y", .right), ("WITHIN", .right), ("LINKS", .right),
            ("FLOOR", .left),
        ])
        var count = 0
        for suggestion in report.suggestions {
            guard let placement = suggestion.placement else { continue }
            count += 1
            table.add([
                Self.name(suggestion.path), room(placement, on: suggestion.floor),
                Format.fixed(placement.position.x, 1) + " m", Format.fixed(placement.position.y, 1) + " m",
                Self.radius(placement), "\(suggestion.links)", plans[suggestion.floor].path,
            ])
        }
        return count == 0 ? [] : table.lines(width: width)
    }

    /// Lines for the configurations of gateways.
    var configuration: [String] {
        report.suggestions.compactMap { suggestion in
            suggestion.placement.map { "\(suggestion.path): \(Self.entry($0))" }
        }
    }

    /// What could not be placed, what is uncertain, and what disagrees.
    var notes: [String] {
        var notes: [String] = []
        if report.suggestions.contains(where: { $0.placement != nil }) {
            notes.append(
                "the lines are for [place] of each gateway, or the table of the remote receiver; z is assumed: confirm "
                    + "and measure before you enter them")
        }
        let unanchored = Set(
            report.suggestions.filter { $0.placement?.isAnchored == false }.map { plans[$0.floor].path })
        for floor in unanchored.sorted() {
            notes.append(
                "\(floor): no receiver there or on the next floors has a position, so all may be turned or mirrored: "
                    + "enter the positions of three receivers in different corners first")
        }
        notes += report.suggestions.compactMap { suggestion in
            guard case .missing(let reason) = suggestion.outcome else { return nil }
            return "\(suggestion.path): not placed: \(reason.text)"
        }
        notes += withoutPlan.map { "\($0): not placed: its floor has no plan" }
        notes += report.disagreements.map { disagreement in
            let (stated, fitted) = (disagreement.stated, disagreement.fitted.position)
            return "\(disagreement.path): states \(Self.point(stated)); what it hears fits \(Self.point(fitted)) ± "
                + "\(Self.radius(disagreement.fitted)) better: was it moved? It was not used to place others"
        }
        if report.suggestions.isEmpty, withoutPlan.isEmpty {
            notes.append("all \(known) receivers have positions")
        }
        return notes
    }

    /// Lines of `--json`.
    var documents: [PlacementDocument] {
        report.suggestions.map { suggestion in
            var document = PlacementDocument(
                receiver: suggestion.path, floor: plans[suggestion.floor].path, state: "missing",
                links: suggestion.links)
            switch suggestion.outcome {
            case .missing(let reason): document.reason = reason.rawValue
            case .placed(let placement):
                document.state = "suggested"
                document.set(placement, room: name(ofRoom: placement, on: suggestion.floor))
            }
            return document
        }
            + withoutPlan.map { path in
                PlacementDocument(
                    receiver: path, floor: PlanReceiver(path: path).floor, state: "missing", links: 0,
                    reason: "no-plan")
            }
            + report.disagreements.map { disagreement in
                var document = PlacementDocument(
                    receiver: disagreement.path, floor: plans[disagreement.floor].path, state: "disagrees",
                    links: disagreement.links)
                document.set(disagreement.fitted, room: name(ofRoom: disagreement.fitted, on: disagreement.floor))
                document.statedX = disagreement.stated.x
                document.statedY = disagreement.stated.y
                return document
            }
    }

    private static func name(_ path: String) -> String { PlanReceiver(path: path).name }

    private static func radius(_ placement: PlacementSuggestion.Placement) -> String {
        Format.fixed(placement.radius, 1) + " m"
    }

    private static func point(_ point: PlanPoint) -> String {
        "\(Format.fixed(point.x, 1)), \(Format.fixed(point.y, 1))"
    }

    private static func entry(_ placement: PlacementSuggestion.Placement) -> String {
        let (x, y) = (Format.fixed(placement.position.x, 1), Format.fixed(placement.position.y, 1))
        return "position = { x = \(x), y = \(y), z = \(Format.fixed(PlacementReceiver.usualHeight, 1)) }"
    }

    private func name(ofRoom placement: PlacementSuggestion.Placement, on floor: Int) -> String? {
        placement.room.map { plans[floor].rooms[$0].name }
    }

    private func room(_ placement: PlacementSuggestion.Placement, on floor: Int) -> String {
        let name = name(ofRoom: placement, on: floor) ?? "between rooms"
        return "\(name), \(Format.fixed(100 * placement.roomProbability, 0)) %"
    }
}

/// A line of `floors suggest --json`. Lengths are in metres.
struct PlacementDocument: Encodable {
    var receiver: String
    var floor: String
    /// `suggested`, `missing` or `disagrees`.
    var state: String
    var links: Int
    /// Reason why a position is missing.
    var reason: String?
    var room: String?
    var roomProbability: Double?
    var x: Double?
    var y: Double?
    /// Radius that holds the position in nine of ten cases.
    var within: Double?
    /// Whether a receiver of the floor, or of the next one above or below, has a position.
    var isAnchored: Bool?
    var statedX: Double?
    var statedY: Double?

    init(receiver: String, floor: String, state: String, links: Int, reason: String? = nil) {
        self.receiver = receiver
        self.floor = floor
        self.state = state
        self.links = links
        self.reason = reason
    }

    mutating func set(_ placement: PlacementSuggestion.Placement, room: String?) {
        self.room = room
        roomProbability = rounded(placement.roomProbability, 100)
        x = rounded(placement.position.x, 10)
        y = rounded(placement.position.y, 10)
        within = rounded(placement.radius, 10)
        isAnchored = placement.isAnchored
    }
}

extension PlacementSuggestion.Reason {
    fileprivate var text: String {
        switch self {
        case .unheard:
            "it hears no other receiver's beacon, and none hears its own: check [place] beacon and `places list`"
        case .singleLink: "only one other receiver is in reach, which gives a distance and no direction; name its room"
        case .noFloor: "its floor's plan has no area"
        }
    }
}
