import BeaconModel
import OperatorText

/// Evaluation report as lines for a terminal.
package struct EvaluationText {
    package var result: EvaluationResult
    /// Whether the marks are coloured.
    package var isColoured = false

    package init(result: EvaluationResult, isColoured: Bool = false) {
        self.result = result
        self.isColoured = isColoured
    }

    /// Maximum number of warnings shown. The rest are only counted.
    private static let mostWarnings = 100

    package var lines: [String] {
        var lines = head + [""] + matrix + ["", EvaluationWords.legend, ""] + phases
        let warnings = result.warnings
        if !warnings.isEmpty { lines.append("") }
        lines += warnings.prefix(Self.mostWarnings).map { coloured("warning", "33") + ": " + $0 }
        if warnings.count > Self.mostWarnings {
            lines.append("and \(warnings.count - Self.mostWarnings) more warnings")
        }
        return lines
    }

    private var head: [String] {
        var lines = ["receiver   \(result.receiverLabel), \(EvaluationWords.plural(result.reports, "report"))"]
        if let start = result.start { lines.append("start      \(start.rfc3339)") }
        if let first = result.coverage.first, let last = result.coverage.last {
            lines.append(
                "listened   \(EvaluationWords.offset(first, from: result.start)) to "
                    + EvaluationWords.offset(last, from: result.start))
        }
        lines.append(
            "limits     D and R within \(EvaluationWords.limit(result.discoveryLimit)), T in every "
                + EvaluationWords.limit(result.requiredWindow))
        return lines
    }

    private var matrix: [String] {
        var table = TextTable([
            ("DEVICE STATE", .left), ("D", .left), ("", .left), ("T", .left), ("", .left), ("R", .left), ("", .left),
            ("LONGEST GAP", .right), ("READINGS", .right), ("MEDIAN RSSI", .right),
        ])
        for state in result.states {
            table.add(marks(state.name, state.row) + ["", "", ""])
            for (name, row) in state.devices {
                table.add(
                    evidence("  " + name, row) + [
                        EvaluationWords.duration(row.phases.compactMap(\.longestGap).max()),
                        "\(row.phases.reduce(0) { $0 + $1.readings })", median(row.phases),
                    ])
            }
        }
        return table.lines.map(highlighted)
    }

    private func marks(_ name: String, _ row: EvaluationResult.Row) -> [String] {
        [name] + row.marks.flatMap { [EvaluationWords.mark($0), ""] }
    }

    private func evidence(_ name: String, _ row: EvaluationResult.Row) -> [String] {
        let details = [
            EvaluationWords.arrival(row, .discovery), EvaluationWords.windows(row.phases),
            EvaluationWords.arrival(row, .resume),
        ]
        return [name] + zip(row.marks, details).flatMap { [EvaluationWords.mark($0), $1 ?? ""] }
    }

    /// Returns the median RSSI of one phase, or the range of the medians of several phases. They cannot be combined
    /// into one.
    private func median(_ phases: [EvaluationResult.Phase]) -> String {
        let medians = phases.compactMap(\.rssi).map(\.median)
        guard let lowest = medians.min(), let highest = medians.max() else { return "-" }
        return lowest == highest ? "\(lowest) dBm" : "\(lowest) to \(highest) dBm"
    }

    private var phases: [String] {
        var table = TextTable([
            ("DEVICE", .left), ("STATE", .left), ("IN RANGE", .right), ("OUT", .right), ("", .left), ("", .left),
            ("FIRST AFTER", .right), ("T", .left), ("WINDOWS", .left), ("LONGEST GAP", .right), ("READINGS", .right),
            ("RSSI", .right),
        ])
        for device in result.devices {
            for phase in device.phases {
                table.add([
                    device.name, phase.state, EvaluationWords.offset(phase.inRange, from: result.start),
                    phase.hasEnd ? EvaluationWords.offset(phase.outOfRange, from: result.start) : "(end)",
                    EvaluationWords.letter(phase.question), EvaluationWords.mark(phase.arrival),
                    EvaluationWords.first(phase),
                    EvaluationWords.mark(phase.tracking), EvaluationWords.windows([phase]) ?? "-",
                    EvaluationWords.duration(phase.longestGap), "\(phase.readings)",
                    EvaluationWords.median(phase.rssi),
                ])
            }
        }
        return table.lines.map(highlighted)
    }

    /// Colours the marks in a line. Marks stand alone between spaces.
    private func highlighted(_ line: String) -> String {
        guard isColoured else { return line }
        return line.replacing("  NO ", with: "  " + coloured("NO", "1;31") + " ")
            .replacing("  yes ", with: "  " + coloured("yes", "32") + " ")
            .replacing("  ? ", with: "  " + coloured("?", "33") + " ")
    }

    private func coloured(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
