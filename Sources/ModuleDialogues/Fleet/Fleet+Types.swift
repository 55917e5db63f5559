public import BeaconModel

extension Fleet {
    /// An event for the fleet.
    public enum Input: Sendable {
        /// A serial port was plugged in.
        case portAppeared(SerialPortDescription)
        /// A port disappeared; `device` is the kernel's name.
        case portVanished(device: String)
        /// The dialogue on a port reported a change.
        case said(device: String, ModuleChange)
        /// The dialogue on a port ended, with the failure that ended it.
        case linkEnded(device: String, PortFailure?)
        /// The reception of a beacon changed.
        case air(AdvertisingWatch.Event)
        /// An operator gave a command.
        case command(Command)
        /// The inventory changed.
        case inventory(Inventory)
        /// Reports of the module on a port that were lost since the last such input.
        case lostReports(device: String, dropped: UInt64, unreadable: UInt64)
    }

    /// An action that the owner of the fleet carries out.
    public enum Action: Sendable {
        /// Opens a port and starts the dialogue with a module of this kind.
        case open(SerialPortDescription, kind: ModuleKind, expected: BeaconConfiguration?)
        /// Passes a request to the dialogue on a port.
        case post(device: String, ModuleRequest)
        /// Ends the dialogue on a port and closes the port.
        case close(device: String)
        /// Publishes the status of a module.
        case status(ModuleStatus)
        /// All ports whose module has no row in the inventory or has not been identified.
        case others([OtherPort])
        /// Stores the name of each module's entry, by address.
        case bindingsChanged([BluetoothAddress: String])
        /// Records an event in the audit log.
        case happened(Event)
        /// Answers a command.
        case reply(Reply)
    }

    /// An event for the audit log.
    public struct Event: Equatable, Sendable {
        /// The kind of an event.
        public enum What: Equatable, Sendable {
            /// The module was provisioned; `before` is its previous configuration, if known.
            case provisioned(BeaconConfiguration, before: BeaconConfiguration?)
            /// The module no longer does what it should.
            case lost(ModuleLoss)
            /// The module could not be provisioned, for this reason.
            case failed(String)
            /// The module was plugged in.
            case plugged
            /// The module was unplugged.
            case unplugged
            /// The module's beacon is not received.
            case notHeard
            /// An operator gave a command for the module.
            case commanded(Command.Name)
        }

        /// Name of the module's entry.
        public var module: String
        /// The module's port, if it is plugged in.
        public var port: String?
        /// The module's address, if it is known.
        public var address: BluetoothAddress?
        /// What happened.
        public var what: What

        /// Creates an event from its parts.
        public init(module: String, port: String?, address: BluetoothAddress?, what: What) {
            self.module = module
            self.port = port
            self.address = address
            self.what = what
        }
    }

    /// A port that cannot be reported as a module of the inventory.
    public struct OtherPort: Equatable, Sendable {
        /// The serial port.
        public var port: String
        /// Address of the module; `nil` when it has not been identified.
        public var address: BluetoothAddress?
        /// The reason why the port is not used.
        public var problem: ModuleStatus.Problem
    }

    /// A command of an operator.
    public struct Command: Equatable, Sendable {
        /// The commands for modules.
        public enum Name: String, CaseIterable, Sendable {
            /// Makes the module advertise the configuration of its entry, if it does not.
            case provision
            /// Makes the lights of the module's serial adapter flicker.
            case identify
            /// Provisions the module from a reset.
            case reset
        }

        /// The command.
        public var name: Name
        /// Name of the module's entry.
        public var module: String
        /// Correlation data, returned with the reply.
        public var correlation: String

        /// Creates a command from its parts.
        public init(_ name: Name, module: String, correlation: String) {
            self.name = name
            self.module = module
            self.correlation = correlation
        }
    }

    /// The outcome of a command.
    public enum Outcome: Equatable, Sendable {
        /// The module advertises what it should; `isUnchanged` if it did so before.
        case advertises(isUnchanged: Bool)
        /// Nothing was done, because the module does already what it should.
        ///
        /// - Parameter isHeard: whether it is heard, as far as a receiver can tell.
        case advertisesAlready(isHeard: Bool)
        /// The lights of the module's serial adapter flicker.
        case identifies
        /// The inventory has no module of this name; `known` are the names that it has.
        case unknownModule(String, known: [String])
        /// The module is not plugged in.
        case notPluggedIn
        /// The module was unplugged before the command was complete.
        case unplugged
        /// This many commands are waiting, which is the limit.
        case tooManyWaiting(Int)
        /// The module does not answer at present.
        case doesNotAnswer
        /// Another module is on the module's port.
        case otherModuleOnPort
        /// The module's entry was removed from the inventory.
        case removedFromInventory
        /// The dialogue with the module failed.
        case failed(PortFailure)

        /// Whether the module does what the command asks for.
        public var succeeded: Bool {
            switch self {
            case .advertises, .identifies, .advertisesAlready(isHeard: true): true
            case .advertisesAlready(isHeard: false), .unknownModule, .notPluggedIn, .unplugged, .tooManyWaiting,
                .doesNotAnswer, .otherModuleOnPort, .removedFromInventory, .failed:
                false
            }
        }
    }

    /// The answer to a command.
    public struct Reply: Equatable, Sendable {
        /// The command that is answered.
        public var command: Command
        /// The outcome of the command.
        public var outcome: Outcome
    }

    /// Delays and limits of the fleet.
    public struct Rules: Equatable, Sendable {
        /// First delay before a failed module is tried again. It doubles with each failure, up to `longestRetry`.
        public var firstRetry: Duration = .seconds(5)
        /// Maximum delay before a failed module is tried again.
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
        /// Interval between status changes caused by radio data, after the first `hearsayRunning`.
        public var hearsayInterval: Duration = .seconds(10)

        /// Creates the default rules.
        public init() {}
    }

    /// A module that must listen.
    public struct Listener: Equatable, Sendable {
        /// Name of the module's row in the inventory.
        public var name: String
        /// Address of the module, once it is known.
        public var address: BluetoothAddress?
    }
}
