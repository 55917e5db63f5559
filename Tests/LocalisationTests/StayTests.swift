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
        func nearness(_ one: LocatedStay, _ two: LocatedStay, _ distance: Double) -> Double {
            SettledStay(one, TwoRooms.model, surveyed: []).nearness(
                to: SettledStay(two, TwoRooms.model, surveyed: []), within: distance
            ).near
        }
        #expect(nearness(left, other, 6) > 0.6)
        #expect(nearness(left, right, 6) < 0.2)
        #expect(nearness(left, other, 4) < nearness(left, other, 6))
        #expect(abs(left.squares.reduce(0) { $0 + $1.probability } - 1) < 1e-6)
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
