package import OperatorText
import RecordContract

/// A plan for people.
package struct RolloutPlanText {
    private let plan: RolloutPlan
    /// Name of the state of the directory.
    private let source: String

    /// - Parameter source: name of the state of the directory: a commit.
    package init(_ plan: RolloutPlan, source: String) {
        self.plan = plan
        self.source = source
    }

    package var table: TextTable {
        var table = TextTable([
            ("GATEWAY", .left), ("IN USE", .left), ("STATE", .left), ("CHANGE", .left), ("", .left),
        ])
        for row in plan.rows {
            let (revision, state, note) = Self.cells(row.use)
            table.add([row.gateway.description, revision, state, Self.text(row.change), note])
        }
        for stranger in plan.strangers { table.add([stranger.description, "", "", "", "not in the directory"]) }
        return table
    }

    /// The differences of all gateways. Gateways with the same difference share it.
    package var differences: [String] {
        var groups: [(lines: [String], gateways: [GatewayPath])] = []
        var indices: [[String]: Int] = [:]
        for row in plan.rows {
            guard case .lines(_, _, let lines) = row.change else { continue }
            if let index = indices[lines] {
                groups[index].gateways.append(row.gateway)
            } else {
                indices[lines] = groups.count
                groups.append((lines, [row.gateway]))
            }
        }
        return groups.flatMap { group in
            ["", group.gateways.map(\.description).joined(separator: ", ")] + group.lines.map { "  " + $0 }
        }
    }

    /// The counts in one line, and what could not be checked.
    package var summary: [String] {
        let changing = plan.changing.count
        var parts = ["\(changing) of \(Self.count(plan.rows.count, "gateway")) would change"]
        let unheard = plan.rows.count { $0.use == .neverHeard }
        if unheard > 0 { parts.append("\(unheard) never heard") }
        let offline = plan.rows.count { if case .known(_, isOnline: false) = $0.use { true } else { false } }
        if offline > 0 { parts.append("\(offline) not connected") }
        if !plan.strangers.isEmpty { parts.append("\(plan.strangers.count) not in the directory") }
        var lines = ["\(source): " + parts.joined(separator: ", ")]
        let files = Set(plan.rows.flatMap(\.uncheckedFiles)).sorted()
        if !files.isEmpty {
            lines.append("not checked, because only the gateways have them: " + files.joined(separator: ", "))
        }
        return lines
    }

    static func cells(_ use: RolloutPlan.Use) -> (revision: String, state: String, note: String) {
        switch use {
        case .neverHeard: return ("-", "never heard", "")
        case .older(let version): return ("-", "older", "version \(version ?? "unknown") does not take configurations")
        case .known(let state, let isOnline):
            var notes: [String] = []
            if !isOnline { notes.append("not connected") }
            if !state.obeys { notes.append("does not obey `configure`") }
            if let returned = state.returned { notes.append("did not keep \(returned.revision.short)") }
            return (state.revision?.short ?? "own file", state.state.rawValue, notes.joined(separator: "; "))
        }
    }

    private static func text(_ change: RolloutPlan.Change) -> String {
        switch change {
        case .none: "none"
        case .whole(let lines): "all of \(count(lines, "line"))"
        case .lines(let added, let removed, _): "+\(added) -\(removed)"
        case .unknown(let lines): "unknown revision; \(count(lines, "line"))"
        }
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
