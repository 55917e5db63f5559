package import GatewayCore
import OperatorText
import RecordContract

/// The state of a running gateway, as lines for a terminal. Pure.
package struct StatusText: Sendable {
    package var status: LocalStatus
    /// Maximum width of a line in characters.
    package var width: Int
    package var isColoured: Bool

    /// Width of the first column outside of tables.
    private static let labelWidth = 12

    package init(_ status: LocalStatus, width: Int, isColoured: Bool) {
        self.status = status
        self.width = width
        self.isColoured = isColoured
    }

    package var lines: [String] {
        verdict + problems + [""] + summary + modules + otherPorts + adapters + log
    }

    // MARK: Parts

    /// The verdict, in two lines where it does not fit into one.
    private var verdict: [String] {
        let works = status.works
        let word = works ? "works" : "does not work as it should"
        let name = "gateway \(status.gateway.path.shown(upTo: .max))"
        let coloured = isColoured ? "\u{1B}[\(works ? "32" : "1;31")m\(word)\u{1B}[0m" : word
        return name.count + 1 + word.count <= width ? ["\(name) \(coloured)"] : [name, "  \(coloured)"]
    }

    private var problems: [String] {
        status.problems.flatMap { problem in
            wrap("  \(problem.subject): ", problem.what, indentation: 4)
                + (problem.remedy.map { wrap("    what to do: ", $0, indentation: 6) } ?? [])
        }
    }

    private var summary: [String] {
        let commit = status.commit.map { " (\($0))" } ?? ""
        let process = "process \(status.process), up \(Self.span(status.uptimeSeconds))"
        return field("program", "beacon-gateway \(status.version)\(commit), \(process)")
            + field("receiving", text(of: status.receiving)) + field("storing", text(of: status.storing))
            + field("delivering", text(of: status.delivering)) + field("broker", broker) + field("outbox", outbox)
            + (status.configuration.map { field("configured", text(of: $0)) } ?? [])
            + field("clock", status.clock.synchronized ? "synchronized" : "not synchronized")
    }

    private func text(of part: LocalStatus.Part) -> String {
        part.state + (part.reason.map { ": \($0)" } ?? "")
    }

    private func text(of configuration: LocalStatus.InUse) -> String {
        let since = "since \(Self.seconds(configuration.since))"
        let inUse = configuration.revision.map { "from afar, revision \($0)" } ?? "by its own file"
        switch configuration.state {
        case .local: return inUse
        case .accepted: return "\(inUse), \(since)"
        case .trial:
            return "\(inUse), on trial" + (configuration.until.map { " until \(Self.seconds($0))" } ?? "")
        case .returned:
            return "\(inUse), returned from revision \(configuration.returnedFrom ?? "-") \(since): "
                + (configuration.reason ?? "-")
        }
    }

    private var broker: String {
        let broker = status.broker
        let addresses = broker.addresses.joined(separator: ", ")
        if broker.connected {
            return "connected to \(addresses)" + (broker.version.map { " by MQTT \($0)" } ?? "")
                + (broker.since.map { " since \(Self.seconds($0))" } ?? "")
        }
        return "not connected to \(addresses)" + (broker.since.map { " since \(Self.seconds($0))" } ?? "")
            + (brokerError.map { ": \($0)" } ?? "")
    }

    /// The last error, without the address if there is only one.
    private var brokerError: String? {
        guard let error = status.broker.lastError, let address = status.broker.addresses.first,
            status.broker.addresses.count == 1
        else { return status.broker.lastError }
        let head = "broker \(address): "
        return error.hasPrefix(head) ? String(error.dropFirst(head.count)) : error
    }

    private var outbox: String {
        let outbox = status.outbox
        var text = "\(outbox.records) \(outbox.records == 1 ? "record" : "records"), "
        text += "\(ByteSizeText.format(outbox.bytes)) of \(ByteSizeText.format(outbox.capacityBytes))"
        if let age = outbox.oldestAgeSeconds { text += ", the oldest \(Self.span(age)) old" }
        // At a low rate the time means nothing.
        if outbox.records > 0, let left = outbox.secondsLeft, left < 365 * 86_400 {
            text += ", full in \(Self.span(left)) at this rate"
        }
        if outbox.waitingForConsumer > 0 { text += ", \(outbox.waitingForConsumer) waiting for the consumer" }
        if let trouble = outbox.trouble { text += "; \(trouble)" }
        return text
    }

    private var modules: [String] {
        guard !status.modules.isEmpty else { return ["", "no modules are in the inventory"] }
        var table = TextTable([("MODULE", .left), ("STATE", .left), ("PORT", .left), ("BEACON", .left)])
        for module in status.modules {
            let listening = module.listening.map { ", \($0 == "listening" ? "listens" : "listening: \($0)")" } ?? ""
            table.add([module.name, module.state + listening, module.port, module.beacon])
        }
        return [""] + table.lines(width: width)
    }

    private var otherPorts: [String] {
        guard !status.otherPorts.isEmpty else { return [] }
        var table = TextTable([("OTHER PORT", .left), ("ADDRESS", .left), ("PROBLEM", .left)])
        for port in status.otherPorts { table.add([port.port, port.address ?? "-", port.error]) }
        return [""] + table.lines(width: width)
    }

    private var adapters: [String] {
        guard !status.adapters.isEmpty else { return ["", "no adapter is configured"] }
        var table = TextTable([
            ("ADAPTER", .left), ("STATE", .left), ("REPORTS/S", .right), ("PATH", .left), ("SINCE", .left),
        ])
        for adapter in status.adapters {
            let name = adapter.adapter.map { $0 == adapter.name ? $0 : "\(adapter.name) (\($0))" } ?? adapter.name
            table.add([
                name, adapter.state, adapter.reportsPerSecond.map { Format.fixed($0, 1) } ?? "-", adapter.path ?? "-",
                adapter.since.map(Self.seconds) ?? "-",
            ])
        }
        return [""] + table.lines(width: width)
    }

    private var log: [String] {
        let level = ["", "log level \(status.log.level)"]
        guard !status.log.problems.isEmpty else { return level + ["no warnings or errors since the start"] }
        return level + ["latest warnings and errors:"]
            + status.log.problems.flatMap { entry in
                let metadata = entry.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return wrap(
                    "  \(Self.seconds(entry.time)) \(entry.level): ",
                    ([entry.message] + metadata).joined(separator: " "), indentation: 4)
            }
    }

    // MARK: Lines

    private func field(_ label: String, _ text: String) -> [String] {
        let padding = String(repeating: " ", count: max(1, Self.labelWidth - label.count))
        return wrap(label + padding, text, indentation: Self.labelWidth)
    }

    private func wrap(_ first: String, _ text: String, indentation: Int) -> [String] {
        DoctorText.wrap(
            text.shownInLines, first: first.shown(upTo: .max), rest: String(repeating: " ", count: indentation),
            width: width)
    }

    /// Returns a time of RFC 3339 in whole seconds.
    private static func seconds(_ time: String) -> String {
        guard time.hasSuffix("Z"), let point = time.lastIndex(of: ".") else { return time }
        return time[..<point] + "Z"
    }

    /// Returns a length of time in its two largest units: `3 d 4 h`.
    static func span(_ seconds: Double) -> String {
        let total = seconds.isFinite ? Int(min(max(0, seconds.rounded()), 1e12)) : 0
        let units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { total >= $0.1 }) else { return "0 s" }
        let whole = "\(total / units[first].1) \(units[first].0)"
        guard first + 1 < units.count else { return whole }
        let rest = total % units[first].1 / units[first + 1].1
        return rest > 0 ? "\(whole) \(rest) \(units[first + 1].0)" : whole
    }
}
