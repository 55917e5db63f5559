import BeaconModel
import Diagnostics
import OperatorText

/// Output of a calibration while it runs.
struct CalibrationOutput {
    private let screen: CalibrationScreen
    private var drawnLines = 0
    private var drawnAt: Timestamp?

    /// Minimum time between two drawings in a terminal.
    private static let drawingInterval: Duration = .milliseconds(250)
    /// Minimum time between two lines in a pipe.
    private static let lineInterval: Duration = .seconds(5)

    init(_ screen: CalibrationScreen) { self.screen = screen }

    /// Prints the start of a phase.
    ///
    /// - Parameter asks: whether to wait for the user's answer.
    mutating func begin(_ phase: CalibrationSession.Phase, of session: CalibrationSession, asks: Bool) throws {
        drawnLines = 0
        drawnAt = nil
        switch phase {
        case .listening: try screen.print("scanning for beacons")
        case .choosing(let heard):
            for line in heard.lines { try screen.print(line) }
            try ask(phase)
        case .placing(let index):
            guard asks, let beacon = session.beacon else { return }
            try screen.print(
                """
                Put beacon \(beacon) at \(Metres.text(session.distances[index])) from the antenna, at the antenna's height, \
                with nothing in between.
                Then step aside by at least 2 m, and stay there.
                """)
            try ask(phase)
        case .measuring(let index): try screen.print("measuring at \(Metres.text(session.distances[index]))")
        case .finished: break
        }
    }

    /// Prints the question of the phase.
    func ask(_ phase: CalibrationSession.Phase) throws {
        switch phase {
        case .choosing(let heard):
            let count = heard.strongestFirst.count
            try screen.write("Which beacon? \(count == 1 ? "1" : "1-\(count)") (Enter: scan again) ")
        case .placing: try screen.write("Press Enter to begin, or Ctrl-C to quit without writing anything: ")
        case .listening, .measuring, .finished: break
        }
    }

    /// Shows a measurement, at limited intervals.
    ///
    /// - Parameter isLast: whether to show it even before the interval is over.
    mutating func show(_ session: CalibrationSession, isLast: Bool = false) throws {
        guard let now = session.now, now != drawnAt else { return }
        let interval = screen.isInteractive ? Self.drawingInterval : Self.lineInterval
        if !isLast, let drawnAt, now >= drawnAt, now - drawnAt < interval { return }
        // In a pipe, nothing is printed at the first packet.
        let isFirst = drawnAt == nil
        drawnAt = now
        let progress = CalibrationProgress(session: session)
        guard screen.isInteractive else {
            if !isFirst || isLast { try screen.print(progress.line) }
            return
        }
        try draw(plot(session) + progress.lines)
    }

    private func plot(_ session: CalibrationSession) -> [String] {
        let size = screen.size
        let plot = CalibrationPlot(height: min(10, size.rows - 8), style: screen.isUTF8 ? .braille : .ascii)
        return plot.lines(
            session.plotPoints, mean: session.measurement.summary?.mean, width: min(100, size.columns - 1))
    }

    /// Draws lines over the previous drawing.
    private mutating func draw(_ lines: [String]) throws {
        let columns = screen.size.columns - 1
        let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
        try screen.write(up + "\r" + lines.map { $0.prefix(columns) + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
        drawnLines = lines.count
    }
}
