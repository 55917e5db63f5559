import Testing

@testable import Diagnostics

@Suite struct CalibrationPlotTests {
    private typealias Point = CalibrationPlot.Point

    /// From -50 dBm a minute ago to -70 dBm now.
    private let falling = (0..<60).map { Point(age: 59.5 - Double($0), rssi: -50 - 20 * Double($0) / 59) }

    @Test("A minute from the left to the right, the scale at the left, the mean across")
    func braille() {
        let lines = CalibrationPlot(height: 4).lines(falling, mean: -60, width: 36)
        #expect(
            lines == Self.brailleFrame, "\n\(lines.joined(separator: "\n"))")
    }

    @Test("Terminals without Unicode get points, and colons where there are several")
    func ascii() {
        let lines = CalibrationPlot(height: 4, style: .ascii).lines(falling, mean: -60, width: 36)
        #expect(lines == Self.asciiFrame, "\n\(lines.joined(separator: "\n"))")
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } })
    }

    @Test("Without a packet there is an empty plot")
    func empty() {
        let lines = CalibrationPlot(height: 2, style: .ascii).lines([], mean: nil, width: 26)
        #expect(
            lines == [
                " -50 |                    ", " -70 |                    ", "     +--------------------",
                "      60 s ago         now",
            ])
    }

    @Test("The scale has at least 20 dB, in multiples of 5")
    func scale() {
        let lines = CalibrationPlot(height: 3, style: .ascii).lines([Point(age: 0, rssi: -61)], mean: nil, width: 20)
        #expect(lines.map { String($0.prefix(6)) } == [" -55 |", "     |", " -75 |", "     +", "      "])
        let wide = CalibrationPlot(height: 3, style: .ascii).lines(
            [Point(age: 0, rssi: -41), Point(age: 1, rssi: -99)], mean: nil, width: 20)
        #expect(wide.first?.hasPrefix(" -40 |") == true && wide[2].hasPrefix("-100 |"))
    }

    @Test("The newest is at the right edge, the oldest of the window at the left; older and later ones aren't there")
    func window() {
        func marks(_ age: Double) -> [Int] {
            let plot = CalibrationPlot(height: 2, style: .ascii)
            let lines = plot.lines([Point(age: age, rssi: -60)], mean: nil, width: 26)
            return lines.prefix(2).flatMap { line in
                line.enumerated().filter { $0.element == "." }.map(\.offset)
            }
        }
        #expect(marks(0) == [25])
        #expect(marks(59.99) == [6])
        #expect(marks(60) == [])
        #expect(marks(-0.1) == [])
    }

    @Test("No line is longer than the width, whatever is shown", arguments: [18, 40, 79])
    func width(width: Int) {
        let points = [Point(age: 3, rssi: -1e9), Point(age: 0, rssi: 1e9), Point(age: 1, rssi: .nan)]
        let lines = CalibrationPlot().lines(points, mean: -60, width: width)
        #expect(lines.count == 10)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    }

    @Test("Where there is no room there is no plot", arguments: [(17, 8), (0, 8), (-5, 8), (80, 1), (80, -3)])
    func noRoom(width: Int, height: Int) {
        #expect(CalibrationPlot(height: height).lines(falling, mean: -60, width: width) == [])
    }

    private static let brailleFrame = [
        " -50 ┤⠉⠒⠒⠤⠤⣀⣀                       ",
        "     │       ⠉⠉⠒⠒⠤⠤⣀⣀               ",
        " -60 ┤──────────────⠈⠉⠑⠒⠢⠤⢄⣀⡀───────",
        " -70 ┤                      ⠈⠉⠑⠒⠢⠤⢄⡀",
        "     └──────────────────────────────",
        "      60 s ago                   now",
    ]
    private static let asciiFrame = [
        " -50 |:::::::                       ",
        "     |       ::::::::               ",
        " -60 |--------------.:::::::.-------",
        " -70 |                      .::::::.",
        "     +------------------------------",
        "      60 s ago                   now",
    ]
}
