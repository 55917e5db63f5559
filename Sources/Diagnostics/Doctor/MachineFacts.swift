package import BeaconModel
package import GatewayCore
package import HCI
package import OperatorText
package import Publishing
package import RecordContract

/// Facts about a machine, collected before anything is measured.
package struct MachineFacts: Sendable {
    /// Kernel, for example `Linux 6.12.20 (aarch64)`.
    package var kernel: String
    /// Hardware model, for example `Raspberry Pi 4 Model B Rev 1.4`.
    package var model: String?
    /// Path of this program.
    package var program: String
    package var user: User
    package var bluetooth: BluetoothSupport
    /// Adapters known to the kernel, or the reason why it cannot be asked.
    package var adapters: Result<[AdapterFacts], ScannerError>
    /// Bluetooth radio switches (rfkill).
    package var switches: [RadioSwitch]
    package var programs: Programs
    package var clock: Clock
    package var state: StateDirectoryFacts
    /// Serial ports with a USB interface that modules have, and those named by the inventory.
    package var serialPorts: [SerialPortFacts]
    /// Session takeovers by other clients, as noted by the gateway of the state directory.
    package var takeovers: SessionTakeovers?
    /// Reason why the gateway's outbox is incomplete.
    package var missingOutbox: OutboxError?
    /// Format of the state directory, if a later program wrote it.
    package var laterState: StateFormat?

    package init(
        kernel: String, model: String? = nil, program: String, user: User, bluetooth: BluetoothSupport,
        adapters: Result<[AdapterFacts], ScannerError>, switches: [RadioSwitch], programs: Programs, clock: Clock,
        state: StateDirectoryFacts, serialPorts: [SerialPortFacts], takeovers: SessionTakeovers? = nil,
        missingOutbox: OutboxError? = nil, laterState: StateFormat? = nil
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
        self.laterState = laterState
    }

    package struct User: Equatable, Sendable {
        package var name: String
        package var isRoot: Bool
        /// Effective capabilities: CapEff of /proc/self/status.
        package var capabilities: UInt64

        package init(name: String, isRoot: Bool, capabilities: UInt64) {
            self.name = name
            self.isRoot = isRoot
            self.capabilities = capabilities
        }

        /// Required capabilities: bits 12 and 13 (capability.h).
        private static let needed: [(name: String, bit: UInt64)] = [
            ("CAP_NET_ADMIN", 1 << 12), ("CAP_NET_RAW", 1 << 13),
        ]

        var missingCapabilities: [String] { Self.needed.filter { capabilities & $0.bit == 0 }.map(\.name) }
    }

    package struct BluetoothSupport: Equatable, Sendable {
        /// Whether the kernel has the Bluetooth device class, even if this process is not allowed to use it.
        package var isLoaded: Bool
        /// Whether the kernel can load Bluetooth, built in or as a module.
        package var canBeLoaded: Bool
        /// Path of the Raspberry Pi configuration that disables Bluetooth, for example `/boot/firmware/config.txt`.
        package var disabledIn: String?

        package init(isLoaded: Bool, canBeLoaded: Bool, disabledIn: String? = nil) {
            self.isLoaded = isLoaded
            self.canBeLoaded = canBeLoaded
            self.disabledIn = disabledIn
        }
    }

    package struct AdapterFacts: Equatable, Sendable {
        package var description: AdapterDescription
        /// Features of the controller; `nil` when the adapter is off and cannot be asked.
        package var features: Result<ControllerFeatures, ScannerError>?

        package init(description: AdapterDescription, features: Result<ControllerFeatures, ScannerError>? = nil) {
            self.description = description
            self.features = features
        }
    }

    /// One rfkill switch.
    package struct RadioSwitch: Equatable, Sendable {
        /// Name of the adapter, for example `hci0`, or of the machine's switch, for example `thinkpad_bluetooth`.
        package var name: String
        /// Whether software blocks the radio.
        package var isSoftBlocked: Bool
        /// Whether a physical switch or the machine's setup blocks the radio.
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
        /// Other programs that have HCI sockets open; this process is excluded.
        package var withHCISockets: [Program]
        /// Number of HCI sockets whose owners this user cannot see.
        package var unknownHCISockets: Int
        package var bluetoothd: Program?
        /// Whether bluetoothd is installed.
        package var hasBlueZ: Bool
        /// Gateway that holds the lock of the state directory, or else one that has the radio open.
        package var gateway: Program?
        package var modemManager: Program?
        /// Whether a broker is installed on this machine.
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
        /// Whether a time synchronisation program is installed.
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
        /// Whether this user can write to the directory, or to the place where it would be created.
        package var isWritable: Bool
        package var isReadOnlyFileSystem: Bool
        /// Free space for this user, in bytes; `nil` when it is not known.
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
        /// Description from the USB interface.
        package var text: String?
        /// Whether this user has read and write permission.
        package var isPermitted: Bool
        /// Group that owns the port.
        package var group: String?
        package var holder: Program?
        /// Device path, with the kernel's name for the port.
        package var device = ""
        /// USB vendor and product, `vendor:product` as `lsusb` shows them; `nil` for ports that are not on USB.
        package var usbID: String?
        /// Whether members of the group have read and write permission.
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

/// Requirements of a gateway's configuration.
package struct ExaminedConfiguration: Sendable {
    /// Path of the configuration; `nil` when none was given.
    package var path: String?
    /// Problem with the configuration, in words.
    package var problem: String?
    package var adapters: [AdapterSelector] = [.index(Adapter(index: 0))]
    package var scanPath = ScanPathKind.raw
    /// Whether the gateway chose `scanPath` by its privileges.
    package var isAutomatic = false
    package var modules = 0
    /// Names of the modules that are to listen.
    package var listeners: [String] = []
    /// Warnings about settings that work but are insecure.
    package var warnings: [ConfigurationWarning] = []
    /// Secrets that only the service can read.
    package var withheld: [SecretAccess.Withheld] = []
    /// Space that the outbox may take; `nil` if it is not known.
    package var outboxBytes: Int?
    /// Which configuration is in use, if the gateway was configured from afar.
    package var inUse: String?
    /// Whether it has returned from one that was not confirmed.
    package var hasReturned = false

    package init(
        path: String? = nil, problem: String? = nil, adapters: [AdapterSelector] = [.index(Adapter(index: 0))],
        scanPath: ScanPathKind = .raw, isAutomatic: Bool = false, modules: Int = 0,
        listeners: [String] = [], warnings: [ConfigurationWarning] = [], withheld: [SecretAccess.Withheld] = [],
        outboxBytes: Int? = nil, inUse: String? = nil, hasReturned: Bool = false
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
        self.outboxBytes = outboxBytes
        self.inUse = inUse
        self.hasReturned = hasReturned
    }

    /// Withheld secret without which no broker can be tried.
    package var withheldFromBroker: SecretAccess.Withheld? {
        withheld.first { $0.purpose == .brokerPassword || $0.purpose == .brokerTLS }
    }

    /// Path of the configuration, if it was read without a problem.
    package var file: String? { problem == nil ? path : nil }
}
