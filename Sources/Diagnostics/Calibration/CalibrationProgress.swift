import BeaconModel
import OperatorText

/// Progress of a measurement, as text. Pure.
package struct CalibrationProgress {
    package var session: CalibrationSession

    package init(session: CalibrationSession) {
        self.session = session
    }

    private static let barWidth = 20

    /// Figures so far, and what is still missing.
    package var lines: [String] {
        let measurement = session.measurement
        let summary = measurement.summary
        var figures = ["\(Format.fixed(measurement.elapsed.inSeconds, 0)) s", "\(measurement.packets) packets"]
        if let summary {
            figures.append("mean \(Format.fixed(summary.mean, 1)) dBm")
            figures.append("spread \(Format.fixed(summary.spread, 1)) dB")
            if let error = summary.standardError { figures.append("error \(Format.fixed(error, 1)) dB") }
        }
        let done = Int((Double(Self.barWidth) * part(measurement, summary)).rounded(.down))
        let bar = String(repeating: "#", count: done) + String(repeating: ".", count: Self.barWidth - done)
        return [figures.joined(separator: "   "), "[\(bar)] \(missing(measurement))"]
    }

    /// Progress as one line, for output to a pipe.
    package var line: String { lines.map { $0.replacing("   ", with: ", ") }.joined(separator: "  ") }

    /// Returns the progress of the least complete requirement, from 0 to 1.
    private func part(_ measurement: CalibrationMeasurement, _ summary: CalibrationMeasurement.Summary?) -> Double {
        let rules = measurement.rules
        guard let summary else { return 0 }
        let parts = [
            measurement.elapsed.inSeconds / rules.shortest.inSeconds,
            Double(summary.packets) / Double(rules.fewestPackets),
            Double(summary.seconds) / Double(rules.fewestSeconds),
            // Halving the error takes four times as long.
            summary.standardError.map { rules.largestError * rules.largestError / max($0 * $0, 1e-6) } ?? 0,
        ]
        return min(max(parts.min() ?? 0, 0), 1)
    }

    private func missing(_ measurement: CalibrationMeasurement) -> String {
        switch measurement.verdict() {
        case .enough: "enough"
        case .failed: "not enough"
        case .measuring where measurement.packets == 0: "nothing received yet"
        case .measuring(let missing):
            "still needed: " + missing.compactMap { text($0, measurement) }.joined(separator: ", ")
        }
    }

    /// Describes a missing requirement; `nil` for one that can be met before the shortest measuring time is over.
    private func text(_ missing: CalibrationVerdict.Missing, _ measurement: CalibrationMeasurement) -> String? {
        switch missing {
        case .time(let time): "\(Format.fixed(max(0, time.inSeconds).rounded(.up), 0)) s"
        case .packets(let count): "\(count) packets"
        case .seconds(let count):
            measurement.elapsed < measurement.rules.shortest ? nil : "\(count) seconds with packets"
        case .certainty: "error of at most \(Format.fixed(measurement.rules.largestError, 1)) dB"
        case .steadiness(let steadiness): "steadier: \(steadiness.text)"
        }
    }
}
