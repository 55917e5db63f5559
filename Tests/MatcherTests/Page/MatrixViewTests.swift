import Localisation
import Pages
import Testing

@testable import MatcherDaemon

@Suite("What the page says of who hears whom") struct MatrixViewTests {
    private static let floor = "campus/hb/2"
    private static let names = ["a", "b", "c"].map { "\(floor)/\($0)" }

    /// Each receiver is expected to hear each other beacon at -60 dBm.
    private func view(_ lost: (_ beacon: Int, _ receiver: Int) -> Double?) -> MatrixView {
        var (heard, expected) = ([HearingMatrix.Link: Double](), [HearingMatrix.Link: Double]())
        for beacon in 0..<3 {
            for receiver in 0..<3 where receiver != beacon {
                let link = HearingMatrix.Link(beacon: Self.names[beacon], receiver: Self.names[receiver])
                expected[link] = -60
                if let lost = lost(beacon, receiver) { heard[link] = -60 - lost }
            }
        }
        return MatrixView(
            matrix: HearingMatrix(beacons: Self.names, receivers: Self.names, heard: heard, expected: expected),
            floor: Self.floor)
    }

    @Test("Cells have their numbers, and classes for colours")
    func cells() {
        let rows = view { beacon, receiver in [[0, -20, -7], [6, 0, 6.1], [12.1, nil, 0]][beacon][receiver] }.rows
        #expect(rows.map(\.name) == ["a", "b", "c"])
        #expect(
            rows.map { $0.cells.map(\.words) } == [
                ["own", "−20.0", "−7.0"], ["+6.0", "own", "+6.1"], ["+12.1", "not heard", "own"],
            ])
        #expect(
            rows.map { $0.cells.map(\.kind) } == [
                ["", "louder-far", "louder"], ["fits", "", "weaker"], ["weaker-far", "lost", ""],
            ])
        #expect(rows[1].cells.map(\.label) == ["a", "b", "c"])
        #expect(rows[0].mean == "−13.5")
    }

    @Test("A beacon that is weak or lost is said, with what to do")
    func beacons() {
        let weak = view { beacon, _ in beacon == 1 ? 15 : 0 }
        #expect(
            weak.findings == [
                "The beacon at b is heard 10.0 dB more weakly than the others: check its transmit power and its antenna."
            ])
        #expect(weak.rows.map(\.isOff) == [false, true, false])
        let lost = view { beacon, _ in beacon == 2 ? nil : 0 }
        #expect(lost.findings.count == 1)
        #expect(lost.findings.first?.hasPrefix("The beacon at c is not heard by 2 receivers that are expected") == true)
    }

    @Test("A receiver that is off is said, with what to do, and is marked in the sums")
    func receivers() {
        let loud = view { _, receiver in receiver == 0 ? -15 : 0 }
        #expect(loud.findings.count == 1)
        #expect(loud.findings.first?.hasPrefix("The receiver a hears 10.0 dB more loudly than the others") == true)
        #expect(loud.sums.map(\.name) == ["Mean", "RMS"])
        #expect(loud.sums.first?.cells.map(\.words) == ["−15.0 stands out", "+0.0", "+0.0"])
        #expect(loud.sums.last?.cells.map(\.words) == ["15.0", "0.0", "0.0"])
    }
}
