import Evidence
import FloorPlans
import Localisation
import Matching
import Testing

@testable import MatcherCore

@Suite("Stays by stored readings") struct StaySettlingTests {
    private static func rectangle(_ x: Double, _ width: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: x, y: 0), PlanPoint(x: x + width, y: 0), PlanPoint(x: x + width, y: 5),
            PlanPoint(x: x, y: 5),
        ])
    }

    private static let plan = FloorPlan(
        site: "s", building: "b", floor: "0", outline: rectangle(0, 12),
        rooms: [
            FloorPlan.Room(name: "left", polygon: rectangle(0, 6)),
            FloorPlan.Room(name: "right", polygon: rectangle(6, 6)),
        ], doors: [FloorPlan.Door(position: PlanPoint(x: 6, y: 2))])

    private static let paths: [Int64: String] = [1: "s/b/0/left", 2: "s/b/0/right", 3: "s/other/0/far"]

    private static func settling(since: [String: Int64] = [:]) -> StaySettling {
        let sites = [
            ReceiverSite(path: "s/b/0/left", floor: 0, position: PlanPoint(x: 2, y: 2)),
            ReceiverSite(path: "s/b/0/right", floor: 0, position: PlanPoint(x: 10, y: 2)),
        ]
        return StaySettling(
            SurveyedModel(BuildingModel(plans: [plan], receivers: sites), []), building: "s/b", paths: paths,
            since: since)
    }

    /// A block in which subject 5 is heard at these levels, minute by minute.
    private static func block(_ number: Int64, _ levels: [[Int64: Double]]) -> HeardBlock {
        var heard = HeardBlock(block: ReadingBlock(number: number))
        var vectors = BlockVectors()
        for (minute, levels) in levels.enumerated() {
            for (receiver, rssi) in levels {
                vectors.add(Hearing(receiver: receiver, code: HearingCode(count: 50, rssi: rssi)), inMinute: minute)
            }
        }
        heard.vectors[5] = vectors
        for receiver in [Int64(1), 2] {
            var listening = BlockListening()
            for minute in 0..<15 { listening.add(seconds: 60, clockIsSynchronized: true, inMinute: minute) }
            heard.listening[receiver] = listening
        }
        return heard
    }

    private static let left: [Int64: Double] = [1: -58, 2: -80]
    private static let right: [Int64: Double] = [1: -80, 2: -58]

    @Test func `A stay goes on over the border of blocks`() throws {
        var scratch = FilterScratch()
        let first = Self.block(100, Array(repeating: Self.left, count: 15))
        let one = try #require(Self.settling().settle(5, [first], open: nil, power: nil, scratch: &scratch))
        #expect(one.stays.map(\.room) == ["left"])
        #expect(one.power == nil)
        let second = Self.block(
            101, Array(repeating: Self.left, count: 5) + Array(repeating: Self.right, count: 10))
        let two = try #require(
            Self.settling().settle(5, [first, second], open: one.stays.last, power: nil, scratch: &scratch))
        #expect(two.from == 90_000)
        #expect(two.stays.map(\.room) == ["left", "right"])
        #expect(two.stays.map(\.start) == [90_000, 91_200])
        #expect(two.stays.map(\.end) == [91_200, 91_800])
        // The first stay has ended, and has told the power.
        #expect(two.power != nil)
    }

    @Test func `Whoever another building hears loudest is there`() {
        var scratch = FilterScratch()
        let block = Self.block(100, [[1: -70, 3: -50]])
        let elsewhere = Self.settling().settle(5, [block], open: nil, power: nil, scratch: &scratch)
        #expect(elsewhere?.from == 90_000 && elsewhere?.stays.isEmpty == true)
        #expect(Self.settling().settle(6, [block], open: nil, power: nil, scratch: &scratch) == nil)
    }

    @Test func `What a receiver heard before it was moved does not count`() throws {
        var scratch = FilterScratch()
        let block = Self.block(100, Array(repeating: Self.left, count: 15))
        let moved = Self.settling(since: ["s/b/0/left": 90_000 + 900])
        let stays = try #require(moved.settle(5, [block], open: nil, power: nil, scratch: &scratch)).stays
        let all = try #require(Self.settling().settle(5, [block], open: nil, power: nil, scratch: &scratch)).stays
        #expect(stays.count == 1 && all.count == 1 && stays[0].radius > all[0].radius)
        // An open stay of which nothing is left keeps its time.
        let silent = Self.block(101, Array(repeating: [1: -58], count: 15))
        let later = Self.settling(since: ["s/b/0/left": 90_000 + 1200])
        let rest = try #require(
            later.settle(5, [Self.block(100, [[1: -58]]), silent], open: all[0], power: nil, scratch: &scratch))
        #expect(rest.from == 90_000 + 1200)
    }
}
