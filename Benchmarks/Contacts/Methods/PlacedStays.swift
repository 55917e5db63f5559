import FloorPlans
import Localisation

/// Where everybody was, stay by stay, by the product's own localisation, and who was near whom by that.
struct PlacedStays: Sendable {
    /// Minutes of each two people in one room and near each other.
    struct Common: Equatable, Sendable {
        var within6m = 0.0
        var within2m = 0.0
    }

    private(set) var pairs: Pairs<Common>

    /// Nearness within 6 m, relative to the room's size, from which a stay counts without and with a survey.
    ///
    /// Chosen on offices, thin walls and halls together, two days each: the mean F1 of the days differs by one point
    /// from 0.2 to 0.35 without a survey, and from 0.3 to 0.5 with one. Offices want more than the others.
    private static let threshold6m = (plain: 0.3, surveyed: 0.5)
    /// Probability of nearness within 2 m from which a stay counts.
    private static let threshold2m = 0.2

    /// - Parameters:
    ///   - tallies: by gateway.
    ///   - survey: readings of somebody who stood in all rooms; empty without a survey.
    ///   - isLeftOut: whether a gateway says nothing in a minute.
    init(
        _ tallies: [MinuteTally], _ building: Building, survey: [SurveyReading], people: Int, minutes: Int,
        isLeftOut: (_ gateway: Int, _ minute: Int) -> Bool
    ) {
        let plain = BuildingModel(plans: building.floorPlans, receivers: building.receiverSites)
        let model = survey.isEmpty ? plain : plain.surveyed(survey)
        var scratch = FilterScratch()
        let located = (0..<people).map { person in
            let windows = (0..<minutes).map { minute in
                let able = tallies.indices.filter { !isLeftOut($0, minute) }
                let signals = able.compactMap { gateway in
                    tallies[gateway][person, minute].map {
                        HeardSignal(receiver: gateway, rssi: $0.mean, count: $0.count)
                    }
                }
                let heard = Set(signals.map(\.receiver))
                return HeardWindow(
                    end: Double(60 * (minute + 1)), length: 60, signals: signals,
                    silent: able.filter { !heard.contains($0) })
            }
            return StayLocator.locate(StayCutter.stays(windows), model, scratch: &scratch).stays
        }
        pairs = Pairs(people: people, Common())
        let threshold = survey.isEmpty ? Self.threshold6m.plain : Self.threshold6m.surveyed
        let areas = model.plans.map { $0.rooms.map(\.polygon.area) }
        for other in 0..<people {
            for one in 0..<other {
                pairs[one, other] = Self.common(located[one], located[other], areas, threshold: threshold)
            }
        }
    }

    private static func common(
        _ stays: [LocatedStay], _ others: [LocatedStay], _ areas: [[Double]], threshold: Double
    ) -> Common {
        var common = Common()
        var first = others.startIndex
        for stay in stays {
            while first < others.endIndex, others[first].end <= stay.start { first += 1 }
            var index = first
            while index < others.endIndex, others[index].start < stay.end {
                let minutes = (min(stay.end, others[index].end) - max(stay.start, others[index].start)) / 60
                let near = stay.relativeNearness(to: others[index], within: 6) { areas[$0][$1] }
                if near > threshold { common.within6m += minutes }
                if stay.nearness(to: others[index], within: 2) > threshold2m { common.within2m += minutes }
                index += 1
            }
        }
        return common
    }
}
