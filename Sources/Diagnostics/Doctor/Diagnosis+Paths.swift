import BeaconModel
package import HCI
import OperatorText

extension Diagnosis {
    /// Returns the reason not to measure a path; `nil` when it is measured.
    package func reasonNotToMeasure(_ path: ScanPathKind, allPaths: Bool) -> String? {
        let isChosen = path == configuration.scanPath
        let missing = facts.user.missingCapabilities
        if path.needsCapabilities, !missing.isEmpty {
            return "not tested: requires \(missing.joined(separator: " and "))"
        }
        if path.needsBluetoothd, facts.programs.bluetoothd == nil { return "not tested: bluetoothd is not running" }
        if isTaken, path != .monitor { return "not tested: another program has exclusive use of the adapter" }
        if let gateway = facts.programs.gateway, path != .monitor,
            path == .userChannel || configuration.scanPath == .userChannel
        {
            return "not tested: \(gateway) may have exclusive use of the adapter"
        }
        if path == .userChannel, !isChosen, !allPaths {
            return "not tested: takes the adapter away from all other programs; specify --all-paths to test it"
        }
        return nil
    }

    /// Returns the finding for the measurement of one path.
    package func finding(on measurement: PathMeasurement) -> Finding {
        let subject = measurement.path.rawValue
        let adapter = measurement.adapter
        switch measurement.outcome {
        case .notTried(let reason): return Finding(subject, .skipped, reason)
        case .failed(let error):
            // The chosen path's failure is judged by `path`, with its remedies.
            let isChosen = measurement.path == configuration.scanPath
            return Finding(subject, isChosen ? .warning : .skipped, "cannot be used: \(error.what)")
        case .heard(let reception):
            let seconds = Format.fixed(reception.elapsed / .seconds(1), 1)
            if reception.reports == 0 {
                return Finding(
                    subject, .ok,
                    measurement.path == .monitor
                        ? "\(adapter): received nothing; no program is scanning, or there are no advertisements"
                        : "\(adapter): received nothing in \(seconds) s")
            }
            let senders = reception.senders == 1 ? "1 sender" : "\(reception.senders) senders"
            let who = measurement.path == .monitor ? "another program is scanning: " : ""
            // A path that only listens does not know how other programs scan.
            let mode = measurement.path == .monitor ? nil : reception.mode?.rawValue
            return Finding(
                subject, .ok,
                "\(adapter): \(who)\(Format.fixed(reception.rate, 1)) reports/s from \(senders) in \(seconds) s"
                    + (mode.map { ", \($0) scan" } ?? ""))
        }
    }

    /// Returns a finding if measuring has ended the scan of another program.
    package func aftermath(_ measurements: [PathMeasurement]) -> Finding? {
        let weScanned = measurements.contains { $0.path != .monitor && $0.reception != nil }
        guard weScanned else { return nil }
        if let gateway = facts.programs.gateway {
            return Finding(
                "afterwards", .ok,
                "the measurement stopped the scan of \(gateway), which resumes it within a second")
        }
        // Reports arrived before the doctor itself had scanned.
        guard measurements.contains(where: { $0.path == .monitor && ($0.reception?.reports ?? 0) > 0 }) else {
            return nil
        }
        return Finding(
            "afterwards", .warning, "the measurement stopped the scan of another program",
            [Remedy("sudo systemctl restart bluetooth", "restarts bluetoothd's scan, if it was that one")])
    }

    /// Returns the finding on the chosen path: which one the gateway uses, why, and whether it receives on it.
    package func path(_ measurements: [PathMeasurement]) -> Finding {
        let path = configuration.scanPath
        let because =
            configuration.isAutomatic
            ? "chosen by this user's privileges" : configuration.file.map { "set in \($0)" } ?? "by default"
        let choice = "\(path.rawValue), \(because)"
        if let radioObstacle { return Finding("path", .skipped, "\(choice); \(radioObstacle)") }
        let own = measurements.filter { $0.path == path }
        let works = own.filter(\.works)
        let others = alternatives(measurements)
        if own.allSatisfy({ if case .notTried = $0.outcome { true } else { false } }) {
            return unmeasured(choice, path, own, others)
        }
        if works.isEmpty {
            let error = own.lazy.compactMap { measurement -> ScannerError? in
                if case .failed(let error) = measurement.outcome { return error }
                return measurement.works ? nil : .nobodyScans(measurement.adapter)
            }.first
            return Finding(
                "path", .failed, "\(choice), does not work: \(error?.what ?? "not tested")\(others.text)",
                (error.map { commands(against: $0) } ?? []) + others.remedies)
        }
        if works.allSatisfy({ $0.reception?.reports == 0 }) {
            return Finding(
                "path", .warning, "\(choice); it works, but nothing was received",
                [
                    Remedy(
                        "\(ShellWord.quote(facts.program)) scan --duration 30s",
                        "scans for longer; hold a beacon near")
                ])
        }
        return Finding("path", .ok, "\(choice): \(path.why)")
    }

    /// Returns the finding for a chosen path that was not measured, by what the path needs.
    private func unmeasured(
        _ choice: String, _ path: ScanPathKind, _ own: [PathMeasurement], _ others: (text: String, remedies: [Remedy])
    ) -> Finding {
        let missing = facts.user.missingCapabilities
        if path.needsCapabilities, !missing.isEmpty, let gateway = facts.programs.gateway {
            return Finding(
                "path", .skipped, "\(choice); not tested as \(facts.user.name), and \(gateway) is running already")
        }
        if path.needsCapabilities, !missing.isEmpty {
            return Finding(
                "path", .failed,
                "\(choice), does not work: it requires \(missing.joined(separator: " and "))\(others.text)",
                [capabilityRemedy] + others.remedies)
        }
        if path.needsBluetoothd, facts.programs.bluetoothd == nil {
            return Finding(
                "path", .failed, "\(choice), does not work: bluetoothd is not running\(others.text)",
                [bluetoothdRemedy] + others.remedies)
        }
        return Finding("path", .skipped, "\(choice): \(path.why); not tested")
    }

    var bluetoothdRemedy: Remedy {
        facts.programs.hasBlueZ
            ? Remedy("sudo systemctl enable --now bluetooth", "starts bluetoothd, now and at each boot")
            : Remedy("sudo apt-get install bluez", "installs bluetoothd")
    }

    /// Returns the best other path that was measured to work; when none was, notes whether dbus remains.
    private func alternatives(_ measurements: [PathMeasurement]) -> (text: String, remedies: [Remedy]) {
        var working: [ScanPathKind] = []
        for kind in [ScanPathKind.raw, .dbus] + ScanPathKind.allCases
        where kind != configuration.scanPath && !working.contains(kind)
            && measurements.contains(where: { $0.path == kind && $0.works })
        {
            working.append(kind)
        }
        guard let best = working.first else {
            guard !facts.user.missingCapabilities.isEmpty, configuration.scanPath != .dbus else { return ("", []) }
            return ("; without them only dbus is left", [])
        }
        return (
            "; \(best.rawValue) works here",
            [editRemedy("or, under [radio], set path = \"\(best.rawValue)\": \(best.why)")]
        )
    }
}
