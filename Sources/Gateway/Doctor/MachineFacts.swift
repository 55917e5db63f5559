import BeaconModel
import CommandSupport
import HCI
import Publishing
import RecordContract

/// What a doctor saw of a machine, before it measured.
struct MachineFacts: Sendable {
    /// For example `Linux 6.12.20 (aarch64)`.
    var kernel: String
    /// For example `Raspberry Pi 4 Model B Rev 1.4`.
    var model: String?
    /// The path of this program.
    var program: String
    var user: User
    var bluetooth: BluetoothSupport
    /// Those that the kernel has, or why it can't be asked.
    var adapters: Result<[AdapterFacts], ScannerError>
    /// Of Bluetooth.
    var switches: [RadioSwitch]
    var programs: Programs
    var clock: Clock
    var state: StateDirectoryFacts
    /// Those with a USB interface that modules have, and those that the inventory names.
    var serialPorts: [SerialPortFacts]
    /// What the gateway of the state directory has noted of another client's doings.
    var takeovers: SessionTakeovers?
    /// Why the gateway's outbox isn't whole.
    var missingOutbox: OutboxError?

    struct User: Equatable, Sendable {
        var name: String
        var isRoot: Bool
        /// CapEff of /proc/self/status.
        var capabilities: UInt64

        /// Bits 12 and 13 (capability.h).
        private static let needed: [(name: String, bit: UInt64)] = [
            ("CAP_NET_ADMIN", 1 << 12), ("CAP_NET_RAW", 1 << 13),
        ]

        var missingCapabilities: [String] { Self.needed.filter { capabilities & $0.bit == 0 }.map(\.name) }
    }

    struct BluetoothSupport: Equatable, Sendable {
        /// The kernel has the class of devices, although it may not let this process use it.
        var isLoaded: Bool
        /// The kernel's modules include it.
        var canBeLoaded: Bool
        /// `/boot/firmware/config.txt`, or where else a Raspberry Pi was told to do without.
        var disabledIn: String?
    }

    struct AdapterFacts: Equatable, Sendable {
        var description: AdapterDescription
        /// `nil` when it is off and can't be asked.
        var features: Result<ControllerFeatures, ScannerError>?
    }

    /// One switch of rfkill.
    struct RadioSwitch: Equatable, Sendable {
        /// The adapter's, for example `hci0`, or the machine's, for example `thinkpad_bluetooth`.
        var name: String
        /// By software.
        var isSoftBlocked: Bool
        /// By a real switch or the machine's setup.
        var isHardBlocked: Bool

        var isBlocked: Bool { isSoftBlocked || isHardBlocked }
    }

    struct Program: Equatable, Hashable, Sendable, CustomStringConvertible {
        var identifier: Int32
        var name: String

        var description: String { "\(name) (process \(identifier))" }
    }

    struct Programs: Equatable, Sendable {
        /// Who has HCI sockets, but for this process.
        var withHCISockets: [Program]
        /// HCI sockets whose owners this user can't see.
        var unknownHCISockets: Int
        var bluetoothd: Program?
        /// Whether bluetoothd is installed.
        var hasBlueZ: Bool
        /// The gateway that holds the lock of the state directory, or else one that has the radio open.
        var gateway: Program?
        var modemManager: Program?
        /// Whether a broker is installed here.
        var hasMosquitto: Bool
    }

    struct Clock: Equatable, Sendable {
        var now: Timestamp
        var isSynchronized: Bool
        /// Whether a program that sets clocks is installed.
        var hasKeeper: Bool
    }

    struct StateDirectoryFacts: Equatable, Sendable {
        enum Existence: Sendable {
            case directory, missing, somethingElse
        }

        var path: String
        var existence: Existence
        /// The directory, or where it would be made.
        var isWritable: Bool
        var isReadOnlyFileSystem: Bool
        /// Bytes that this user can still write; `nil` when that isn't known.
        var freeBytes: UInt64?
    }

    struct SerialPortFacts: Equatable, Sendable {
        var name: String
        /// What its USB interface says of itself.
        var text: String?
        /// Whether this user may read and write it.
        var isPermitted: Bool
        /// Who may, besides root.
        var group: String?
        var holder: Program?
        /// The kernel's name.
        var device = ""
        /// `vendor:product`, as `lsusb` shows it; `nil` for ports that aren't on USB.
        var usbID: String?
        /// Whether the group's members may read and write it.
        var isOpenToGroup = true
    }
}

/// What a gateway's configuration asks for.
struct ExaminedConfiguration: Sendable {
    /// `nil` when none was given.
    var path: String?
    /// What is wrong with it, for a person.
    var problem: String?
    var adapters: [AdapterSelector] = [.index(Adapter(index: 0))]
    var scanPath = ScanPathKind.raw
    /// The gateway takes `scanPath` because of the privileges that it has.
    var isAutomatic = false
    var modules = 0
    /// The names of those that shall listen.
    var listeners: [String] = []
    /// What works, and what an attacker would like.
    var warnings: [ConfigurationWarning] = []
    /// Secrets that only the service has.
    var withheld: [SecretAccess.Withheld] = []

    /// The one without which no broker can be tried.
    var withheldFromBroker: SecretAccess.Withheld? {
        withheld.first { $0.purpose == .brokerPassword || $0.purpose == .brokerTLS }
    }

    /// The file, as far as it could be read.
    var file: String? { problem == nil ? path : nil }
}

/// What became of a connection to the broker.
enum BrokerOutcome: Equatable, Sendable {
    case accepted(after: Duration)
    case failed(MQTTError)
}
