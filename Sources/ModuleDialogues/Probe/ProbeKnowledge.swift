import BeaconModel

/// Who the module is. Each value counts once the module has given it twice.
struct ProbeIdentity: Sendable {
    private var versions: [String] = []
    private var addresses: [BluetoothAddress] = []
    private var measurements = 0
    /// The version; empty while unknown.
    private(set) var version = ""
    private(set) var address: BluetoothAddress?

    /// The version in a form that can be displayed.
    var firmware: String { Printable.line(version) }

    /// Whether the module has given a version, once or more.
    var hasVersion: Bool { !versions.isEmpty }

    /// Takes the answer to a query for the version.
    ///
    /// - Returns: whether the query must be repeated.
    mutating func measured(_ answer: RS9116Session.Answer) -> Bool {
        measurements += 1
        if case .ok(let text) = answer {
            if versions.contains(text) { version = text }
            versions.append(text)
        }
        if measurements < 3 || (firmware.isEmpty && measurements < 6) { return true }
        measurements = 0
        return false
    }

    mutating func measureAnew() { measurements = 0 }

    /// Takes the answer to a query for the address.
    ///
    /// - Returns: whether the query must be repeated.
    mutating func told(_ text: String) -> Bool {
        if let new = BluetoothAddress(text) {
            if addresses.contains(new) { address = new }
            addresses.append(new)
        }
        return address == nil && addresses.count < 4
    }
}

/// A probe's knowledge of the module's Bluetooth.
struct ProbeBluetooth: Sendable {
    var isOn = false
    /// Time at which `bt_loaded` arrived since the last operating mode.
    var loadedAt: Duration?
    /// Whether `bt_loaded` was missing and it is still unknown if Bluetooth is on.
    var isUnannounced = false
    /// Whether the module may be advertising the probe's data.
    var mayAdvertise = false
    /// Whether a central has connected or disconnected since the current experiment began.
    var wasConnected = false
    var central: BluetoothAddress?
    var connections = 0

    mutating func note(_ reply: ModuleReply, at now: Duration) {
        switch reply {
        case .bluetoothLoaded: loadedAt = loadedAt ?? now
        case .event(let text) where text.uppercased().contains("CONNECTED"):
            wasConnected = true
            central = text.split { $0 == "," || $0 == "=" || $0 == " " }.lazy.compactMap { BluetoothAddress($0) }.first
        case .ok, .error, .report, .event, .text: break
        }
    }

    /// Begins an exchange.
    mutating func begin(_ errand: ProbeErrand) {
        wasConnected = false
        switch errand {
        case .mode: loadedAt = nil
        case .experiment(let experiment) where experiment.startsAdvertising: mayAdvertise = true
        default: break
        }
    }
}

/// A probe's knowledge of the boot loader's handshake.
struct ProbeHandshakes: Sendable {
    /// The byte that the boot loader is known to accept.
    var known: UInt8?
    /// The byte that brought the greeting; `nil` if another byte was sent as well.
    var greetedBy: UInt8?
    /// Whether 0x7C was sent since the last reset without an answer.
    var isIgnored7C = false
}
