import OperatorText
import RecordContract

/// The events and the end of a rollout, for people.
package enum RolloutRunText {
    package static func line(_ event: RolloutEvent) -> String {
        switch event {
        case .stageBegan(let number, let count, let stage, let gateways):
            "stage \(number) of \(count), \(stage): \(RolloutPlanText.count(gateways, "gateway"))"
        case .sent(let gateway, let attempt):
            "\(gateway): configuration sent" + (attempt > 1 ? " again (\(attempt))" : "")
        case .tries(let gateway): "\(gateway): tries it"
        case .works(let gateway): "\(gateway): works with it, told to keep it"
        case .troubled(let gateway, let problem): "\(gateway): \(problem.shown(upTo: 300))"
        case .ended(let gateway, let ending): "\(gateway): \(text(ending))"
        case .stopped(let stop): text(stop)
        }
    }

    static func text(_ ending: RolloutEnding) -> String {
        let word =
            switch ending.kind {
            case .accepted: "keeps it"
            case .unchanged: "has it already"
            case .returned: "returned to its former configuration"
            case .refused: "refused"
            case .silent: "lost"
            case .notReached: "not reached"
            }
        return word + (ending.reason.map { ": " + $0.shown(upTo: 400) } ?? "")
    }

    private static func text(_ stop: RolloutStop) -> String {
        switch stop {
        case .failures(let count, let stage):
            "stopped: \(RolloutPlanText.count(count, "gateway")) of the stage \(stage) failed; no further gateway is asked"
        case .nobodyReached(let stage):
            "stopped: no gateway of the stage \(stage) took the configuration, so nothing is known of it"
        case .interrupted: "interrupted: no further gateway is asked"
        }
    }

    /// The end in lines: counts, then what to do.
    ///
    /// - Parameter unchanged: number of gateways that did not take part, because they have their configurations.
    package static func lines(_ conclusion: RolloutConclusion, unchanged: Int = 0) -> [String] {
        var parts: [String] = []
        let names: [(RolloutEnding.Kind, String)] = [
            (.accepted, "keep the new configuration"),
            (.returned, "returned to the former one"), (.refused, "refused"), (.silent, "lost"),
            (.notReached, "not reached"),
        ]
        for (kind, name) in names where conclusion.count(kind) > 0 { parts.append("\(conclusion.count(kind)) \(name)") }
        let unchanged = unchanged + conclusion.count(.unchanged)
        if unchanged > 0 { parts.append("\(unchanged) had it already") }
        if !conclusion.abandoned.isEmpty { parts.append("\(conclusion.abandoned.count) left on trial") }
        if !conclusion.untouched.isEmpty { parts.append("\(conclusion.untouched.count) not asked") }
        var lines = [parts.isEmpty ? "no gateways" : parts.joined(separator: ", ")]
        if !conclusion.abandoned.isEmpty {
            lines.append(
                "left on trial: these return to their former configuration by themselves, unless `fleet apply` "
                    + "is run again before")
        }
        switch conclusion.stop {
        case .failures:
            lines.append("what to do: correct what the reasons name, commit, and run `fleet apply` again")
        case .nobodyReached, .interrupted: lines.append("what to do: run `fleet apply` again")
        case nil:
            if conclusion.count(.notReached) > 0 {
                lines.append("what to do: run `fleet apply` again when the gateways that were not reached are back")
            } else if !conclusion.untouched.isEmpty {
                lines.append("no stage takes the gateways that were not asked: --stages all takes them")
            }
        }
        return lines
    }
}

/// An event, for programs.
package struct RolloutEventDocument: Encodable, Sendable {
    private var event: String
    private var gateway: String?
    private var attempt: Int?
    private var stage: String?
    private var gateways: Int?
    private var ending: String?
    private var reason: String?

    package init(_ event: RolloutEvent) {
        switch event {
        case .stageBegan(_, _, let stage, let gateways):
            (self.event, self.stage, self.gateways) = ("stage", stage.description, gateways)
        case .sent(let gateway, let attempt):
            (self.event, self.gateway, self.attempt) = ("sent", gateway.description, attempt)
        case .tries(let gateway): (self.event, self.gateway) = ("tries", gateway.description)
        case .works(let gateway): (self.event, self.gateway) = ("works", gateway.description)
        case .troubled(let gateway, let problem):
            (self.event, self.gateway, reason) = ("troubled", gateway.description, problem)
        case .ended(let gateway, let ending):
            (self.event, self.gateway, self.ending, reason) =
                ("ended", gateway.description, ending.kind.rawValue, ending.reason)
        case .stopped(let stop):
            self.event = "stopped"
            switch stop {
            case .failures(let count, let stage):
                (self.stage, gateways, reason) = (stage.description, count, "failures")
            case .nobodyReached(let stage): (self.stage, reason) = (stage.description, "nobody-reached")
            case .interrupted: reason = "interrupted"
            }
        }
    }

    package var encoded: [UInt8] { JSON.encode(self) }
}

/// The end of a rollout, for programs.
package struct RolloutResultDocument: Encodable, Sendable {
    private var event = "finished"
    private var counts: [String: Int]
    private var stopped: Bool

    package init(_ conclusion: RolloutConclusion, unchanged: Int = 0) {
        counts = Dictionary(
            uniqueKeysWithValues: RolloutEnding.Kind.allCases.map { ($0.rawValue, conclusion.count($0)) })
        counts[RolloutEnding.Kind.unchanged.rawValue, default: 0] += unchanged
        counts["abandoned"] = conclusion.abandoned.count
        counts["untouched"] = conclusion.untouched.count
        stopped = conclusion.stop != nil
    }

    package var encoded: [UInt8] { JSON.encode(self) }
}
