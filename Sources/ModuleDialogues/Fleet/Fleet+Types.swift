public import BeaconModel

extension Fleet {
    public enum Input: Sendable {
        case portAppeared(SerialPortDescription)
        /// A port disappeared; `device` is the kernel's name.
        case portVanished(device: String)
        /// The dialogue on a port reported a change.
        case said(device: String, ModuleChange)
        /// The dialogue on a port ended, with the failure that ended it.
        case linkEnded(device: String, PortFailure?)
        case air(AirWatch.Event)
        case command(Command)
        case inventory(Inventory)
        /// Reports of the module on a port that were lost since the last such input.
        case lostReports(device: String, dropped: UInt64, unreadable: UInt64)
    }

    public enum Action: Sendable {
        case open(SerialPortDescription, kind: ModuleKind, expected: BeaconConfiguration?)
        case post(device: String, ModuleRequest)
        case close(device: String)
        case status(ModuleStatus)
        /// All ports whose module has no row in the inventory or has not been identified.
        case others([OtherPort])
        case bindingsChanged([BluetoothAddress: String])
        case happened(Event)
        case reply(Reply)
    }

    /// An event for the audit log.
    public struct Event: Equatable, Sendable {
        public enum What: Equatable, Sendable {
            case provisioned(BeaconConfiguration, before: BeaconConfiguration?)
            case lost(ModuleLoss)
            case failed(String)
            case plugged, unplugged
            case notHeard
            case commanded(Command.Name)
        }

        public var module: String
        public var port: String?
        public var address: BluetoothAddress?
        public var what: What

        public init(module: String, port: String?, address: BluetoothAddress?, what: What) {
            self.module = module
            self.port = port
            self.address = address
            self.what = what
        }
    }

    /// A port that cannot be reported as a module of the inventory.
    public struct OtherPort: Equatable, Sendable {
        public var port: String
        /// Address of the module; `nil` when it has not been identified.
        public var address: BluetoothAddress?
        public var problem: ModuleStatus.Problem
    }

    public struct Command: Equatable, Sendable {
        public enum Name: String, CaseIterable, Sendable {
            case provision, identify, reset
        }

        public var name: Name
        public var module: String
        /// Correlation data, returned with the reply.
        public var correlation: String

        public init(_ name: Name, module: String, correlation: String) {
            self.name = name
            self.module = module
            self.correlation = correlation
        }
    }

    /// The outcome of a command.
    public enum Outcome: Equatable, Sendable {
        case advertises(isUnchanged: Bool)
        /// Nothing was done, because the module does already what it should.
        ///
        /// - Parameter isHeard: whether it is heard, as far as a receiver can tell.
        case advertisesAlready(isHeard: Bool)
        case identifies
        case unknownModule(String, known: [String])
        case notPluggedIn
        case unplugged
        case tooManyWaiting(Int)
        case doesNotAnswer
        case otherModuleOnPort
        case removedFromInventory
        case failed(PortFailure)

        public var succeeded: Bool {
            switch self {
            case .advertises, .identifies, .advertisesAlready(isHeard: true): true
            case .advertisesAlready(isHeard: false), .unknownModule, .notPluggedIn, .unplugged, .tooManyWaiting,
                .doesNotAnswer, .otherModuleOnPort, .removedFromInventory, .failed:
                false
            }
        }
    }

    public struct Reply: Equatable, Sendable {
        public var command: Command
        public var outcome: Outcome
    }

    /// Delays and limits of the fleet.
    public struct Rules: Equatable, Sendable {
        /// First delay before a failed module is tried again. It doubles with each failure, up to `longestRetry`.
        public var firstRetry: Duration = .seconds(5)
        public var longestRetry: Duration = .seconds(600)
        /// Maximum time that a port may be absent when it disappears with every reset of its module.
        public var longestAbsence: Duration = .seconds(6)
        /// Time within which a module must be heard again after it was checked.
        public var hearingPatience: Duration = .seconds(15)
        /// Maximum number of commands that wait for completion.
        public var mostPendingCommands = 64
        /// Number of status changes caused by radio data that are published at once in a row; further ones are
        /// published at `hearsayInterval`. A sender that imitates a module must not be able to make the gateway write
        /// and publish without limit.
        public var hearsayRunning = 6
        public var hearsayInterval: Duration = .seconds(10)

        public init() {}
    }

    /// A module that must listen.
    public struct Listener: Equatable, Sendable {
        /// Name of the module's row in the inventory.
        public var name: String
        public var address: BluetoothAddress?
    }
}
