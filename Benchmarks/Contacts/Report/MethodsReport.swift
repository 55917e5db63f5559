/// What each method finds: tables of all worlds, with the means over seeds, and their figures.
struct MethodsReport {
    private let runs: [ContactsResults]
    private let losses: [Double]

    init(_ runs: [ContactsResults], losses: [Double]) {
        self.runs = runs
        self.losses = losses
    }

    /// A table for each world and question that fits 120 columns at three losses.
    var text: String {
        var parts: [String] = []
        for world in worlds {
            for question in PairQuestion.allCases { parts.append(table(world, question)) }
            parts.append(
                "\(world.rawValue): share of people's minutes in which stays are right, %\n\(rooms(world).text)")
            let rows = probabilities(world)
            if let rows { parts.append("\(world.rawValue): probabilities beside the base rate\n\(rows.text)") }
        }
        return "\n" + parts.joined(separator: "\n\n") + "\n"
    }

    private var worlds: [World.Name] { World.Name.allCases.filter { name in runs.contains { $0.world == name } } }

    private func table(_ world: World.Name, _ question: PairQuestion) -> String {
        let any = scores(world, losses[0], question, .cosine)
        let head =
            "\(world.rawValue): \(question.words): \(Table.number(any.first.map { Double($0.pairs) }, 0)) pairs, "
            + "\(Table.percent(Self.mean(any.map(\.baseRate)))) contacts, \(any.count) seeds; % at each share of lost packets"
        var header = ["method"]
        for loss in losses {
            header += ["\(Int((loss * 100).rounded())) % P", "R", "F1", "least", "AP"]
        }
        var table = Table(header, textColumns: 1)
        for method in Method.allCases {
            var row = [method.words]
            for loss in losses {
                let scores = scores(world, loss, question, method)
                row += [
                    Self.mean(scores.map(\.precision)), Self.mean(scores.map(\.recall)), Self.mean(scores.map(\.f1)),
                    Self.least(scores.map(\.f1)), Self.mean(scores.map(\.averagePrecision)),
                ].map { Table.number($0.map { 100 * $0 }, 0) }
            }
            if row.dropFirst().contains(where: { $0 != "-" }) { table.add(row) }
        }
        return "\(head)\n\(table.text)"
    }

    private func rooms(_ world: World.Name) -> Table {
        var table = Table(["lost", "floor", "room", "least", "modules", "least", "survey", "least"], textColumns: 1)
        for loss in losses {
            var row = ["\(Int((loss * 100).rounded())) %"]
            row.append(percent(shares(world, loss, \.placed).map(\.floorShare), Self.mean))
            for way in [\LossResult.placed, \.modules, \.surveyed] {
                let rooms = shares(world, loss, way).map(\.roomShare)
                row += [percent(rooms, Self.mean), percent(rooms, Self.least)]
            }
            table.add(row)
        }
        return table
    }

    private func percent(_ shares: [Double?], _ value: ([Double?]) -> Double?) -> String {
        Table.number(value(shares).map { 100 * $0 }, 1)
    }

    private func shares(_ world: World.Name, _ loss: Double, _ share: KeyPath<LossResult, RoomShare>) -> [RoomShare] {
        runs.filter { $0.world == world }.flatMap(\.losses).filter { $0.loss == loss }.map { $0[keyPath: share] }
    }

    private func probabilities(_ world: World.Name) -> Table? {
        var table = Table(["method", "lost", "question", "Brier", "of base rate", "ECE"], textColumns: 1)
        var isEmpty = true
        for method in Method.allCases {
            for question in PairQuestion.allCases {
                for loss in losses {
                    let scores = scores(world, loss, question, method)
                    guard let brier = Self.mean(scores.map(\.brier)) else { continue }
                    isEmpty = false
                    table.add([
                        method.words, "\(Int((loss * 100).rounded())) %", question.rawValue, Table.number(brier, 3),
                        Table.number(Self.mean(scores.map(\.baseRateBrier)), 3),
                        Table.number(Self.mean(scores.map(\.calibrationError)), 3),
                    ])
                }
            }
        }
        return isEmpty ? nil : table
    }

    private func scores(_ world: World.Name, _ loss: Double, _ question: PairQuestion, _ method: Method)
        -> [MethodScore]
    {
        runs.filter { $0.world == world }.flatMap(\.losses).filter { $0.loss == loss }
            .compactMap { $0.methods[question]?[method] }
    }

    /// `name: value` lines, of 0 to 1; what can't be said has none. `together_f1_6m5` and what else has no world in its name
    /// is the mean over all runs.
    var figures: [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: Double?) {
            if let value { lines.append("\(name): \(Table.number(value, 4))") }
        }
        for world in worlds {
            let name = String(world.rawValue.map { $0 == "-" ? "_" : $0 })
            for loss in losses {
                let tail = "\(name)_loss\(Int((loss * 100).rounded()))"
                add("placed_room_\(tail)", Self.mean(shares(world, loss, \.placed).map(\.roomShare)))
                add("modules_room_\(tail)", Self.mean(shares(world, loss, \.modules).map(\.roomShare)))
                add("surveyed_room_\(tail)", Self.mean(shares(world, loss, \.surveyed).map(\.roomShare)))
            }
            for question in PairQuestion.allCases {
                add(
                    "\(name)_base_rate_\(question.rawValue)",
                    Self.mean(scores(world, losses[0], question, .cosine).map(\.baseRate)))
                for loss in losses {
                    for method in Method.allCases {
                        let scores = scores(world, loss, question, method)
                        let percent = Int((loss * 100).rounded())
                        let tail = "\(question.rawValue)_\(name)_loss\(percent)"
                        add("\(method.rawValue)_precision_\(tail)", Self.mean(scores.map(\.precision)))
                        add("\(method.rawValue)_recall_\(tail)", Self.mean(scores.map(\.recall)))
                        add("\(method.rawValue)_f1_\(tail)", Self.mean(scores.map(\.f1)))
                        add("\(method.rawValue)_least_f1_\(tail)", Self.least(scores.map(\.f1)))
                        add("\(method.rawValue)_ap_\(tail)", Self.mean(scores.map(\.averagePrecision)))
                        add("\(method.rawValue)_brier_\(tail)", Self.mean(scores.map(\.brier)))
                        add("\(method.rawValue)_ece_\(tail)", Self.mean(scores.map(\.calibrationError)))
                    }
                }
            }
        }
        for question in PairQuestion.allCases {
            let all = runs.flatMap(\.losses).compactMap { $0.methods[question] }
            // The benchmark's own cosine stands for it until the product has one.
            let scores = all.compactMap { $0[.together] ?? $0[.cosine] }
            add("together_f1_\(question.rawValue)", Self.mean(scores.map(\.f1)))
            add("together_least_f1_\(question.rawValue)", Self.least(scores.map(\.f1)))
            add("together_precision_\(question.rawValue)", Self.mean(scores.map(\.precision)))
            add("together_recall_\(question.rawValue)", Self.mean(scores.map(\.recall)))
        }
        return lines
    }

    /// What isn't said doesn't count; `nil` of nothing.
    static func mean(_ values: [Double?]) -> Double? {
        let values = values.compactMap { $0 }
        return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    static func least(_ values: [Double?]) -> Double? { values.compactMap { $0 }.min() }
}
