import FloorPlans
import Testing

@testable import Localisation

@Suite("Reports of positions of receivers")
struct PlacementReportTests {
    /// The known floor as another building's, on a plan at index 1.
    private var plans: [FloorPlan] {
        var other = KnownFloor.plan
        other.building = "a"
        return [other, KnownFloor.plan]
    }

    private func receivers(without names: Set<String>) -> [PlacementReceiver] {
        KnownFloor.receivers(without: names).map { receiver in
            var receiver = receiver
            receiver.floor = 1
            return receiver
        }
    }

    @Test("floors keep their numbers among the plans of several buildings")
    func buildings() {
        let report = PlacementReport(plans: plans, receivers: receivers(without: ["b"]), levels: KnownFloor.levels())
        let alone = KnownFloor.suggestions(KnownFloor.receivers(without: ["b"]))
        #expect(report.suggestions.map(\.floor) == [1] && report.disagreements.isEmpty)
        #expect(report.suggestions.map(\.outcome) == alone.map(\.outcome))
    }

    @Test("a receiver whose position disagrees places no other one, and gets no suggestion besides")
    func disagreeing() {
        var receivers = receivers(without: ["b"])
        receivers[0].position = PlanPoint(x: 19, y: 12)
        let report = PlacementReport(plans: plans, receivers: receivers, levels: KnownFloor.levels())
        #expect(report.disagreements.map(\.path) == ["s/b/0/a"] && report.disagreements.map(\.floor) == [1])
        #expect(report.suggestions.map(\.path) == ["s/b/0/b"])
    }

    @Test("without plans there is nothing to report")
    func none() {
        let report = PlacementReport(plans: [], receivers: receivers(without: ["b"]), levels: KnownFloor.levels())
        #expect(report.suggestions.isEmpty && report.disagreements.isEmpty)
    }
}
