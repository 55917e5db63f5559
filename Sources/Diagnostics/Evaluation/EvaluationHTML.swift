import BeaconModel

/// Evaluation report as one self-contained HTML file: no scripts, fonts or images from elsewhere.
package struct EvaluationHTML {
    package var result: EvaluationResult

    package init(result: EvaluationResult) {
        self.result = result
    }

    /// Maximum number of warnings shown. The rest are only counted.
    private static let mostWarnings = 1000

    package var text: String {
        let title = "Discovery, tracking, resume: " + result.receiverLabel
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Self.escaped(title))</title>
            <style>
            \(EvaluationStyle.sheet)
            </style>
            </head>
            <body>
            <h1>Discovery, tracking, resume</h1>
            \(head)
            \(matrix)
            \(warnings)
            <h2>Devices</h2>
            <p class="key"><span class="swatch range"></span> in range <span class="swatch reading"></span> readings \
            <span class="swatch leak"></span> readings while out of range</p>
            \(result.devices.map(section).joined(separator: "\n"))
            </body>
            </html>

            """
    }

    /// Escapes text for use in an element or in a double-quoted attribute value.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private var head: String {
        var facts = [("Receiver", result.receiverLabel)]
        if let start = result.start { facts.append(("Start", start.rfc3339)) }
        if let first = result.coverage.first, let last = result.coverage.last {
            let times = [first, last].map { EvaluationWords.offset($0, from: result.start) }
            facts.append(
                ("Listened", "\(times[0]) to \(times[1]), \(EvaluationWords.plural(result.reports, "report"))"))
        }
        facts.append(
            (
                "Limits",
                "D and R within \(EvaluationWords.limit(result.discoveryLimit)), T in every "
                    + EvaluationWords.limit(result.requiredWindow)
            ))
        let rows = facts.map { "<dt>\($0)</dt><dd>\(Self.escaped($1))</dd>" }
        return "<dl>" + rows.joined() + "</dl>"
    }

    private var matrix: String {
        var rows: [String] = []
        for state in result.states {
            rows.append(
                "<tr class=\"state\"><th scope=\"row\">\(Self.escaped(state.name))</th>"
                    + state.row.marks.map { Self.cell($0, nil) }.joined() + "</tr>")
            for (name, row) in state.devices {
                let details = [
                    EvaluationWords.arrival(row, .discovery), EvaluationWords.windows(row.phases),
                    EvaluationWords.arrival(row, .resume),
                ]
                rows.append(
                    "<tr><th scope=\"row\">\(Self.escaped(name))</th>"
                        + zip(row.marks, details).map { Self.cell($0, $1) }.joined() + "</tr>")
            }
        }
        return """
            <div class="wide"><table class="matrix">
            <thead><tr><th rowspan="2" scope="col">Device state</th>\
            <th colspan="3" scope="colgroup">\(Self.escaped(result.receiverLabel))</th></tr>
            <tr><th scope="col">D</th><th scope="col">T</th><th scope="col">R</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            <p class="key">\(Self.escaped(EvaluationWords.legend))</p>
            """
    }

    private static func cell(_ mark: EvaluationResult.Mark, _ detail: String?) -> String {
        let small = detail.map { " <small>\(escaped($0))</small>" } ?? ""
        return "<td class=\"\(mark.rawValue)\"><b>\(EvaluationWords.mark(mark))</b>\(small)</td>"
    }

    private var warnings: String {
        let warnings = result.warnings
        guard !warnings.isEmpty else { return "" }
        var items = warnings.prefix(Self.mostWarnings).map { "<li>\(Self.escaped($0))</li>" }
        if warnings.count > Self.mostWarnings {
            items.append("<li>and \(warnings.count - Self.mostWarnings) more</li>")
        }
        return "<h2>Warnings</h2>\n<ul class=\"warnings\">\n\(items.joined(separator: "\n"))\n</ul>"
    }

    private func section(_ device: EvaluationResult.Device) -> String {
        let rows = device.phases.map { phase in
            let times = [phase.inRange, phase.outOfRange].map { EvaluationWords.offset($0, from: result.start) }
            return "<tr><th scope=\"row\">\(Self.escaped(phase.state))</th><td>\(times[0])</td><td>\(times[1])</td>"
                + "<td>\(EvaluationWords.letter(phase.question))</td>"
                + Self.cell(phase.arrival, EvaluationWords.first(phase))
                + Self.cell(phase.tracking, EvaluationWords.windows([phase]))
                + "<td>\(EvaluationWords.duration(phase.longestGap))</td><td>\(phase.readings)</td>"
                + "<td>\(EvaluationWords.median(phase.rssi))</td></tr>"
        }
        return """
            <section>
            <h3>\(Self.escaped(device.name))</h3>
            \(EvaluationTimeline(device: device, result: result).html)
            <div class="wide"><table>
            <thead><tr><th scope="col">State</th><th scope="col">In range</th><th scope="col">Out</th>\
            <th scope="col"></th><th scope="col">First after</th><th scope="col">Tracked</th>\
            <th scope="col">Longest gap</th><th scope="col">Readings</th><th scope="col">Median RSSI</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            </section>
            """
    }
}
