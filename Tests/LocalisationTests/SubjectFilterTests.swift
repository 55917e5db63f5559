import FloorPlans
import Testing

@testable import Localisation

@Suite("Where a subject is")
struct SubjectFilterTests {
    @Test("a subject is in the room whose receiver hears it best")
    func room() throws {
        let estimate = try #require(TwoRooms.estimate(TwoRooms.filter(TwoRooms.left, seconds: 5)))
        #expect(estimate.best.room == 0 && estimate.best.probability > 0.8)
        #expect(estimate.position.distance(to: PlanPoint(x: 2, y: 2)) < 2)
    }

    @Test("a weak subject is in the same room as a strong one")
    func power() throws {
        for difference in [-20.0, -10, 10, 20] {
            let signals = TwoRooms.signals(-60 + difference, -78 + difference, -74 + difference)
            let filter = TwoRooms.filter(signals, seconds: 10)
            let estimate = try #require(TwoRooms.estimate(filter))
            #expect(estimate.best.room == 0, "at \(difference) dB")
            #expect(abs(filter.power.mean - TwoRooms.filter(TwoRooms.left, seconds: 10).power.mean - difference) < 8)
        }
    }

    @Test("the probabilities of all cells add up to one")
    func sum() {
        let filter = TwoRooms.filter(TwoRooms.left, seconds: 20)
        let sum = filter.floors.compactMap { $0?.reduce(0, +) }.reduce(0, +)
        #expect(abs(sum - 1) < 1e-3)
    }

    @Test("a subject that walks into another room is found there within seconds")
    func walking() throws {
        var filter = TwoRooms.filter(TwoRooms.left, seconds: 30)
        var scratch = FilterScratch()
        for second in 30..<38 {
            filter.step(
                TwoRooms.model, HeardWindow(end: Double(second), signals: TwoRooms.right), scratch: &scratch)
        }
        #expect(try #require(TwoRooms.estimate(filter)).best.room == 1)
    }

    @Test("a subject that was not heard for longer than the memory is nowhere until it is heard again")
    func forgotten() {
        var filter = TwoRooms.filter(TwoRooms.left, seconds: 5)
        var scratch = FilterScratch()
        filter.step(TwoRooms.model, HeardWindow(end: 100, signals: []), scratch: &scratch)
        #expect(TwoRooms.estimate(filter) == nil && filter.lastHeard == nil)
    }

    @Test("a window without signals moves nothing but the subject")
    func silence() throws {
        var filter = TwoRooms.filter(TwoRooms.left, seconds: 5)
        let before = try #require(TwoRooms.estimate(filter))
        var scratch = FilterScratch()
        filter.step(TwoRooms.model, HeardWindow(end: 14, signals: []), scratch: &scratch)
        let after = try #require(TwoRooms.estimate(filter))
        #expect(after.radius > before.radius && after.best.probability < before.best.probability)
    }

    @Test("on a floor without rooms the region is the distribution's own, and the position is the same")
    func open() throws {
        var plan = TwoRooms.plan
        (plan.rooms, plan.doors) = ([], [])
        func estimate(_ settings: RadioSettings) throws -> Estimate {
            let model = BuildingModel(plans: [plan], receivers: TwoRooms.receivers, settings: settings)
            var filter = SubjectFilter(model)
            var scratch = FilterScratch()
            filter.step(model, HeardWindow(end: 0, signals: TwoRooms.left), scratch: &scratch)
            return try #require(Estimate(model, filter.floors, flattening: settings.flattening))
        }
        var flattened = RadioSettings()
        flattened.openRegionFlattening = flattened.flattening
        let (open, wide) = (try estimate(RadioSettings()), try estimate(flattened))
        #expect(open.position == wide.position && open.radius < wide.radius)
    }

    @Test("a receiver that listens in vain makes its surroundings less probable")
    func silent() throws {
        func probability(silent: [Int]) throws -> Double {
            var filter = SubjectFilter(TwoRooms.model)
            var scratch = FilterScratch()
            for second in 0..<5 {
                filter.step(
                    TwoRooms.model,
                    HeardWindow(end: Double(second), signals: [HeardSignal(receiver: 2, rssi: -65)], silent: silent),
                    scratch: &scratch)
            }
            let rooms = try #require(TwoRooms.estimate(filter)).rooms
            return rooms.first { $0.room == 0 }?.probability ?? 0
        }
        #expect(try probability(silent: [0]) < probability(silent: []))
    }

    @Test("values that are no levels, and unknown receivers, are ignored")
    func hostile() {
        let signals = [
            HeardSignal(receiver: 0, rssi: .nan), HeardSignal(receiver: 0, rssi: .infinity),
            HeardSignal(receiver: 0, rssi: -200), HeardSignal(receiver: -1, rssi: -60),
            HeardSignal(receiver: 99, rssi: -60), HeardSignal(receiver: 0, rssi: -60, count: 0),
        ]
        #expect(TwoRooms.estimate(TwoRooms.filter(signals, seconds: 3)) == nil)
        #expect(
            TwoRooms.filter(TwoRooms.left + signals, seconds: 3).floors
                == TwoRooms.filter(TwoRooms.left, seconds: 3).floors)
    }

    @Test("the order of signals does not matter")
    func order() {
        #expect(
            TwoRooms.filter(TwoRooms.left, seconds: 3).floors
                == TwoRooms.filter(TwoRooms.left.reversed(), seconds: 3).floors)
    }

    @Test("a model without floors or cells locates nobody, and does not fail")
    func empty() {
        let empty = FloorPlan(site: "s", building: "b", floor: "0", outline: PlanPolygon([]))
        let odd = FloorPlan(
            site: "s", building: "b", floor: "1",
            outline: PlanPolygon([PlanPoint(x: .nan, y: 0), PlanPoint(x: 1, y: 1)]))
        for plans in [[], [empty], [odd]] {
            let model = BuildingModel(plans: plans, receivers: TwoRooms.receivers)
            var filter = SubjectFilter(model)
            var scratch = FilterScratch()
            filter.step(model, HeardWindow(end: 0, signals: TwoRooms.left), scratch: &scratch)
            #expect(Estimate(model, filter.floors, flattening: 1) == nil)
        }
    }
}
