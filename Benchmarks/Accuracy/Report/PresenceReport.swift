/// Table and figures of presence in one data set.
struct PresenceReport {
    private let dataSet: String
    private let evaluation: PresenceEvaluation
    private let streams: Int

    init(_ dataSet: String, _ streams: [PresenceStream]) {
        self.dataSet = dataSet
        self.streams = streams.count
        evaluation = PresenceEvaluation(streams)
    }

    var text: String {
        var table = Table([
            "presence", "received", "device-hours", "false ends", "per hour", "to best", "target", "departure median s",
            "p90 s", "after last packet s",
        ])
        for (received, scores) in evaluation.scores {
            let best = scores.filter { !$0.name.hasPrefix("ours") }.compactMap(\.score.falseEndsPerHour).min()
            for (name, score) in scores {
                let isOwn = name.hasPrefix("ours")
                let perHour = score.falseEndsPerHour
                let isMet = (perHour ?? .infinity) < Published.falseEndsPerHour
                table.add([
                    name, "\(received) %", Format.number(score.hours), "\(score.falseEnds)", Format.number(perHour),
                    isOwn ? Format.difference(perHour.flatMap { perHour in best.map { perHour - $0 } }) : "",
                    isOwn && received == 50 ? "< 1: \(isMet ? "met" : "missed")" : "",
                    Format.number(score.sinceCut.median, 1), Format.number(score.sinceCut.quantile(0.9), 1),
                    Format.number(score.sinceLastPacket.median, 1),
                ])
            }
        }
        return "== presence, \(dataSet): \(streams) streams\n\n\(table.text)\n"
    }

    func add(to figures: inout Figures) {
        for (received, scores) in evaluation.scores {
            for (name, score) in scores {
                let prefix = "presence_\(dataSet)_\(received)pct_\(name)"
                figures.add("\(prefix)_device_hours", score.hours, decimals: 2)
                figures.add("\(prefix)_false_ends", Double(score.falseEnds), decimals: 0)
                figures.add("\(prefix)_false_ends_per_hour", score.falseEndsPerHour)
                figures.add("\(prefix)_departure_median_s", score.sinceCut.median, decimals: 2)
                figures.add("\(prefix)_departure_p90_s", score.sinceCut.quantile(0.9), decimals: 2)
            }
        }
    }
}
