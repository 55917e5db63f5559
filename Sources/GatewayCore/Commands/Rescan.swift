import BeaconModel
package import HCI

/// The plan of a `rescan` command for each adapter. Pure.
package struct Rescan: Equatable, Sendable {
    /// Indices of the adapters to rescan, in the order of the configuration.
    package private(set) var sources: [Int] = []
    package private(set) var outcome: CommandOutcome

    /// - Parameter adapter: the adapter to rescan; `nil`: all.
    package init(of adapter: AdapterSelector?, _ reports: [RadioReport]) {
        let chosen = reports.indices.filter { index in
            guard let adapter else { return true }
            return [reports[index].name, reports[index].adapter].contains(adapter.description)
                || reports[index].state?.address?.description == adapter.description
        }
        guard !chosen.isEmpty else {
            let names = reports.map(\.name).joined(separator: ", ")
            outcome = CommandOutcome(
                ok: false,
                text:
                    "there is no adapter \(adapter?.description ?? ""); the adapters are \(names.isEmpty ? "none" : names)"
            )
            return
        }
        var texts: [String] = []
        for index in chosen {
            let report = reports[index]
            switch report.state?.condition {
            case _ where report.state?.path == .monitor:
                texts.append("\(report.name) only reads the scans of other programs: nothing to restart")
                continue
            case .hearing?, .quiet?: texts.append("\(report.name): scanning is restarted")
            case .deaf?:
                let reason = report.state?.reason?.rawValue ?? "unknown"
                texts.append("\(report.name) is deaf (\(reason)): retrying now")
            case .starting?, nil: texts.append("\(report.name) is not open yet: trying now")
            }
            sources.append(index)
        }
        outcome = CommandOutcome(ok: !sources.isEmpty, text: texts.joined(separator: "; "))
    }
}
