import FloorPlans
import Localisation
import Matching
import Testing

@testable import Evidence

@Suite("Company by rooms and positions") struct LocatedCompanyTests {
    private static let near = SimilarityLevel(0.86)
    private static let close = SimilarityLevel(0.92)

    /// A stay of minutes that surely was in a room, at a position along it.
    private static func stay(
        _ minutes: Range<Int64>, room: String = "lab", x: Int16 = 10, area: UInt8 = 36, probability: Double = 1,
        isSurveyed: Bool = true
    ) throws -> SettledStay {
        let floor = Array("s/b/0".utf8)
        let name = Array(room.utf8)
        let bytes: [UInt8] =
            [1, area, 0, UInt8(floor.count), 0] + floor + [UInt8(name.count), 0] + name
            + [0, UInt8(x & 0xFF), UInt8(x >> 8), 0, 0, 255]
        return SettledStay(
            start: 60 * minutes.lowerBound, end: 60 * minutes.upperBound, floor: "s/b/0", room: room,
            probability: probability,
            position: PlanPoint(x: Double(x) / 10, y: 0), radius: 1, isSurveyed: isSurveyed,
            rooms: try #require(SettledSquares(packed: bytes)))
    }

    private static func similar(_ minutes: Range<Int64>) -> PairMinutes {
        PairMinutes(minutes.map { .init(start: 60 * $0, level: close) })
    }

    private func minutes(_ company: LocatedCompany, _ similar: PairMinutes) -> [Int64: SimilarityLevel] {
        let minutes = company.minutes(of: 7, similar, near: Self.near, close: Self.close).minutes(from: .none)
        return Dictionary(uniqueKeysWithValues: minutes.map { ($0.start / 60, $0.level) })
    }

    @Test func `Two in one room are close, near or apart by their distance`() throws {
        func nearness(_ x: Int16) throws -> LocatedCompany.Nearness? {
            LocatedCompany(
                own: [try Self.stay(0..<10)], others: [(7, try Self.stay(0..<10, x: x))], radius: 6
            ).times[7]?.first?.nearness
        }
        #expect(try nearness(20) == .close)
        #expect(try nearness(60) == .near)
        #expect(try nearness(120) == .apart)
    }

    @Test func `Minutes in which both were located replace those of similarity, others stay`() throws {
        let company = LocatedCompany(
            own: [try Self.stay(5..<10)], others: [(7, try Self.stay(3..<8, room: "office"))], radius: 6)
        #expect(Set(minutes(company, Self.similar(0..<12)).keys) == [0, 1, 2, 3, 4, 8, 9, 10, 11])
        #expect(company.isLocated(7, at: 60 * 5) && company.isLocated(7, at: 60 * 7))
        #expect(
            !company.isLocated(7, at: 60 * 4) && !company.isLocated(7, at: 60 * 8) && !company.isLocated(8, at: 300))
    }

    @Test func `Those whom similarity did not find are found by their room`() throws {
        let company = LocatedCompany(
            own: [try Self.stay(0..<4), try Self.stay(6..<9, room: "hall")],
            others: [(7, try Self.stay(2..<8, x: 60)), (7, try Self.stay(8..<9, room: "hall"))], radius: 6)
        #expect(minutes(company, PairMinutes()) == [2: Self.near, 3: Self.near, 8: Self.close])
    }

    @Test func `In a hall, and where a room is not known, similarity tells`() throws {
        func company(area: UInt8 = 36, probability: Double = 1, other: String = "lab") throws -> LocatedCompany {
            LocatedCompany(
                own: [try Self.stay(0..<9, x: 10, area: area)],
                others: [
                    (7, try Self.stay(0..<9, room: other, x: 120, area: area, probability: probability))
                ], radius: 6)
        }
        #expect(try minutes(company(), Self.similar(0..<3)).isEmpty)
        for unknown in [try company(area: 200), try company(probability: 0.4, other: "office")] {
            #expect(minutes(unknown, Self.similar(0..<3)).count == 3)
            #expect(!unknown.isLocated(7, at: 60))
        }
    }

    @Test func `A stay on a floor without a survey says nothing`() throws {
        let company = LocatedCompany(
            own: [try Self.stay(0..<9)], others: [(7, try Self.stay(0..<9, room: "office", isSurveyed: false))],
            radius: 6)
        #expect(company == LocatedCompany())
        #expect(minutes(company, Self.similar(0..<3)).count == 3)
    }
}
