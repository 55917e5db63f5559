package import BeaconModel
package import HCI

/// What one path brought from one adapter in a few seconds.
package struct PathMeasurement: Equatable, Sendable {
    package struct Reception: Equatable, Sendable {
        package var reports: Int
        /// Addresses that differ.
        package var senders: Int
        package var elapsed: Duration
        package var mode: ScanMode?

        package init(reports: Int, senders: Int, elapsed: Duration, mode: ScanMode? = nil) {
            self.reports = reports
            self.senders = senders
            self.elapsed = elapsed
            self.mode = mode
        }

        /// Reports a second.
        package var rate: Double {
            let seconds = elapsed / .seconds(1)
            return seconds > 0 ? Double(reports) / seconds : 0
        }
    }

    package enum Outcome: Equatable, Sendable {
        case heard(Reception)
        case failed(ScannerError)
        /// Why not.
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

    /// Whether the gateway would hear by this path.
    package var works: Bool {
        guard let reception else { return false }
        // Who only listens hears nothing when nobody scans.
        return path != .monitor || reception.reports > 0
    }
}

extension ScanPathKind {
    /// The order of measuring: whoever only listens first, so that it is known who scans; last who takes all for himself.
    package static var inOrderOfMeasuring: [ScanPathKind] {
        allCases.filter { $0 == .monitor } + allCases.filter { $0 != .monitor && $0 != .userChannel }
            + allCases.filter { $0 == .userChannel }
    }

    /// Whether the kernel asks for CAP_NET_RAW and CAP_NET_ADMIN.
    var needsCapabilities: Bool { self != .dbus }
    var needsBluetoothd: Bool { self == .dbus }

    /// Why one would choose it.
    package var why: String {
        switch self {
        case .raw: "hears every advertisement, beside other programs"
        case .userChannel: "has the adapter for itself, undisturbed"
        case .monitor: "listens to what another program's scan brings"
        case .dbus: "bluetoothd scans and tells; needs no privileges"
        }
    }
}
