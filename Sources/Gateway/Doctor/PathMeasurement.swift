import BeaconModel
import HCI

/// What one path brought from one adapter in a few seconds.
struct PathMeasurement: Equatable, Sendable {
    struct Reception: Equatable, Sendable {
        var reports: Int
        /// Addresses that differ.
        var senders: Int
        var elapsed: Duration
        var mode: ScanMode?

        /// Reports a second.
        var rate: Double {
            let seconds = elapsed / .seconds(1)
            return seconds > 0 ? Double(reports) / seconds : 0
        }
    }

    enum Outcome: Equatable, Sendable {
        case heard(Reception)
        case failed(ScannerError)
        /// Why not.
        case notTried(String)
    }

    var path: ScanPathKind
    var adapter: Adapter
    var outcome: Outcome

    var reception: Reception? {
        if case .heard(let reception) = outcome { return reception }
        return nil
    }

    /// Whether the gateway would hear by this path.
    var works: Bool {
        guard let reception else { return false }
        // Who only listens hears nothing when nobody scans.
        return path != .monitor || reception.reports > 0
    }
}

extension ScanPathKind {
    /// The order of measuring: whoever only listens first, so that it is known who scans; last who takes all for himself.
    static var inOrderOfMeasuring: [ScanPathKind] {
        allCases.filter { $0 == .monitor } + allCases.filter { $0 != .monitor && $0 != .userChannel }
            + allCases.filter { $0 == .userChannel }
    }

    /// Whether the kernel asks for CAP_NET_RAW and CAP_NET_ADMIN.
    var needsCapabilities: Bool { self != .dbus }
    var needsBluetoothd: Bool { self == .dbus }

    /// Why one would choose it.
    var why: String {
        switch self {
        case .raw: "hears every advertisement, beside other programs"
        case .userChannel: "has the adapter for itself, undisturbed"
        case .monitor: "listens to what another program's scan brings"
        case .dbus: "bluetoothd scans and tells; needs no privileges"
        }
    }
}
