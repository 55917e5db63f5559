package import BeaconModel
package import HCI
package import OperatorText
package import Publishing
package import RecordContract

/// What a doctor saw of a machine, before it measured.
package struct MachineFacts: Sendable {
    /// For example `Linux 6.12.20 (aarch64)`.
    package var kernel: String
    /// For example `Raspberry Pi 4 Model B Rev 1.4`.
    package var model: String?
    /// The path of this program.
    package var program: String
    package var user: User
    package var bluetooth: BluetoothSupport
    /// Those that the kernel has, or why it can't be asked.
    package var adapters: Result<[AdapterFacts], ScannerError>
    /// Of Bluetooth.
    package var switches: [RadioSwitch]
    package var programs: Programs
    package var clock: Clock
    package var state: StateDirectoryFacts
    /// Those with a USB interface that modules have, and those that the inventory names.
    package var serialPorts: [SerialPortFacts]
    /// What the gateway of the state directory has noted of another client's doings.
    package var takeovers: SessionTakeovers?
    /// Why the gateway's outbox isn't whole.
    package var missingOutbox: OutboxError?

    package init(
        kernel: String, model: String? = nil, program: String, user: User, bluetooth: BluetoothSupport,
        adapters: Result<[AdapterFacts], ScannerError>, switches: [RadioSwitch], programs: Programs, clock: Clock,
        state: StateDirectoryFacts, serialPorts: [SerialPortFacts], takeovers: SessionTakeovers? = nil,
        missingOutbox: OutboxError? = nil
    ) {
        self.kernel = kernel
        self.model = model
        self.program = program
        self.user = user
        self.bluetooth = bluetooth
        self.adapters = adapters
        self.switches = switches
        self.programs = programs
        self.clock = clock
        self.state = state
        self.serialPorts = serialPorts
        self.takeovers = takeovers
        self.missingOutbox = missingOutbox
    }

    package struct User: Equatable, Sendable {
        package var name: String
        package var isRoot: Bool
        /// CapEff of /proc/self/status.
        package var capabilities: UInt64

        package init(name: String, isRoot: Bool, capabilities: UInt64) {
            self.name = name
            self.isRoot = isRoot
            self.capabilities = capabilities
        }

        /// Bits 12 and 13 (capability.h).
        private static let needed: [(name: String, bit: UInt64)] = [
            ("CAP_NET_ADMIN", 1 << 12), ("CAP_NET_RAW", 1 << 13),
        ]

        var missingCapabilities: [String] { Self.needed.filter { capabilities & $0.bit == 0 }.map(\.name) }
    }

    package struct BluetoothSupport: Equatable, Sendable {
        /// The kernel has the class of devices, although it may not let this process use it.
        package var isLoaded: Bool
        /// The kernel's modules include it.
        package var canBeLoaded: Bool
        /// `/boot/firmware/config.txt`, or where else a Raspberry Pi was told to do without.
        package var disabledIn: String?

        package init(isLoaded: Bool, canBeLoaded: Bool, disabledIn: String? = nil) {
            self.isLoaded = isLoaded
            self.canBeLoaded = canBeLoaded
            self.disabledIn = disabledIn
        }
    }

    package struct AdapterFacts: Equatable, Sendable {
        package var description: AdapterDescription
        /// `nil` when it is off and can't be asked.
        package var features: Result<ControllerFeatures, ScannerError>?

        package init(description: AdapterDescription, features: Result<ControllerFeatures, ScannerError>? = nil) {
            self.description = description
            self.features = features
        }
    }

    /// One switch of rfkill.
    package struct RadioSwitch: Equatable, Sendable {
        /// The adapter's, for example `hci0`, or the machine's, for example `thinkpad_bluetooth`.
        package var name: String
        /// By software.
        package var isSoftBlocked: Bool
        /// By a real switch or the machine's setup.
        package var isHardBlocked: Bool

        package init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
            self.name = name
            self.isSoftBlocked = isSoftBlocked
            self.isHardBlocked = isHardBlocked
        }

        var isBlocked: Bool { isSoftBlocked || isHardBlocked }
    }

    package struct Program: Equatable, Hashable, Sendable, CustomStringConvertible {
        package var identifier: Int32
        package var name: String

        package init(identifier: Int32, name: String) {
            self.identifier = identifier
            self.name = name
        }

        package var description: String { "\(name) (process \(identifier))" }
    }

    package struct Programs: Equatable, Sendable {
        /// Who has HCI sockets, but for this process.
        package var withHCISockets: [Program]
        /// HCI sockets whose owners this user can't see.
        package var unknownHCISockets: Int
        package var bluetoothd: Program?
        /// Whether bluetoothd is installed.
        package var hasBlueZ: Bool
        /// The gateway that holds the lock of the state directory, or else one that has the radio open.
        package var gateway: Program?
        package var modemManager: Program?
        /// Whether a broker is installed here.
        package var hasMosquitto: Bool

        package init(
            withHCISockets: [Program], unknownHCISockets: Int, bluetoothd: Program? = nil, hasBlueZ: Bool,
            gateway: Program? = nil, modemManager: Program? = nil, hasMosquitto: Bool
        ) {
            self.withHCISockets = withHCISockets
            self.unknownHCISockets = unknownHCISockets
            self.bluetoothd = bluetoothd
            self.hasBlueZ = hasBlueZ
            self.gateway = gateway
            self.modemManager = modemManager
            self.hasMosquitto = hasMosquitto
        }
    }

    package struct Clock: Equatable, Sendable {
        package var now: Timestamp
        package var isSynchronized: Bool
        /// Whether a program that sets clocks is installed.
        package var hasKeeper: Bool

        package init(now: Timestamp, isSynchronized: Bool, hasKeeper: Bool) {
            self.now = now
            self.isSynchronized = isSynchronized
            self.hasKeeper = hasKeeper
        }
    }

    package struct StateDirectoryFacts: Equatable, Sendable {
        package enum Existence: Sendable {
            case directory, missing, somethingElse
        }

        package var path: String
        package var existence: Existence
        /// The directory, or where it would be made.
        package var isWritable: Bool
        package var isReadOnlyFileSystem: Bool
        /// Bytes that this user can still write; `nil` when that isn't known.
        package var freeBytes: UInt64?

        package init(
            path: String, existence: Existence, isWritable: Bool, isReadOnlyFileSystem: Bool, freeBytes: UInt64? = nil
        ) {
            self.path = path
            self.existence = existence
            self.isWritable = isWritable
            self.isReadOnlyFileSystem = isReadOnlyFileSystem
            self.freeBytes = freeBytes
        }
    }

    package struct SerialPortFacts: Equatable, Sendable {
        package var name: String
        /// What its USB interface says of itself.
        package var text: String?
        /// Whether this user may read and write it.
        package var isPermitted: Bool
        /// Who may, besides root.
        package var group: String?
        package var holder: Program?
        /// The kernel's name.
        package var device = ""
        /// `vendor:product`, as `lsusb` shows it; `nil` for ports that aren't on USB.
        package var usbID: String?
        /// Whether the group's members may read and write it.
        package var isOpenToGroup = true

        package init(
            name: String, text: String? = nil, isPermitted: Bool, group: String? = nil, holder: Program? = nil,
            device: String = "", usbID: String? = nil, isOpenToGroup: Bool = true
        ) {
            self.name = name
            self.text = text
            self.isPermitted = isPermitted
            self.group = group
            self.holder = holder
            self.device = device
            self.usbID = usbID
            self.isOpenToGroup = isOpenToGroup
        }
    }
}

