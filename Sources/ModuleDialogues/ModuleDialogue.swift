public import BeaconModel

/// The dialogue with one module over its serial line, as a pure state machine: events in, actions out.
///
/// The dialogue begins with `.opened`. It emits `.identified` once it has identified the module and then waits for
/// `.assigned`. It emits `.provisioned` when the module advertises what was assigned, and supervises the module for as
/// long as it receives input. Each kind of module is a type that conforms to this protocol; the kind's commands are
/// known only to that type.
public protocol ModuleDialogue: Sendable {
    /// Handles an input and returns the resulting actions.
    mutating func handle(_ input: DialogueInput) -> [DialogueAction]

    /// Handles an input in a dialogue that measures time.
    ///
    /// - Parameter now: the time on a clock that never goes backwards.
    mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction]
}

extension ModuleDialogue {
    public mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction] { handle(input) }
}

/// An input to a dialogue.
public enum DialogueInput: Equatable, Sendable {
    /// The port is open, for the first time or again.
    case opened
    /// Bytes from the module.
    case bytes([UInt8])
    /// The time of the last `.wait` has elapsed.
    case deadline
    /// The configuration to advertise; `nil` leaves the module as it is and ends the dialogue.
    case assigned(BeaconConfiguration?)
    /// Whether the module must listen as well as advertise, if its kind can. Until the first such input the module must
    /// not listen.
    case listen(Bool)
    /// A request to check now that the module still does what it should, because a receiver does not hear it.
    case check
    /// A request to provision from a reset, whatever the module reports about itself.
    case provisionAgain
    /// A request to make the lights of the module's serial adapter flicker, so that a person can find it.
    case identify
    /// A notice that the port is about to be released: the dialogue must leave the module advertising and not
    /// listening, then emit `.finished`.
    case leave
}

/// An action that a dialogue requests or an event that it reports.
public enum DialogueAction: Equatable, Sendable {
    /// Send bytes to the module.
    case send([UInt8])
    /// A change of the line's speed, in baud.
    case setBaudRate(Int)
    /// A pulse on DTR and RTS, low and high again. On some boards they are wired to the module's reset.
    case pulseControlLines
    /// A request for `.deadline` after this time. It replaces any earlier request.
    case wait(Duration)
    /// Report a step of the progress.
    case report(ProvisioningStep)
    /// The module was identified; `.assigned` must follow.
    case identified(ModuleIdentity)
    /// The module advertises what it was assigned.
    case provisioned(ProvisionedModule)
    /// The module no longer does what it should, for this reason; the dialogue is repairing it.
    case lost(ModuleLoss)
    /// An advertisement that the module received.
    case received(ModuleReception)
    /// A change in the listening state of a module that must listen.
    case listening(ModuleListening)
    /// An event of an experiment with the module; emitted only by `ModuleProbe`.
    case probe(ProbeEvent)
    /// The dialogue is complete.
    case finished
    /// The module could not be provisioned.
    case failed(ProvisioningError)
}

/// A module's identity, and what is known about its configuration.
public struct ModuleIdentity: Equatable, Sendable {
    /// The module's Bluetooth address.
    public var address: BluetoothAddress
    /// The module's firmware version.
    public var firmware: String
    /// What the module advertises, as far as it tells.
    public var applied: AppliedConfiguration
    /// Whether the module reports that it is listening; `nil` when it was not asked or cannot tell.
    public var isListening: Bool?

    /// Creates an identity from its parts.
    public init(
        address: BluetoothAddress, firmware: String, applied: AppliedConfiguration, isListening: Bool? = nil
    ) {
        self.address = address
        self.firmware = firmware
        self.applied = applied
        self.isListening = isListening
    }
}

/// A module's configuration as the module itself reports it.
public enum AppliedConfiguration: Equatable, Sendable {
    /// The module was reset and does not advertise.
    case none
    /// The module may advertise, but cannot be asked what.
    case unknown
    /// The module holds the fingerprint of a configuration that was applied completely since its last reset.
    case marked(ConfigurationMark)
    /// The module holds such a fingerprint, and reports that it does not advertise.
    case stopped(ConfigurationMark)
    /// The configuration that was read from the module; `nil` when the settings do not form a configuration.
    case readBack(BeaconConfiguration?)

    /// The configuration fingerprint that the module holds, whether it advertises or not.
    package var mark: ConfigurationMark? {
        switch self {
        case .marked(let mark), .stopped(let mark): mark
        case .none, .unknown, .readBack: nil
        }
    }

    /// Whether the module reports that it was last provisioned with `configuration`.
    func remembers(_ configuration: BeaconConfiguration) -> Bool {
        mark == ConfigurationMark(configuration) || matches(configuration) == true
    }

    /// Whether the module has `configuration`; `nil` when that cannot be determined.
    public func matches(_ configuration: BeaconConfiguration) -> Bool? {
        switch self {
        case .none: return false
        case .unknown: return nil
        case .marked(let mark): return mark == ConfigurationMark(configuration)
        case .stopped: return false
        case .readBack(var found):
            // If no transmit power was requested, any is correct.
            if configuration.transmitPower == nil { found?.transmitPower = nil }
            return found == configuration
        }
    }
}

/// The reason why a module no longer does what it should.
public enum ModuleLoss: String, Equatable, Sendable, CustomStringConvertible {
    /// The module does not answer like a configured module: it was reset or lost power.
    case reset
    /// A central connected to the module, which ends its advertising.
    case central
    /// The module had stopped advertising.
    case advertisingStopped
    /// The module's configuration differs from the one that was applied.
    case changed

    public var description: String {
        switch self {
        case .reset: "the module was reset"
        case .central: "somebody connected to the module, which stops its advertising"
        case .advertisingStopped: "the module had stopped advertising"
        case .changed: "the module's configuration was changed by somebody else"
        }
    }
}

extension ModuleKind {
    /// Returns a dialogue for this kind of module.
    ///
    /// - Parameters:
    ///   - expected: the configuration that the module will probably be assigned.
    ///   - profile: what is known about an RS9116; ignored by other kinds.
    public func dialogue(
        expected: BeaconConfiguration? = nil, profile: RS9116Profile = RS9116Profile(), pace: Pace = Pace()
    ) -> any ModuleDialogue {
        switch self {
        case .rs9116: RS9116Dialogue(expected: expected, profile: profile, pace: pace)
        case .hm10: HM10Dialogue(pace: pace)
        }
    }

    /// Intervals and delays of a dialogue.
    public struct Pace: Equatable, Sendable {
        /// Interval between checks that the module still does what it should.
        public var checkInterval: Duration = .seconds(30)
        /// Interval between checks that a module is listening while it receives nothing.
        public var listeningEvidence: Duration = .seconds(10)
        /// Length of a listening turn, for a module that cannot advertise and listen at once: it listens for `turn` in
        /// every `turnInterval`. Meanwhile its beacon is not transmitted, for less than the time after which it counts
        /// as silent (`AirWatch.silentAfter`).
        public var turn: Duration = .seconds(5)
        /// Time between the beginnings of two listening turns.
        public var turnInterval: Duration = .seconds(60)
        /// Delay before listening is tried again after the module refused it.
        public var listeningRetry: Duration = .seconds(600)

        /// Creates the default pace.
        public init() {}
    }
}
