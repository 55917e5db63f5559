import Proximity

/// Tables and figures of one data set of distances.
struct DistanceReport {
    private let dataSet: String
    private let evaluation: DistanceEvaluation
    private let windows: [DistanceWindow]
    private let published: Published?

    init(_ reading: DistanceReading) {
        dataSet = reading.dataSet
        windows = reading.windows
        evaluation = DistanceEvaluation(reading.windows)
        published = Published.distance(reading.dataSet)
    }

    var text: String {
        let groups = Set(windows.map(\.group)).count
        let untrusted = windows.count { !$0.metresAreTrusted }
        var lines = ["== \(dataSet): \(windows.count) windows, \(groups) groups, each left out once"]
        if !evaluation.isHonest {
            lines.append(
                "one group only: baselines are fitted on the same windows, ours not at all")
        }
        if untrusted > 0 { lines.append("\(untrusted) windows contradict their label; scored by the label alone") }
        if let fit = evaluation.fit {
            lines.append(
                "path loss of all: A \(Format.number(fit.atOneMetre, 1)) dBm, n \(Format.number(fit.exponent)), "
                    + "sigma \(Format.number(fit.shadowing, 1)) dB")
        }
        let costs = zip(DistanceEvaluation.costRadii, evaluation.costs).map { radius, cost in
            "\(Format.number(cost)) at \(Format.number(radius.name, 1)) m"
        }
        lines.append("P_miss + P_fa of a threshold of the mean RSSI: " + costs.joined(separator: ", "))
        return lines.joined(separator: "\n") + "\n\n" + distances.text + "\n\n" + probabilities.text + "\n" + notes
    }

    private var preset: (name: String, model: DistanceModel, isFromHere: Bool)? {
        windows.first.map { PresetDistance.preset(of: $0.dataSet, $0.link) }
    }

