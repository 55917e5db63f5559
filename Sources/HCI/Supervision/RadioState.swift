public import BeaconModel

/// State of one adapter, as known to its scanning thread.
public struct RadioState: Equatable, Sendable {
    /// The condition of an adapter.
    public enum Condition: String, Sendable {
        /// The adapter has not been opened yet.
        case starting
        /// Packets were received in the last seconds.
        case hearing
        /// No packets are received; the controller has confirmed that it scans.
        case quiet
        /// Reception has failed; it is unknown what is being transmitted.
        case deaf
    }

    /// Why an adapter is deaf.
    public enum Reason: String, Sendable, CaseIterable {
        /// The adapter was unplugged.
        case removed
        /// The adapter does not exist yet.
        case noSuchAdapter = "no-such-adapter"
        /// The adapter was switched off by another program.
        case down
        /// The adapter is blocked by rfkill.
        case blocked
        /// The controller answers no command.
        case notAnswering = "not-answering"
        /// The controller reported a hardware failure.
        case hardwareError = "hardware-error"
        /// Another program ended the scan, or no program scans while this process only listens.
        case scanStopped = "scan-stopped"
        /// The controller answers but receives none of the transmitted packets.
        case silent
        /// The process lacks the privileges for the scan path.
        case notPermitted = "not-permitted"
        /// Another program has exclusive access to the adapter.
        case busy
        /// bluetoothd, or the D-Bus bus to reach it, is not available.
        case noService = "no-service"
        /// The scan failed in another way.
        case failed
    }

    /// An action taken against a fault.
    public enum Step: String, Sendable, CaseIterable {
        /// Scanning was switched on again.
        case rearm
        /// The adapter was switched on.
        case bringUp = "bring-up"
        /// The adapter was switched off and on.
        case powerCycle = "power-cycle"
        /// All sockets were reopened.
        case reopen
        /// No step helped; the gateway retries with growing delays.
        case giveUp = "give-up"
    }

    /// Current or last known index of the adapter.
    public var adapter: Adapter
    /// Public address of the adapter; `nil` while unknown, all zero for a controller without a public address.
    public var address: BluetoothAddress?
    /// The scan path in use.
    public var path: ScanPathKind
    /// Scan commands in use; `nil` before the first scan.
    public var mode: ScanMode?
    /// The present condition.
    public var condition: Condition = .starting
    /// Reason for deafness; set only when the adapter is deaf.
    public var reason: Reason?
    /// Error to report to the operator while the adapter is deaf.
    public var error: ScannerError?
    /// Faults since the start, by reason.
    public var faults: [Reason: UInt64] = [:]
    /// Recovery steps since the start, by kind.
    public var steps: [Step: UInt64] = [:]

    /// Creates the state of an adapter that has not been opened.
    public init(adapter: Adapter, path: ScanPathKind) {
        self.adapter = adapter
        self.path = path
    }
}

/// The interface through which advertisements are received.
public enum ScanPathKind: String, Sendable, CaseIterable {
    /// Raw HCI sockets, shared with other users of the adapter.
    case raw
    /// Exclusive use of the adapter by this process.
    case userChannel = "user-channel"
    /// Passive listening: another program scans.
    case monitor
    /// Scanning by bluetoothd, which reports over D-Bus. Needs no privileges.
    case dbus
}
