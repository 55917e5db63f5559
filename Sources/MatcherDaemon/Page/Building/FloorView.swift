import BeaconModel
import FloorPlans
import MatcherCore
import Matching
import Pages

/// Receivers and people as the page of a floor shows them. Pure.
struct FloorView {
    var plan: FloorPlan
    var receivers: [FloorDocument.Receiver]
    var people: [LivePositionDocument]
    /// Names of people; `nil` for readers who see none.
    var names: [SubjectIdentity: String]?
    /// Modules of the gateways of the floor.
    var modules: [FloorStateDocument.Module] = []
    /// Coverage of the floor; `nil` if it is not shown.
    var coverage: CoverageView?

    /// Key of the row of people who are in no room, or near the border of two.
    static let between = "between"
    /// Key of the row of people who are heard at two places.
    static let conflicting = "conflicting"

    /// The map.
    var picture: String {
        var drawing = FloorPlanDrawing(
            plan, receivers: receivers.map(\.planReceiver),
            // The order in which labels are laid out, here and in the script.
            marks: people.sorted { $0.key < $1.key }.compactMap { person -> FloorPlanDrawing.Mark? in
                guard let x = person.x, let y = person.y else { return nil }
                return FloorPlanDrawing.Mark(
                    position: PlanPoint(x: x, y: y), radius: person.radius ?? 0, label: name(of: person))
            }, styling: .external)
        drawing.shades = coverage?.shades ?? []
        drawing.raisesNames = true
        var states: [String: FloorPlanDrawing.ReceiverState] = [:]
        for row in stateRows {
            let sign = StateSign(rawValue: row.tag.sign) ?? .unknown
            states[row.key] = FloorPlanDrawing.ReceiverState(sign, words: row.tag.words)
        }
        drawing.states = states
        return drawing.svg
    }

    /// Rooms with the people in them.
    var rows: [FloorPage.Row] {
        let rooms = plan.rooms.map { (key: "room:" + $0.name, name: $0.name) }
        let known = Set(rooms.map(\.key))
        var contents: [String: [LivePositionDocument]] = [:]
        for person in people {
            let key = Self.row(of: person)
            contents[known.contains(key) || key == Self.conflicting ? key : Self.between, default: []].append(person)
        }
        let others = [
            (key: Self.between, name: "Between rooms"),
            (key: Self.conflicting, name: "Not certain: heard at two places at once"),
        ]
        return (rooms + others).map { key, name in
            let found = contents[key] ?? []
            return FloorPage.Row(
                key: key, name: name, people: found.compactMap { self.name(of: $0) }.sorted(), count: found.count)
        }
    }

    /// The receivers and modules with their states in words.
    var receiverRows: [FloorPage.Receiver] {
        let places = receivers.map { receiver in
            let place = receiver.room ?? "room not named"
            return (
                name: ReceiverPath(receiver.path).name,
                location: receiver.x == nil ? place + ", position not known: it is not on the map" : place
            )
        }
        let parts = modules.map {
            (name: "module \($0.name)", location: "at gateway \(ReceiverPath($0.gateway).name)")
        }
        return zip(places + parts, stateRows).map { place, row in
            FloorPage.Receiver(key: row.key, name: place.name, location: place.location, state: row.tag)
        }
    }

    /// States of the receivers, then of the modules.
    private var stateRows: [FloorStateWords.Row] {
        FloorStateWords.rows(receivers: receivers.map { ($0.path, $0.isHeard) }, modules: modules)
    }

    /// Returns why an empty map means nothing, on a floor that is not heard.
    ///
    /// - Parameters:
    ///   - isSilent: whether no receiver of the floor is heard.
    ///   - lastHeard: local time of the latest report of a gateway of the floor.
    static func doubt(isSilent: Bool, lastHeard: String?) -> String {
        guard isSilent else {
            return "Not all rooms of this floor are heard: a room that looks empty may not be."
        }
        let sentence = "The receivers of this floor are not heard: an empty map means nothing."
        return lastHeard.map { "Stale since \($0). " + sentence } ?? sentence
    }

    private static func row(of person: LivePositionDocument) -> String {
        if person.state == "room", let room = person.room { return "room:" + room }
        return person.state == conflicting ? conflicting : between
    }

    /// Returns the name of a person, or the identity of one who is not in the register.
    private func name(of person: LivePositionDocument) -> String? {
        guard let names, let subject = person.subject else { return nil }
        return SubjectIdentity(subject).flatMap { names[$0] } ?? subject
    }
}
