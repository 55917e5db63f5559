public import BeaconModel

/// The dialogue with one module over its serial line, as a value: what happened in, what to do out.
///
/// It begins with `.opened`. It says `.identified` once it knows the module, and waits for `.assigned`; it says
/// `.provisioned` when the module advertises what was assigned, and then watches over it for as long as it is fed.
/// A kind of module is a type that conforms to this; nobody else knows the kind's commands.
public protocol ModuleDialogue: Sendable {
    mutating func handle(_ input: DialogueInput) -> [DialogueAction]

    /// The same, for a dialogue that measures times.
    ///
    /// - Parameter now: of a clock that never goes backwards.
    mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction]
}

extension ModuleDialogue {
    public mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction] { handle(input) }
}

/// What a dialogue is told.
public enum DialogueInput: Equatable, Sendable {
    /// The port is open, at the first time or again.
    case opened
    case bytes([UInt8])
    /// The time of the last `.wait` is over.
    case deadline
    /// What the module shall advertise; `nil` leaves it as it is and ends the dialogue.
    case assigned(BeaconConfiguration?)
    /// Whether the module shall listen, beside its advertising, where its kind can. Before the first of these it
    /// shall not.
    case listen(Bool)
    /// Look now whether the module still does what it should: somebody who listens doesn't hear it.
    case check
    /// Begin from a reset, whatever the module says of itself.
    case provisionAgain
    /// Make the lights of the module's serial adapter flicker, so that a person finds it.
    case identify
    /// The port is about to be given back: leave the module advertising and not listening, and say `.finished`.
    case leave
}

/// What a dialogue wants done.
public enum DialogueAction: Equatable, Sendable {
    case send([UInt8])
    /// Change the line's speed, in baud.
    case setBaudRate(Int)
    /// Drive DTR and RTS low and high again: on some boards they are wired to the module's reset.
    case pulseControlLines
    /// Give `.deadline` after this time, instead of at any earlier asked-for time.
    case wait(Duration)
    case report(ProvisioningStep)
    /// It is known who the module is; `.assigned` has to follow.
    case identified(ModuleIdentity)
    case provisioned(ProvisionedModule)
    /// The module was found not to do what it should any more, for this reason; it is being repaired.
    case lost(ModuleLoss)
    /// The module heard somebody.
    case received(ModuleReception)
    /// Whether the module listens, of one that shall.
    case listening(ModuleListening)
    /// An experiment with the module; only of `ModuleProbe`.
    case probe(ProbeEvent)
    /// There is nothing left to do.
    case finished
    case failed(ProvisioningError)
}

/// Who a module is, and what can be known of what it advertises.
public struct ModuleIdentity: Equatable, Sendable {
    public var address: BluetoothAddress
    public var firmware: String
    public var applied: AppliedConfiguration
    /// Whether it says that it listens; `nil` when it wasn't asked, or can't.
    public var isListening: Bool?

    public init(
        address: BluetoothAddress, firmware: String, applied: AppliedConfiguration, isListening: Bool? = nil
    ) {
        self.address = address
        self.firmware = firmware
        self.applied = applied
        self.isListening = isListening
    }
}

/// What a module says of its own configuration.
public enum AppliedConfiguration: Equatable, Sendable {
    /// It doesn't advertise: it was reset.
    case none
    /// It may advertise something; nobody can ask it what.
    case unknown
    /// It holds the mark of a configuration that was applied completely since its last reset.
    case marked(ConfigurationMark)
    /// It holds such a mark, and says that it doesn't advertise.
    case stopped(ConfigurationMark)
    /// It was asked, and answered; `nil` for what no configuration can say.
    case readBack(BeaconConfiguration?)

    /// The mark that it holds, whether it advertises or not.
    package var mark: ConfigurationMark? {
        switch self {
        case .marked(let mark), .stopped(let mark): mark
        case .none, .unknown, .readBack: nil
        }
    }

    /// Whether the module was last provisioned with `configuration`, as far as it says so.
    func remembers(_ configuration: BeaconConfiguration) -> Bool {
        mark == ConfigurationMark(configuration) || matches(configuration) == true
    }

    /// Whether it is `configuration`; `nil` when that can't be known.
    public func matches(_ configuration: BeaconConfiguration) -> Bool? {
        switch self {
        case .none: return false
        case .unknown: return nil
        case .marked(let mark): return mark == ConfigurationMark(configuration)
        case .stopped: return false
        case .readBack(var found):
            // Without a wish for it, any transmit power is right.
            if configuration.transmitPower == nil { found?.transmitPower = nil }
            return found == configuration
        }
    }
}

/// Why a module doesn't do any more what it should.
public enum ModuleLoss: String, Equatable, Sendable, CustomStringConvertible {
    /// It doesn't answer as a configured module does: it was reset, or its power failed.
    case reset
    /// Somebody connected to it, which ends its advertising.
    case central
    /// It had stopped advertising.
    case advertisingStopped
    /// It holds another configuration than was applied.
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
    /// A dialogue that knows this kind.
    ///
    /// - Parameters:
    ///   - expected: what the module will probably be assigned.
    ///   - profile: what is known of an RS9116; of no meaning to other kinds.
    public func dialogue(
        expected: BeaconConfiguration? = nil, profile: RS9116Profile = RS9116Profile(), pace: Pace = Pace()
    ) -> any ModuleDialogue {
        switch self {
        case .rs9116: RS9116Dialogue(expected: expected, profile: profile, pace: pace)
        case .hm10: HM10Dialogue(pace: pace)
        }
    }

    /// How a dialogue paces itself.
    public struct Pace: Equatable, Sendable {
        /// Between two looks whether the module still does what it should.
        public var checkInterval: Duration = .seconds(30)
        /// Of a module that listens and hears nobody: between two looks whether it does listen.
        public var listeningEvidence: Duration = .seconds(10)
        /// A module that can't advertise and listen at once listens for the one time in each of the other. Its beacon is
        /// off the air meanwhile, for less than it takes to be missed (`AirWatch.silentAfter`).
        public var turn: Duration = .seconds(5)
        public var turnInterval: Duration = .seconds(60)
        /// Before listening is tried again that was refused.
        public var listeningRetry: Duration = .seconds(600)

        public init() {}
    }
}
