public import BeaconModel

/// How one adapter is, as far as its scanning thread knows.
public struct RadioState: Equatable, Sendable {
    public enum Condition: String, Sendable {
        /// Not opened yet.
        case starting
        /// Something was heard in the last seconds.
        case hearing
        /// Nothing is on the air: the controller was asked, and scans.
        case quiet
        /// What is on the air isn't known.
        case deaf
    }

    /// Why an adapter is deaf.
    public enum Reason: String, Sendable, CaseIterable {
        /// The adapter was unplugged.
        case removed
        /// There is no such adapter yet.
        case noSuchAdapter = "no-such-adapter"
        /// Somebody switched it off.
        case down
        /// By rfkill.
        case blocked
        /// The controller answers no command.
        case notAnswering = "not-answering"
        /// The controller said that its hardware failed.
        case hardwareError = "hardware-error"
        /// Another program ended the scan, or nobody scans where we only listen.
        case scanStopped = "scan-stopped"
        /// The controller answers, but hears nothing of what is on the air.
        case silent
        case notPermitted = "not-permitted"
        /// Somebody else has it for himself.
        case busy
        /// bluetoothd, or the bus on which it is spoken to, isn't there.
        case noService = "no-service"
        case failed
    }

    /// What was done about a fault.
    public enum Step: String, Sendable, CaseIterable {
        /// Scanning was switched on again.
        case rearm
        /// The adapter was switched on.
        case bringUp = "bring-up"
        /// The adapter was switched off and on.
        case powerCycle = "power-cycle"
        /// All sockets were opened anew.
        case reopen
        /// Nothing helped; it is tried again later, ever more rarely.
        case giveUp = "give-up"
    }

    /// The number that the adapter has now, or had last.
    public var adapter: Adapter
    /// Of the adapter; `nil` while it isn't known, and all zero for a controller without a public one.
    public var address: BluetoothAddress?
    public var path: ScanPathKind
    /// `nil` before it scanned.
    public var mode: ScanMode?
    public var condition: Condition = .starting
    /// Only when deaf.
    public var reason: Reason?
    /// What a person is told when it is deaf.
    public var error: ScannerError?
    public var faults: [Reason: UInt64] = [:]
    public var steps: [Step: UInt64] = [:]

    public init(adapter: Adapter, path: ScanPathKind) {
        self.adapter = adapter
        self.path = path
    }
}

/// By which of the kernel's interfaces advertisements are heard.
public enum ScanPathKind: String, Sendable, CaseIterable {
    /// Raw HCI sockets, beside others who use the adapter.
    case raw
    /// The adapter for this process alone.
    case userChannel = "user-channel"
    /// Somebody else scans, and this process only listens.
    case monitor
    /// bluetoothd scans, and tells over D-Bus; needs no privileges.
    case dbus
}
