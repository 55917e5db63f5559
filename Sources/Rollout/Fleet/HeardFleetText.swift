package import BeaconModel
package import OperatorText
import RecordContract

/// All gateways in one table.
package struct HeardFleetText {
    private let fleet: HeardFleet
    private let now: Timestamp
    /// Gateways that have a file and may never have been heard.
    private let known: [GatewayPath]

    package init(_ fleet: HeardFleet, known: [GatewayPath] = [], now: Timestamp) {
        self.fleet = fleet
        self.known = known
        self.now = now
    }

    package var table: TextTable {
        var table = TextTable([
            ("GATEWAY", .left), ("STATE", .left), ("CONFIGURATION", .left), ("VERSION", .left), ("UPTIME", .right),
            ("WAITING", .right), ("MODULES", .left), ("PROBLEM", .left),
        ])
        for path in Set(fleet.gateways.keys).union(known).sorted() {
            guard let gateway = fleet[path] else {
                table.add([path.description, "never heard", "", "", "", "", "", ""])
                continue
            }
            table.add([path.description] + cells(gateway))
        }
        return table
    }

    /// The counts in one line.
    package var summary: String {
        let all = fleet.gateways.values
        var parts = [RolloutPlanText.count(all.count, "gateway"), "\(all.count(where: \.isOnline)) online"]
        let working = all.count { $0.isOnline && $0.configuration?.works == true }
        parts.append("\(working) working")
        let unheard = known.count { fleet[$0] == nil }
        if unheard > 0 { parts.append("\(unheard) never heard") }
        let returned = all.count { $0.configuration?.state == .returned }
        if returned > 0 { parts.append("\(returned) returned to a former configuration") }
        let trying = all.count { $0.configuration?.state == .trial }
        if trying > 0 { parts.append("\(trying) in a trial") }
        for (version, count) in versions { parts.append("\(count) with version \(version)") }
        if fleet.isFull { parts.append("more than \(HeardFleet.most) are not shown") }
        return parts.joined(separator: ", ")
    }

    /// Whether everything that is known works.
    package var allWork: Bool {
        known.allSatisfy { fleet[$0] != nil }
            && fleet.gateways.values.allSatisfy { $0.isOnline && $0.configuration?.works != false }
    }

    private var versions: [(version: String, count: Int)] {
        var counts: [String: Int] = [:]
        for gateway in fleet.gateways.values {
            if let version = gateway.configuration?.version ?? gateway.info?.version {
                counts[version.shown(upTo: 20), default: 0] += 1
            }
        }
        return counts.sorted { $0.key < $1.key }.prefix(5).map { ($0.key, $0.value) }
    }

    private func cells(_ gateway: HeardFleet.Gateway) -> [String] {
        let state =
            switch gateway.status?.state {
            case nil: "unknown"
            case "online": "online"
            case let state?: state.shown(upTo: 12) + (gateway.status?.time.map { " since \(clock($0))" } ?? "")
            }
        let configuration = gateway.configuration.map { state in
            switch state.state {
            case .local: "own file"
            case .accepted: state.revision?.short ?? "accepted"
            case .trial: "\(state.revision?.short ?? "?") on trial"
            case .returned: "\(state.revision?.short ?? "own file"), returned"
            }
        }
        let modules = gateway.info?.modules.map { modules in
            modules.isEmpty ? "" : "\(modules.count { $0.state == "advertising" }) of \(modules.count)"
        }
        return [
            state, configuration ?? "-",
            (gateway.configuration?.version ?? gateway.info?.version ?? "-").shown(upTo: 20),
            gateway.isOnline ? gateway.info?.startedAt.flatMap(uptime) ?? "-" : "",
            gateway.health.map { "\($0.outbox.records)" } ?? "", modules ?? "", problem(gateway) ?? "",
        ]
    }

    private func problem(_ gateway: HeardFleet.Gateway) -> String? {
        if let state = gateway.configuration {
            if gateway.isOnline, !state.works { return state.problem?.shown(upTo: 200) ?? "does not work" }
            if state.state == .returned {
                return "did not keep \(state.returned?.revision.short ?? "a configuration"): "
                    + (state.reason?.shown(upTo: 200) ?? "no reason given")
            }
        }
        if gateway.isOnline, gateway.status?.radio == "deaf" { return "receives nothing" }
        return nil
    }

    private func uptime(_ start: String) -> String? {
        guard let start = RFC3339Text.parse(start), start <= now else { return nil }
        let seconds = Int((now - start).components.seconds)
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) days"
        }
    }

    /// Returns the time of day, with the date if that is another one.
    private func clock(_ time: String) -> String {
        guard let time = RFC3339Text.parse(time)?.rfc3339 else { return "?" }
        let (date, clock) = (time.prefix(10), time.dropFirst(11).prefix(5))
        return date == now.rfc3339.prefix(10) ? "\(clock) UTC" : "\(date)"
    }
}
