import FloorPlans
import Testing

@testable import Localisation

@Suite("Stays")
struct StayTests {
    private func minutes(_ signals: [HeardSignal], _ range: Range<Int>) -> [HeardWindow] {
        range.map { HeardWindow(end: Double(60 * $0 + 60), length: 60, signals: signals) }
    }

    @Test("minutes that are heard alike are one stay, and a walk begins another")
    func cut() {
        let stays = StayCutter.stays(minutes(TwoRooms.left, 0..<20) + minutes(TwoRooms.right, 20..<30))
        #expect(stays.map(\.start) == [0, 1200] && stays.map(\.end) == [1200, 1800])
    }

    @Test("a single minute that differs does not end a stay")
    func single() {
        let stays = StayCutter.stays(
            minutes(TwoRooms.left, 0..<5) + minutes(TwoRooms.right, 5..<6) + minutes(TwoRooms.left, 6..<10))
        #expect(stays.count == 1 && stays[0].end == 600)
    }

    @Test("two minutes of silence end a stay")
    func silence() {
        let stays = StayCutter.stays(minutes(TwoRooms.left, 0..<5) + minutes(TwoRooms.left, 8..<10))
        #expect(stays.map(\.start) == [0, 480])
    }

    @Test("receivers that hear a subject next to never are silent")
    func silent() {
        let windows = (0..<10).map { minute in
            HeardWindow(
                end: Double(60 * minute + 60), length: 60,
                signals: [HeardSignal(receiver: 0, rssi: -60, count: 100)]
                    + (minute == 3 ? [HeardSignal(receiver: 1, rssi: -92, count: 1)] : []), silent: [2])
        }
        let stays = StayCutter.stays(windows)
        #expect(stays.count == 1 && stays[0].signals.map(\.receiver) == [0] && stays[0].silent == [1, 2])
    }

    @Test("stays are located in rooms, and two stays in one room are near each other")
    func locate() throws {
        var scratch = FilterScratch()
        func locate(_ signals: [HeardSignal]) throws -> LocatedStay {
            let stays = StayCutter.stays(minutes(signals, 0..<20))
            return try #require(StayLocator.locate(stays, TwoRooms.model, scratch: &scratch).stays.first)
        }
        let left = try locate(TwoRooms.left)
        let other = try locate(TwoRooms.signals(-63, -80, -78))
        let right = try locate(TwoRooms.right)
        #expect(left.estimate.best.room == 0 && right.estimate.best.room == 1)
        #expect(left.nearness(to: other, within: 6) > 0.6)
        #expect(left.nearness(to: right, within: 6) < 0.2)
        #expect(left.nearness(to: other, within: 2) < left.nearness(to: other, within: 6))
        #expect(abs(left.squares.reduce(0) { $0 + $1.probability } - 1) < 1e-6)
    }

    @Test("two subjects between rooms are near each other, and nobody is near through a wall")
    func between() {
        func stay(_ room: Int?) -> LocatedStay {
            let estimate = Estimate(
                floor: 0, floorProbability: 1, rooms: [.init(room: room, probability: 1)],
                position: PlanPoint(x: 1, y: 1), radius: 1)
            let square = LocatedStay.Square(floor: 0, room: room, x: 1, y: 1, probability: 1)
            return LocatedStay(start: 0, end: 60, estimate: estimate, squares: [square])
        }
        #expect(stay(nil).nearness(to: stay(nil), within: 2) == 1)
        #expect(stay(nil).nearness(to: stay(0), within: 2) == 0 && stay(1).nearness(to: stay(0), within: 2) == 0)
    }

    @Test("nearness in a hall is relative to what the hall says alone")
    func hall() {
        func stay(_ x: Double) -> LocatedStay {
            let estimate = Estimate(
                floor: 0, floorProbability: 1, rooms: [.init(room: 0, probability: 1)],
                position: PlanPoint(x: 1, y: 1), radius: 1)
            let squares = [0.0, 20].map {
                LocatedStay.Square(floor: 0, room: 0, x: x + $0, y: 1, probability: 0.5)
            }
            return LocatedStay(start: 0, end: 60, estimate: estimate, squares: squares)
        }
        let circle = 36 * Double.pi
        let (one, two) = (stay(0), stay(1))
        #expect(one.nearness(to: two, within: 6) == 0.5)
        #expect(abs(one.relativeNearness(to: two, within: 6) { _, _ in 2 * circle } - 1) < 1e-9)
        #expect(one.relativeNearness(to: two, within: 6) { _, _ in circle / 2 } == 0.5)
        #expect(one.relativeNearness(to: stay(60), within: 6) { _, _ in 2 * circle } == 0)
    }

    @Test("a receiver that hears a few weak packets of a long stay is far away")
    func weak() throws {
        var scratch = FilterScratch()
        func locate(_ count: Int) throws -> LocatedStay {
            var signals = TwoRooms.signals(-72, -72, -75)
            signals[0].count = 100
            signals[2].count = 100
            signals[1].count = count
            return try #require(
                StayLocator.locate(StayCutter.stays(minutes(signals, 0..<20)), TwoRooms.model, scratch: &scratch).stays
                    .first)
        }
        func right(_ stay: LocatedStay) -> Double {
            stay.estimate.rooms.first { $0.room == 1 }?.probability ?? 0
        }
        #expect(right(try locate(20)) < right(try locate(100)) - 0.1)
    }

    @Test("a subject's power is learnt from all of its stays")
    func power() {
        var scratch = FilterScratch()
        let stays = StayCutter.stays(
            minutes(TwoRooms.signals(-75, -92, -88), 0..<20) + minutes(TwoRooms.signals(-92, -75, -88), 20..<40))
        let weak = StayLocator.locate(stays, TwoRooms.model, scratch: &scratch)
        let strong = StayLocator.locate(
            StayCutter.stays(minutes(TwoRooms.left, 0..<20) + minutes(TwoRooms.right, 20..<40)), TwoRooms.model,
            scratch: &scratch)
        #expect(weak.power.mean < strong.power.mean - 8 && weak.power.variance < 25)
        #expect(weak.stays.map { $0.estimate.best.room } == [0, 1])
    }
}
