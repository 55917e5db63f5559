import Testing

@testable import Localisation

@Suite("Expected and heard levels of all beacons") struct HearingMatrixTests {
    private static let names = ["a", "b", "c", "d"]

    /// Each receiver is expected to hear each other beacon at -60 dBm, and hears it at that, less what is lost.
    private func matrix(
        expected: Double = -60, lost: (_ beacon: String, _ receiver: String) -> Double? = { _, _ in 0 }
    ) -> HearingMatrix {
        var (heard, levels) = ([HearingMatrix.Link: Double](), [HearingMatrix.Link: Double]())
        for beacon in Self.names {
            for receiver in Self.names where receiver != beacon {
                let link = HearingMatrix.Link(beacon: beacon, receiver: receiver)
                levels[link] = expected
                if let lost = lost(beacon, receiver) { heard[link] = expected - lost }
            }
        }
        return HearingMatrix(beacons: Self.names, receivers: Self.names, heard: heard, expected: levels)
    }

    @Test("A cell is the expected level less the heard one, and a receiver's own beacon has none")
    func cells() {
        let matrix = matrix { beacon, receiver in beacon == "a" && receiver == "b" ? 7 : -2 }
        #expect(matrix.cells[0] == [.own, .difference(7), .difference(-2), .difference(-2)])
        #expect(matrix.rows[0].mean == 1)
        #expect(matrix.rows[0].rootMeanSquare.map { abs($0 - 4.3589) < 0.001 } == true)
        #expect(matrix.columns[1].mean == 1)
        #expect(!matrix.rows[0].isOff)
    }

    @Test("A beacon that sends weakly is a row that is off, and a deaf receiver a column")
    func off() {
        let weak = matrix { beacon, _ in beacon == "b" ? 14 : 0 }
        #expect(weak.rows.map(\.isOff) == [false, true, false, false])
        #expect(!weak.columns.contains { $0.isOff })
        let deaf = matrix { _, receiver in receiver == "c" ? 14 : 0 }
        #expect(deaf.columns.map(\.isOff) == [false, false, true, false])
        #expect(!deaf.rows.contains { $0.isOff })
    }

    @Test("Beacons that all send alike are not off, whatever their power")
    func alike() {
        let matrix = matrix { _, _ in 20 }
        #expect(matrix.rows.map(\.mean) == [20, 20, 20, 20])
        #expect(!matrix.rows.contains { $0.isOff } && !matrix.columns.contains { $0.isOff })
    }

    @Test("What is surely expected and not heard is said, and is no difference")
    func notHeard() {
        let broken = matrix { beacon, _ in beacon == "d" ? nil : 0 }
        #expect(broken.cells[3] == [.notHeard, .notHeard, .notHeard, .own])
        #expect(broken.rows[3] == .init(count: 0, notHeard: 3, mean: nil, rootMeanSquare: nil, isOff: true))
        #expect(broken.columns[0].mean == 0)
        #expect(broken.columns[0].notHeard == 1 && !broken.columns[0].isOff)
        let far = matrix(expected: -85) { _, _ in nil }
        #expect(far.cells[3] == [.nothing, .nothing, .nothing, .own])
        #expect(!far.rows.contains { $0.isOff })
    }

    @Test("Without a model it is known only who is heard")
    func noModel() {
        let link = HearingMatrix.Link(beacon: "a", receiver: "b")
        let matrix = HearingMatrix(beacons: ["a"], receivers: ["b", "c"], heard: [link: -70], expected: [:])
        #expect(matrix.cells == [[.heard, .nothing]])
        #expect(matrix.rows.first?.mean == nil)
    }

    @Test("What is not a number counts as not known")
    func noNumbers() {
        let link = HearingMatrix.Link(beacon: "a", receiver: "b")
        let matrix = HearingMatrix(
            beacons: ["a"], receivers: ["b"], heard: [link: .nan], expected: [link: .infinity])
        #expect(matrix.cells == [[.nothing]])
        #expect(HearingMatrix(beacons: [], receivers: [], heard: [:], expected: [:]).cells.isEmpty)
    }
}
