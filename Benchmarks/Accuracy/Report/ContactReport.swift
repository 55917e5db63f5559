/// Tables and figures of one data set of contacts.
struct ContactReport {
    private let dataSet: String
    private let evaluation: ContactEvaluation
    private let scenarios: Int
    private let published: Published?

    /// - Parameter others: windows of further experiments with the same phones, to learn from.
    init(_ dataSet: String, _ windows: [ContactWindow], others: [ContactWindow] = []) {
        self.dataSet = dataSet
        evaluation = ContactEvaluation(windows, others: others)
        scenarios = Set(windows.map(\.scenario)).count
        published = Published.contact[dataSet]
    }

    var text: String {
        var lines = [
            "== \(dataSet): pairs in windows of 5 min, \(scenarios) scenarios, each left out once; fitted on the others of all experiments"
        ]
        if !evaluation.isHonest {
            lines.append(
                "one scenario only: baselines are fitted on the same windows, ours not at all")
        }
        for (name, share) in evaluation.coverage {
            let isMet = Published.coverage90.contains(share)
            lines.append(
                "median distance in the interval of 90 %, \(name): \(Format.percent(share)) "
                    + "(87-93 %: \(isMet ? "met" : "missed"))")
        }
        for index in ContactTruth.radii.indices { lines.append("\n" + part(index)) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func part(_ index: Int) -> String {
        let count = evaluation.counts[index]
        let radius = Format.number(ContactTruth.radii[index], 1)
        let others = count.windows - count.contacts
        let share = { (part: Int, whole: Int) in
            Format.number(whole > 0 ? Double(part) / Double(whole) : nil, 3)
        }
        let head =
            "\(radius) m: \(count.windows) windows, \(share(count.contacts, count.windows)) contacts; heard: "
            + "\(share(count.heardContacts, count.contacts)) of the contacts, "
            + "\(share(count.heardOthers, others)) of the others"
        var table = Table([
            "contact", "AUC", "to best", "target", "in scenario", "threshold prec", "recall", "Brier", "to best",
            "target", "ECE",
            "log loss", "0.5 prec", "recall",
        ])
        let scores = evaluation.scores[index]
        let peers = scores.filter { !$0.name.hasPrefix("ours") }
        let bestArea = peers.compactMap(\.area).max()
        let bestBrier = peers.compactMap(\.probability.brier).min()
        for score in scores {
            let isOwn = score.name.hasPrefix("ours")
            let isTarget = isOwn && ContactTruth.radii[index] == 2
            let isMet = (score.probability.brier ?? 1) < Published.contactBrier
            let decisions = score.probability.count > 0 ? score.probability.decisions : Decisions()
            let area = score.area.flatMap { area in bestArea.map { area - $0 } }
            let brier = score.probability.brier.flatMap { brier in bestBrier.map { brier - $0 } }
            table.add([
                score.name, Format.number(score.area, 3), isOwn ? Format.difference(area, 3) : "",
                isOwn ? areaTarget(score.area, bestArea, index) : "",
                Format.number(score.areaWithin, 3), Format.number(score.decisions.precision),
                Format.number(score.decisions.recall), Format.number(score.probability.brier, 3),
                isOwn ? Format.difference(brier, 3) : "",
                isTarget ? "< \(Format.number(Published.contactBrier, 3)): \(isMet ? "met" : "missed")" : "",
                Format.number(score.probability.calibrationError, 3), Format.number(score.probability.logLoss, 3),
                Format.number(decisions.precision), Format.number(decisions.recall),
            ])
        }
        for score in scores where score.name.hasPrefix("ours") {
            table.add([score.name + ", by probability", Format.number(score.areaOfProbability, 3)])
        }
        if let published, let area = published.areas[index] {
            table.add(["published (\(published.section))", Format.number(area, 3)])
        }
        return head + "\n" + table.text
    }

    private func areaTarget(_ area: Double?, _ best: Double?, _ index: Int) -> String {
        guard let area, let other = [published?.areas[index], best].compactMap({ $0 }).max() else { return "" }
        return ">= \(Format.number(other, 3)): \(area >= other ? "met" : "missed")"
    }

    func add(to figures: inout Figures) {
        for (name, share) in evaluation.coverage { figures.add("\(dataSet)_\(name)_coverage_90", share) }
        for (index, radius) in ContactTruth.radii.enumerated() {
            let prefix = "\(dataSet)_\(Format.radius(radius))"
            figures.add("\(prefix)_windows", Double(evaluation.counts[index].windows), decimals: 0)
            figures.add("\(prefix)_contacts", Double(evaluation.counts[index].contacts), decimals: 0)
            for score in evaluation.scores[index] {
                figures.add("\(prefix)_auc_\(score.name)", score.area)
                if score.name.hasPrefix("ours") {
                    figures.add("\(prefix)_auc_of_probability_\(score.name)", score.areaOfProbability)
                }
                figures.add("\(prefix)_auc_in_scenario_\(score.name)", score.areaWithin)
                figures.add("\(prefix)_ndcf_\(score.name)", score.decisions.cost)
                figures.add("\(prefix)_precision_\(score.name)", score.decisions.precision)
                figures.add("\(prefix)_recall_\(score.name)", score.decisions.recall)
                figures.add("\(prefix)_brier_\(score.name)", score.probability.brier)
                figures.add("\(prefix)_ece_\(score.name)", score.probability.calibrationError)
                figures.add("\(prefix)_log_loss_\(score.name)", score.probability.logLoss)
            }
        }
    }
}
