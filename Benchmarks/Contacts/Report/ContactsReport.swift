/// The table of a run, and its figures.
struct ContactsReport {
    private let results: ContactsResults

    init(_ results: ContactsResults) { self.results = results }

    var text: String {
        var contacts = Table(
            [
                "policy", "true contact", "lost", "true", "found", "precision", "recall", "minutes off", "bias",
                "in range",
                "in one room",
                "heard together: precision", "recall", "nearest to one gateway: precision", "recall",
            ], textColumns: 2)
        for question in Question.allCases {
            for result in results.losses {
                guard let score = result.scores[question] else { continue }
                contacts.add(
                    Self.row(question, "\(result.percent) %", score) + [
                        Table.percent(result.ranges[question.policy]?.share),
                        Table.percent(result.ranges[question.policy]?.shareInOneRoom),
                        Table.percent(score.coLocated.precision), Table.percent(score.coLocationRecall),
                        Table.percent(score.nearest.precision), Table.percent(score.nearestRecall),
                    ])
            }
            // What is left to lose when no distance is wrong.
            if let exact = results.exact[question] {
                contacts.add(Self.row(question, "exact distances", exact) + Array(repeating: "-", count: 6))
            }
        }
        var gateways = Table([
            "lost", "advertisements heard", "records", "interactions", "distance by truth in the room",
            "in the interval",
            "behind walls", "in the interval",
        ])
        for result in results.losses {
            gateways.add([
                "\(result.percent) %", "\(result.counts.reports)", "\(result.counts.records)", "\(result.interactions)",
                Table.number(result.distances.ratio(.inRoom), 2), Table.percent(result.distances.share(.inRoom)),
                Table.number(result.distances.ratio(.elsewhere), 2), Table.percent(result.distances.share(.elsewhere)),
            ])
        }
        return "\n\(contacts.text)\n\n\(gateways.text)\n"
    }

    private static func row(_ question: Question, _ lost: String, _ score: Score) -> [String] {
        [
            question.policy, question.words, lost, "\(score.contacts)", "\(score.found.count)",
            Table.percent(score.found.precision), Table.percent(score.recall), Table.number(score.medianError, 1),
            Table.number(score.medianBias, 1),
        ]
    }

    /// `name: value` lines; what can't be said has none.
    var figures: [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: Double?, _ decimals: Int) {
            if value != nil { lines.append("\(name): \(Table.number(value, decimals))") }
        }
        for question in Question.allCases {
            for result in results.losses {
                guard let score = result.scores[question] else { continue }
                let name = "contacts_\(question.name)_loss\(result.percent)"
                add("\(name)_true", Double(score.contacts), 0)
                add("\(name)_found", Double(score.found.count), 0)
                add("\(name)_precision", score.found.precision, 4)
                add("\(name)_recall", score.recall, 4)
                add("\(name)_minutes_error", score.medianError, 2)
                add("\(name)_minutes_bias", score.medianBias, 2)
                add("\(name)_colocation_precision", score.coLocated.precision, 4)
                add("\(name)_colocation_recall", score.coLocationRecall, 4)
                add("\(name)_nearest_precision", score.nearest.precision, 4)
                add("\(name)_nearest_recall", score.nearestRecall, 4)
            }
            if let exact = results.exact[question] {
                add("contacts_\(question.name)_exact_distances_precision", exact.found.precision, 4)
                add("contacts_\(question.name)_exact_distances_recall", exact.recall, 4)
            }
        }
        for result in results.losses {
            for (policy, check) in result.ranges.sorted(by: { $0.key < $1.key }) {
                add("contacts_\(Self.name(policy))_loss\(result.percent)_in_range", check.share, 4)
                add("contacts_\(Self.name(policy))_loss\(result.percent)_in_one_room", check.shareInOneRoom, 4)
            }
            add("contacts_loss\(result.percent)_advertisements", Double(result.counts.reports), 0)
            add("contacts_loss\(result.percent)_records", Double(result.counts.records), 0)
            add("contacts_loss\(result.percent)_interactions", Double(result.interactions), 0)
            add("contacts_loss\(result.percent)_distance_ratio_in_room", result.distances.ratio(.inRoom), 3)
            add("contacts_loss\(result.percent)_distance_ratio_elsewhere", result.distances.ratio(.elsewhere), 3)
            add("contacts_loss\(result.percent)_distance_in_interval_in_room", result.distances.share(.inRoom), 4)
            add("contacts_loss\(result.percent)_distance_in_interval_elsewhere", result.distances.share(.elsewhere), 4)
        }
        return lines
    }

    private static func name(_ policy: String) -> String {
        String(policy.map { $0 == "-" || $0 == "." ? "_" : $0 })
    }
}
