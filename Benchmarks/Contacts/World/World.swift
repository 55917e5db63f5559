/// A building, its air, and what people do in it.
struct World: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case offices
        case halls
        case thinWalls = "thin-walls"
    }

    var plan: Plan
    var radio: RadioConstants
    var behaviour: Behaviour
    /// Unless options say otherwise.
    var density: Density

    init(_ name: Name) {
        switch name {
        case .offices:
            (plan, radio, behaviour, density) = (.offices, RadioConstants(), Behaviour(), .everyRoom)
        case .halls:
            (plan, radio, density) = (.halls, .halls, .everyRoom)
            behaviour = Behaviour(talks: 2, lectures: Behaviour.Lectures())
        case .thinWalls:
            (plan, radio, density) = (.thinWalls, .thinWalls, .everySecondRoom)
            behaviour = Behaviour(teamSize: 4, meetings: 0.4, lunch: 0.5, visits: 3, talks: 2)
        }
    }
}
