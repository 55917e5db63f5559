import Evidence
import FloorPlans
import Localisation
import Matching

/// Where everybody was, stay by stay, by the product's own localisation, and who was near whom by that.
struct PlacedStays: Sendable {
    /// Minutes of each two people in one room and near each other.
    struct Common: Equatable, Sendable {
        var within6m = 0.0
        var within2m = 0.0
    }

    private(set) var pairs: Pairs<Common>
    /// Stays by person.
    let located: [[LocatedStay]]

    /// - Parameters:
    ///   - tallies: by gateway.
    ///   - survey: readings of somebody who stood in all rooms; empty without a survey.
    ///   - modules: how loudly gateways hear each other's modules; empty if that is not learnt from.
    ///   - isLeftOut: whether a gateway says nothing in a minute.
    init(
        _ tallies: [MinuteTally], _ building: Building, survey: [SurveyReading], modules: [MutualLevel],
        people: Int, minutes: Int,
        isLeftOut: (_ gateway: Int, _ minute: Int) -> Bool
    ) {
        let plain = BuildingModel(plans: building.floorPlans, receivers: building.receiverSites)
        let spots = SurveySpot.ofModules(at: building.receiverSites, plain.plans, levels: modules, now: 0)
        let readings = survey + spots.flatMap { $0.readings(plain) }
        let model = readings.isEmpty ? plain : plain.surveyed(readings)
        var scratch = FilterScratch()
        located = (0..<people).map { person in
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
        let floors = Set(model.plans.indices)
        let settled = located.map { stays in stays.map { SettledStay($0, model, surveyed: floors) } }
        let vectors = (0..<people).map { person in
            (0..<minutes).map { minute in
                MinuteVector(
                    tallies.indices.filter { !isLeftOut($0, minute) }.compactMap { gateway in
                        tallies[gateway][person, minute].map { (gateway: gateway, cell: $0) }
                    })
            }
        }
        pairs = Pairs(people: people, Common())
        for one in 0..<people {
            let others = (one + 1..<people).flatMap { other in settled[other].map { (subject: Int64(other), stay: $0) }
            }
            let wide = LocatedCompany(own: settled[one], others: others, radius: 6)
            let narrow = LocatedCompany(own: settled[one], others: others, radius: 2)
            for other in one + 1..<people {
                let similar = Self.similar(vectors[one], vectors[other])
                pairs[one, other] = Common(
                    within6m: Self.count(wide, Int64(other), similar, near: Self.near),
                    within2m: Self.count(narrow, Int64(other), similar, near: Self.close))
            }
        }
    }

    private static let near = SimilarityLevel(MinuteComparison.near)
    private static let close = SimilarityLevel(MinuteComparison.close)

    /// Minutes together by the similarity of what gateways heard.
    private static func similar(_ one: [MinuteVector], _ other: [MinuteVector]) -> PairMinutes {
        PairMinutes(
            one.indices.compactMap { minute in
                guard let cosine = one[minute].cosine(other[minute]), cosine >= SimilarityLevel.least else {
                    return nil
                }
                return PairMinutes.Minute(start: Int64(60 * minute), level: SimilarityLevel(cosine))
            })
    }

    private static func count(
        _ company: LocatedCompany, _ other: Int64, _ similar: PairMinutes, near: SimilarityLevel
    ) -> Double {
        Double(company.minutes(of: other, similar, near: near, close: close).count(from: near))
    }
}