    private var notes: String {
        var lines = ["ours: the gateway's filter and model, parameters fitted on the other groups"]
        if let preset {
            lines.append("ours_preset: the preset \(preset.name) as shipped, RSSI at 1 m from the other groups")
            if preset.isFromHere { lines.append("* = this preset comes from these recordings") }
        }
        lines.append("AUC of ours ranks by calibrated RSSI; (p) by the probability")
        if dataSet == "h0h1" {
            lines.append(
                "grouped by the way to carry: leaving out a condition would leave out all that is close or far")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func label(_ name: String) -> String {
        name == "ours_preset" && preset?.isFromHere == true ? name + "*" : name
    }

    private var distances: Table {
        let radii = DistanceScore.rankRadii.map { "AUC \(Format.number($0, 1)) m" }
        var table = Table(
            ["distance", "MAE m", "to best", "ratio", "target", "median AE m"] + radii + [
                "AUC targets", "2 m prec", "recall",
            ])
        let others = evaluation.scores.filter { !$0.name.hasPrefix("ours") }.compactMap(\.score.meanError)
        let best = others.min()
        for (name, score) in evaluation.scores {
            let error = score.meanError
            let isOwn = name.hasPrefix("ours")
            let decisions = score.decisions[0]
            table.add(
                [
                    label(name), Format.number(error), isOwn ? Format.difference(difference(error, best)) : "",
                    isOwn ? Format.number(ratio(error, best)) : "",
                    isOwn
                        ? target(
                            error, [published?.meanError, best].compactMap { $0 }.min(), atMost: true, decimals: 2)
                        : "",
                    Format.number(score.medianError),
                ] + score.areas.map { Format.number($0, 3) } + [
                    isOwn ? areaTargets(score.areas) : "",
                    Format.number(decisions.precision), Format.number(decisions.recall),
                ])
        }
        for (name, score) in evaluation.scores where score.areasByProbability.contains(where: { $0 != nil }) {
            table.add(
                [label(name) + " (p)", "", "", "", "", ""] + score.areasByProbability.map { Format.number($0, 3) })
        }
        table.add(["median RSSI", "", "", "", "", ""] + evaluation.rawAreas.map { Format.number($0, 3) })
        if let published {
            table.add(
                ["published (\(published.section))", Format.number(published.meanError), "", "", "", ""]
                    + published.areas.map { Format.number($0, 3) })
        }
        return table
    }

    private var probabilities: Table {
        let radii = DistanceScore.probabilityRadii
        let header = radii.flatMap { radius in
            ["Brier \(Format.number(radius, 0)) m", "ECE", "log loss"]
        }
        var table = Table(["probability"] + header + ["in 90 %", "target", "in 68 %"])
        for (name, score) in evaluation.scores where score.coverage90 != nil {
            let cells = score.probabilities.flatMap { probability in
                [
                    Format.number(probability.brier, 3), Format.number(probability.calibrationError, 3),
                    Format.number(probability.logLoss, 3),
                ]
            }
            let isMet = score.coverage90.map { Published.coverage90.contains($0) } ?? false
            table.add(
                [label(name)] + cells + [
                    Format.percent(score.coverage90),
                    name.hasPrefix("ours") ? "87-93 %: \(isMet ? "met" : "missed")" : "",
                    Format.percent(score.coverage68),
                ])
        }
        return table
    }

    func add(to figures: inout Figures) {
        for (name, score) in evaluation.scores {
            let prefix = "\(dataSet)_\(name)"
            figures.add("\(prefix)_mae_m", score.meanError)
            figures.add("\(prefix)_median_ae_m", score.medianError)
            for (radius, area) in zip(DistanceScore.rankRadii, score.areas) {
                figures.add("\(prefix)_auc_\(Format.radius(radius))", area)
            }
            for (radius, area) in zip(DistanceScore.rankRadii, score.areasByProbability) {
                figures.add("\(prefix)_auc_of_probability_\(Format.radius(radius))", area)
            }
            for (index, radius) in DistanceScore.probabilityRadii.enumerated() {
                let suffix = Format.radius(radius)
                figures.add("\(prefix)_precision_\(suffix)", score.decisions[index].precision)
                figures.add("\(prefix)_recall_\(suffix)", score.decisions[index].recall)
                figures.add("\(prefix)_brier_\(suffix)", score.probabilities[index].brier)
                figures.add("\(prefix)_ece_\(suffix)", score.probabilities[index].calibrationError)
                figures.add("\(prefix)_log_loss_\(suffix)", score.probabilities[index].logLoss)
            }
            figures.add("\(prefix)_coverage_90", score.coverage90)
            figures.add("\(prefix)_coverage_68", score.coverage68)
        }
        for (radius, area) in zip(DistanceScore.rankRadii, evaluation.rawAreas) {
            figures.add("\(dataSet)_median_rssi_auc_\(Format.radius(radius))", area)
        }
        for (radius, cost) in zip(DistanceEvaluation.costRadii, evaluation.costs) {
            figures.add("\(dataSet)_rssi_threshold_ndcf_\(Format.radius(radius.name))", cost)
        }
    }

    /// For each radius whether the area is at least the best published and the best of the baselines.
    private func areaTargets(_ areas: [Double?]) -> String {
        let others = evaluation.scores.filter { !$0.name.hasPrefix("ours") }.map(\.score.areas)
        return areas.indices.compactMap { index in
            let best = (others.map { $0[index] } + [published?.areas[index]]).compactMap { $0 }.max()
            guard let area = areas[index], let best else { return nil }
            return
                "\(Format.number(DistanceScore.rankRadii[index], 1)) \(Published.isAtLeast(area, best) ? "met" : "missed")"
        }.joined(separator: ", ")
    }

    /// Whether a value is as good as the best of others; nothing where there is none.
    private func target(_ value: Double?, _ other: Double?, atMost: Bool, decimals: Int) -> String {
        guard let value, let other else { return "" }
        let isMet = atMost ? value <= other : value >= other
        return "\(atMost ? "<=" : ">=") \(Format.number(other, decimals)): \(isMet ? "met" : "missed")"
    }

    private func difference(_ value: Double?, _ other: Double?) -> Double? {
        value.flatMap { value in other.map { value - $0 } }
    }

    private func ratio(_ value: Double?, _ other: Double?) -> Double? {
        value.flatMap { value in other.map { value / $0 } }
    }
}