/// What a gateway's configuration asks for.
package struct ExaminedConfiguration: Sendable {
    /// `nil` when none was given.
    package var path: String?
    /// What is wrong with it, for a person.
    package var problem: String?
    package var adapters: [AdapterSelector] = [.index(Adapter(index: 0))]
    package var scanPath = ScanPathKind.raw
    /// The gateway takes `scanPath` because of the privileges that it has.
    package var isAutomatic = false
    package var modules = 0
    /// The names of those that shall listen.
    package var listeners: [String] = []
    /// What works, and what an attacker would like.
    package var warnings: [ConfigurationWarning] = []
    /// Secrets that only the service has.
    package var withheld: [SecretAccess.Withheld] = []

    package init(
        path: String? = nil, problem: String? = nil, adapters: [AdapterSelector] = [.index(Adapter(index: 0))],
        scanPath: ScanPathKind = ScanPathKind.raw, isAutomatic: Bool = false, modules: Int = 0,
        listeners: [String] = [], warnings: [ConfigurationWarning] = [], withheld: [SecretAccess.Withheld] = []
    ) {
        self.path = path
        self.problem = problem
        self.adapters = adapters
        self.scanPath = scanPath
        self.isAutomatic = isAutomatic
        self.modules = modules
        self.listeners = listeners
        self.warnings = warnings
        self.withheld = withheld
    }

    /// The one without which no broker can be tried.
    package var withheldFromBroker: SecretAccess.Withheld? {
        withheld.first { $0.purpose == .brokerPassword || $0.purpose == .brokerTLS }
    }

    /// The file, as far as it could be read.
    package var file: String? { problem == nil ? path : nil }
}

/// What became of a connection to the broker.
package enum BrokerOutcome: Equatable, Sendable {
    case accepted(after: Duration)
    case failed(MQTTError)
}
