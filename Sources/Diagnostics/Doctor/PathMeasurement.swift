package import BeaconModel
package import HCI

/// Reception on one path from one adapter over a few seconds.
package struct PathMeasurement: Equatable, Sendable {
    package struct Reception: Equatable, Sendable {
        package var reports: Int
        /// Number of distinct addresses.
        package var senders: Int
        package var elapsed: Duration
        package var mode: ScanMode?

        package init(reports: Int, senders: Int, elapsed: Duration, mode: ScanMode? = nil) {
            self.reports = reports
            self.senders = senders
            self.elapsed = elapsed
            self.mode = mode
        }

        /// Reports per second.
        package var rate: Double {
            let seconds = elapsed / .seconds(1)
            return seconds > 0 ? Double(reports) / seconds : 0
        }
    }

    package enum Outcome: Equatable, Sendable {
        case heard(Reception)
        case failed(ScannerError)
        /// Not measured, with the reason.
        case notTried(String)
    }

    package var path: ScanPathKind
    package var adapter: Adapter
    package var outcome: Outcome

    package init(path: ScanPathKind, adapter: Adapter, outcome: Outcome) {
        self.path = path
        self.adapter = adapter
        self.outcome = outcome
    }

    package var reception: Reception? {
        if case .heard(let reception) = outcome { return reception }
        return nil
    }

    /// Whether the gateway would receive on this path.
    package var works: Bool {
        guard let reception else { return false }
        // A path that only listens receives nothing when no program scans.
        return path != .monitor || reception.reports > 0
    }
}

extension ScanPathKind {
    /// Paths in the order in which they are measured: first the one that only listens, to find out whether another
    /// program scans; last the one that takes the adapter exclusively.
    package static var inOrderOfMeasuring: [ScanPathKind] {
        allCases.filter { $0 == .monitor } + allCases.filter { $0 != .monitor && $0 != .userChannel }
            + allCases.filter { $0 == .userChannel }
    }

    /// Whether the kernel requires CAP_NET_RAW and CAP_NET_ADMIN.
    var needsCapabilities: Bool { self != .dbus }
    var needsBluetoothd: Bool { self == .dbus }

    /// Reason to choose the path.
    package var why: String {
        switch self {
        case .raw: "receives every advertisement, alongside other programs"
        case .userChannel: "uses the adapter exclusively, undisturbed"
        case .monitor: "reads the results of another program's scan"
        case .dbus: "bluetoothd scans; requires no privileges"
        }
    }
}
