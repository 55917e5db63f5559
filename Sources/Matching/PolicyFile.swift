import BeaconModel
package import OperatorText

/// Reader for policies in TOML. It checks every number against its limits.
package enum PolicyFile {
    /// Parses a policy.
    ///
    /// - Parameter path: the path that is given in reported problems.
    /// - Throws: `ConfigurationError` with all problems.
    package static func parse(_ text: String, path: String) throws(ConfigurationError) -> Policy {
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else {
            throw ConfigurationError(path: path, problems: problems.all)
        }
        let policy = read(root)
        root.finish()
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return policy
    }

    private static let longestDays: Int64 = 30

    private static func read(_ root: TOMLReader) -> Policy {
        let nameForm = "1 to 64 of a-z, 0-9, - and ."
        let (contact, together) = readContacts(root)
        return Policy(
            name: required(root, "name", allowed: nameForm) { isName($0) ? $0 : nil } ?? "",
            version: required(root, "version", allowed: nameForm) { isName($0) ? $0 : nil } ?? "",
            title: required(root, "title", allowed: "a sentence") { $0.isEmpty ? nil : $0 } ?? "",
            source: required(root, "source", allowed: "the source of the numbers") { $0.isEmpty ? nil : $0 } ?? "",
            together: together, contact: contact,
            measured: root.tables("measured").compactMap(readMeasured), warning: root.string("warning"),
            attenuation: root.table("attenuation").map(readAttenuation),
            infectiousness: root.table("infectiousness").map(readInfectiousness) ?? Infectiousness(),
            reportTypes: root.table("report-types").map(readReportTypes) ?? ReportTypeWeights(),
            risk: readRisk(root))
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            }
    }

    private static func required<Value>(
        _ reader: TOMLReader, _ key: String, allowed: String, _ parse: (String) -> Value?
    ) -> Value? {
        if !reader.has(key) { reader.missing(key, allowed: allowed) }
        return reader.parsed(key, allowed: allowed, parse)
    }

    private static func requiredTable(_ root: TOMLReader, _ key: String) -> TOMLReader? {
        if !root.has(key) { root.missing(key, allowed: "a table: [\(key)]") }
        return root.table(key)
    }

    private static func requiredNumber(
        _ reader: TOMLReader, _ key: String, in range: ClosedRange<Double>, unit: String = ""
    ) -> Double? {
        if !reader.has(key) { reader.missing(key, allowed: "a number from \(range.lowerBound) to \(range.upperBound)") }
        return reader.number(key, in: range, unit: unit)
    }

    private static let together = "together"

    /// Reads the contact rules. With `nearness = "together"` the rule for distances is in a table of its own.
    private static func readContacts(_ root: TOMLReader) -> (ContactRule, TogetherRule?) {
        guard let reader = requiredTable(root, "contact") else { return (noRule, nil) }
        guard reader.has("nearness"), reader.string("nearness") == together else { return (readContact(reader), nil) }
        defer { reader.finish() }
        let otherwise = requiredTable(reader, "otherwise").map(readContact) ?? noRule
        let gap = seconds(reader, "episode-gap", .zero ... .seconds(86_400)) ?? 300
        let rule = TogetherRule(
            near: requiredThreshold(reader, "near") ?? .none, close: requiredThreshold(reader, "close") ?? .none,
            nearWeight: reader.number("near-weight", in: 0...10) ?? 1,
            closeWeight: reader.number("close-weight", in: 0...10) ?? 1, period: readPeriod(reader, gap: gap),
            leastMinutes: requiredNumber(reader, "least-minutes", in: 0...1440, unit: "minutes") ?? 0,
            probability: readProbability(reader))
        if rule.close < rule.near {
            reader.report(
                "close", found: "is below near", allowed: "must be at least near, \(rule.near.similarity)")
        }
        return (otherwise, rule)
    }

    private static let thresholdForm = "one of 0.74, 0.76, 0.78 ... 0.98"

    private static func requiredThreshold(_ reader: TOMLReader, _ key: String) -> SimilarityLevel? {
        if !reader.has(key) { reader.missing(key, allowed: thresholdForm) }
        guard let number = reader.number(key, in: 0...1) else { return nil }
        guard let level = SimilarityLevel(threshold: number) else {
            reader.report(key, found: "found \(number)", allowed: "must be \(thresholdForm)")
            return nil
        }
        return level
    }

    private static func readProbability(_ reader: TOMLReader) -> TogetherRule.Probability {
        guard let table = requiredTable(reader, "probability") else {
            return .init(constant: 0, minutes: 0, run: 0)
        }
        defer { table.finish() }
        let bend = table.integer("run-bend", allowed: "from 1 to 1440 minutes") { (1...1440).contains($0) }
        let beyond = table.number("run-beyond", in: -100...100)
        if bend != nil, !table.has("run-beyond") {
            table.missing("run-beyond", allowed: "a number from -100 to 100, because run-bend is set")
        }
        if beyond != nil, !table.has("run-bend") {
            table.missing("run-bend", allowed: "from 1 to 1440 minutes, because run-beyond is set")
        }
        return .init(
            constant: requiredNumber(table, "constant", in: -100...100) ?? 0,
            minutes: requiredNumber(table, "minutes", in: -100...100) ?? 0,
            run: requiredNumber(table, "run", in: -100...100) ?? 0, bend: bend ?? .max, beyond: beyond ?? 0)
    }

    private static func readMeasured(_ reader: TOMLReader) -> Policy.Measured? {
        defer { reader.finish() }
        guard
            let question = required(
                reader, "question", allowed: "the question of the benchmark", { $0.isEmpty ? nil : $0 }),
            let world = required(reader, "world", allowed: "the setting of the benchmark", { $0.isEmpty ? nil : $0 }),
            let precision = requiredNumber(reader, "precision", in: 0...1),
            let recall = requiredNumber(reader, "recall", in: 0...1)
        else { return nil }
        return .init(question: question, world: world, precision: precision, recall: recall)
    }

    private static let noRule = ContactRule(
        radius: 0, window: 0, nearness: .sumOfDistances, period: .day, leastMinutes: 0)

    private static func readContact(_ reader: TOMLReader) -> ContactRule {
        var rule = noRule
        defer { reader.finish() }
        rule.radius = required(reader, "radius", allowed: lengthForm, centimetres) ?? 0
        rule.placeRadius = reader.parsed("place-radius", allowed: lengthForm, centimetres)
        rule.window = seconds(reader, "window", .zero ... .seconds(3600)) ?? 0
        // Only the main table can be `together`; its `otherwise` table is the fallback.
        let ways = ContactRule.Nearness.allCases.map(\.rawValue) + (reader.place == "contact" ? [together] : [])
        let allowed = ways.map { "\"\($0)\"" }.joined(separator: " or ")
        rule.nearness = required(reader, "nearness", allowed: allowed) { .init(rawValue: $0) } ?? rule.nearness
        let gap = seconds(reader, "episode-gap", .zero ... .seconds(86_400)) ?? rule.window
        rule.period = readPeriod(reader, gap: gap)
        rule.leastMinutes = requiredNumber(reader, "least-minutes", in: 0...1440, unit: "minutes") ?? 0
        return rule
    }

    private static func readPeriod(_ reader: TOMLReader, gap: Int64) -> ContactRule.Period {
        let period: ContactRule.Period =
            required(reader, "period", allowed: "\"episode\", \"day\" or \"24h\"") { text in
                switch text {
                case "episode": .episode(gap: gap)
                case "day": .day
                case "24h": .anyDay
                default: nil
                }
            } ?? .day
        if period == .day || period == .anyDay, reader.has("episode-gap") {
            let period = period == .day ? "day" : "24h"
            reader.report("episode-gap", found: "is given with period = \"\(period)\"", allowed: "omit it")
        }
        return period
    }

    private static let lengthForm = "from 0.1m to 100m"

    private static func centimetres(_ text: String) -> Int64? {
        text.hasSuffix("m") ? Metres.parse(text, in: 0.1...100).map { Int64(($0 * 100).rounded()) } : nil
    }

    private static func seconds(_ reader: TOMLReader, _ key: String, _ range: ClosedRange<Duration>) -> Int64? {
        reader.duration(key, in: range)?.components.seconds
    }

    private static func readAttenuation(_ reader: TOMLReader) -> AttenuationRule {
        defer { reader.finish() }
        let thresholds = numbers(reader, "thresholds", in: 1...200) ?? []
        let weights = numbers(reader, "weights", in: 0...10) ?? []
        if zip(thresholds, thresholds.dropFirst()).contains(where: { $0 >= $1 }) {
            reader.report(
                "thresholds", found: "are not in ascending order", allowed: "each must be above the previous one")
        }
        if weights.count != thresholds.count + 1, !thresholds.isEmpty, !weights.isEmpty {
            reader.report(
                "weights", found: "has \(weights.count) entries",
                allowed: "must have \(thresholds.count + 1): one more than there are thresholds")
        }
        if !weights.isEmpty, weights.allSatisfy({ $0 == 0 }) {
            reader.report("weights", found: "are all 0: nobody would ever be exposed", allowed: "one must be above 0")
        }
        let exponent = requiredNumber(reader, "exponent", in: 1...6) ?? 2
        return AttenuationRule(
            thresholds: thresholds,
            weights: weights.count == thresholds.count + 1 ? weights : Array(repeating: 0, count: thresholds.count + 1),
            window: max(1, seconds(reader, "window", .seconds(60) ... .seconds(86_400)) ?? 1800),
            leastWindowMinutes: reader.number("least-window-minutes", in: 0...1440, unit: "minutes") ?? 0,
            pathLoss: .init(
                atOneMetre: requiredNumber(reader, "at-1m", in: 1...150, unit: "dB") ?? 50, exponent: exponent))
    }

    private static func numbers(
        _ reader: TOMLReader, _ key: String, in range: ClosedRange<Double>
    ) -> [Double]? {
        if !reader.has(key) { reader.missing(key, allowed: "a list of numbers") }
        guard let numbers = reader.numbers(key) else { return nil }
        if numbers.isEmpty || numbers.count > 16 {
            reader.report(key, found: "has \(numbers.count) entries", allowed: "must have 1 to 16")
        }
        for (index, number) in numbers.enumerated() where !range.contains(number) {
            reader.report(
                "\(key)[\(index)]", found: "found \(number)",
                allowed: "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return numbers
    }

    private static func readInfectiousness(_ reader: TOMLReader) -> Infectiousness {
        defer { reader.finish() }
        let spans = reader.tables("spans").compactMap { span in
            defer { span.finish() }
            for key in ["from", "to"] where !span.has(key) {
                span.missing(key, allowed: "days after the onset, from -\(longestDays) to \(longestDays)")
            }
            let days = Int(-longestDays)...Int(longestDays)
            guard let from = span.integer("from", in: days), let to = span.integer("to", in: days),
                let weight = requiredNumber(span, "weight", in: 0...10)
            else { return nil as Infectiousness.Span? }
            guard from <= to else {
                span.report("to", found: "found \(to)", allowed: "must not be before from, \(from)")
                return nil
            }
            return .init(days: Int64(from)...Int64(to), weight: weight)
        }
        if zip(spans, spans.dropFirst()).contains(where: { $0.days.upperBound >= $1.days.lowerBound }) {
            reader.report(
                "spans", found: "overlap or are not in order", allowed: "each must begin after the previous one")
        }
        let otherwise = requiredNumber(reader, "otherwise", in: 0...10)
        if otherwise == 0, spans.allSatisfy({ $0.weight == 0 }) {
            reader.report(
                "otherwise", found: "is 0, like each weight of spans: nobody would ever be infectious",
                allowed: "one must be above 0")
        }
        return Infectiousness(
            spans: spans, otherwise: otherwise ?? 0, unknown: requiredNumber(reader, "unknown", in: 0...10) ?? 1)
    }

    private static func readReportTypes(_ reader: TOMLReader) -> ReportTypeWeights {
        defer { reader.finish() }
        let confirmed = requiredNumber(reader, "confirmed", in: 0...10)
        if confirmed == 0 {
            reader.report(
                "confirmed", found: "is 0: nothing would follow from a confirmed report", allowed: "must be above 0")
        }
        return ReportTypeWeights(
            confirmed: confirmed ?? 1,
            selfReported: requiredNumber(reader, "self-reported", in: 0...10) ?? 0)
    }

    private static func readRisk(_ root: TOMLReader) -> RiskRule {
        var rule = RiskRule(measure: .exposures, days: 14, steps: [])
        guard let reader = requiredTable(root, "risk") else { return rule }
        defer { reader.finish() }
        let measures = RiskRule.Measure.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        rule.measure = required(reader, "measure", allowed: measures) { .init(rawValue: $0) } ?? rule.measure
        if !reader.has("days") { reader.missing("days", allowed: "a whole number from 1 to \(longestDays)") }
        rule.days = reader.integer("days", in: 1...Int(longestDays)).map(Int64.init) ?? rule.days
        rule.steps = reader.tables("steps").compactMap { step in
            defer { step.finish() }
            let levels = RiskLevel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            guard let level = required(step, "level", allowed: "one of \(levels)", { RiskLevel(rawValue: $0) }),
                let from = requiredNumber(step, "from", in: 0...100_000),
                let label = required(step, "label", allowed: "a word", { $0.isEmpty ? nil : $0 })
            else { return nil }
            return .init(level: level, from: from, label: label)
        }
        if rule.steps.first?.from != 0 {
            reader.report("steps", found: "do not begin at 0", allowed: "the first must have from = 0")
        }
        if zip(rule.steps, rule.steps.dropFirst()).contains(where: { $0.from >= $1.from || $0.level > $1.level }) {
            reader.report("steps", found: "are not in order", allowed: "from and level must increase")
        }
        if !rule.steps.isEmpty, rule.steps.allSatisfy({ $0.level == .low }) {
            reader.report(
                "steps", found: "have the level \"low\" only: nobody would ever be notified",
                allowed: "one must be above low")
        }
        return rule
    }
}
