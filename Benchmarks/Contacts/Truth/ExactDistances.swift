import Glibc

/// What the policies' geometry allows: verdicts as if the distance of everybody from every gateway of the floor were known
/// without error, but not in which direction.
struct ExactDistances: Sendable {
    private let people: Int
    /// By pair: minutes, each by the probability that the two were within 2 m, at the gateway that tells most.
    private var expectedMinutes: [Double]

    /// Seconds between two looks.
    private static let step = 30
    private static let radius = 2.0

    init(_ walks: Walks, _ building: Building) {
        people = walks.people
        expectedMinutes = Array(repeating: 0, count: people * people)
        for second in stride(from: 0, to: walks.seconds, by: Self.step) {
            for floor in 0..<building.floors {
                let gateways = building.gateways.filter { $0.floor == floor }
                let present = (0..<people).compactMap { person -> (person: Int, distances: [Double])? in
                    let position = walks[person, second]
                    guard position.isInside, building.rooms[Int(position.room)].floor == floor else { return nil }
                    return (person, gateways.map { Self.distance(position, $0, building.height) })
                }
                for (index, one) in present.enumerated() {
                    for other in present[(index + 1)...] {
                        let most = zip(one.distances, other.distances).reduce(0) {
                            max($0, Self.probability($1.0, $1.1))
                        }
                        expectedMinutes[one.person * people + other.person] += most * Double(Self.step) / 60
                    }
                }
            }
        }
    }

    /// Of the contact that a policy finds; `nil` when it finds none.
    func minutes(_ question: Question, _ truth: ContactTruth, _ one: Int, _ other: Int) -> Double? {
        switch question {
        case .sameBeaconSoon, .sameBeaconFive, .sixMetresFive:
            // Two distances of 3 m at most have a sum of 6 m at most: the policy finds just those.
            let times = truth[one, other]
            return Question.sameBeaconSoon.isContact(times) ? Double(times.atOneBeacon) / 60 : nil
        case .twoMetresThirty:
            let minutes = expected(one, other)
            return minutes >= 30 ? minutes : nil
        }
    }

    /// Minutes within 2 m that are to be expected at the gateway that tells most.
    func expected(_ one: Int, _ other: Int) -> Double { expectedMinutes[min(one, other) * people + max(one, other)] }

    /// That two at these distances from a point, in any directions, are within 2 m of each other: the law of cosines.
    static func probability(_ one: Double, _ other: Double) -> Double {
        let cosine = (one * one + other * other - radius * radius) / (2 * one * other)
        if cosine >= 1 { return 0 }
        return cosine <= -1 ? 1 : acos(cosine) / .pi
    }

    private static func distance(_ position: Walks.Position, _ gateway: Building.Gateway, _ height: Double) -> Double {
        hypot(hypot(Double(position.x) - gateway.x, Double(position.y) - gateway.y), height)
    }
}
