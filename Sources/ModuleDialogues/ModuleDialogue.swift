public import BeaconModel

/// The dialogue that keeps one module advertising what it was assigned.
///
/// The dialogue begins with `.opened`. It emits `.identified` once it has identified the module and then waits for
/// `.assigned`. It emits `.provisioned` when the module advertises what was assigned, and supervises the module for as
/// long as it receives input. Each kind of module is a type that conforms to this protocol; the kind's commands are
/// known only to that type. On `.leave` it leaves the module advertising and not listening, and emits `.finished`.
public protocol ModuleDialogue: LineDialogue where Request == ModuleRequest, Output == ModuleDialogueEvent {}

/// A step of the dialogue with a module.
public typealias ModuleStep = LineStep<ModuleDialogueEvent>

/// The dialogue with a module, with its deadlines.
public typealias TimedModuleDialogue = TimedDialogue<ModuleRequest, ModuleDialogueEvent>

/// A request to the dialogue with a module.
public enum ModuleRequest: TimedRequest {
    /// The configuration to advertise; `nil` leaves the module as it is and ends the dialogue.
    case assigned(BeaconConfiguration?)
    /// Whether the module must listen as well as advertise, if its kind can. Until the first such request the module
    /// must not listen.
    case listen(Bool)
    /// A request to check now that the module still does what it should, because a receiver does not hear it.
    case check
    /// A request to provision from a reset, whatever the module reports about itself.
    case provisionAgain
    /// A request to make the lights of the module's serial adapter flicker, so that a person can find it.
    case identify

    /// Meaning of the request for the time limit of the dialogue.
    public var progress: DialogueProgress {
        switch self {
        case .assigned, .provisionAgain: .resultIsExpected
        case .listen, .check, .identify: .none
        }
    }
}

/// An event of the dialogue with a module.
public enum ModuleDialogueEvent: TimedOutput {
    /// A step for people who follow the progress.
    case report(ProvisioningStep)
    /// A change of what is known about the module, on which its supervisor acts.
    case changed(ModuleChange)
    /// An advertisement that the module received.
    case received(ModuleReception)
    /// The dialogue is complete.
    case finished

    /// Meaning of the output for the time limit of the dialogue.
    public var progress: DialogueProgress {
        switch self {
        case .changed(.identified), .changed(.provisioned), .received: .result
        case .changed(.lost): .resultWasLost
        case .finished, .changed(.failed): .end
        case .report, .changed(.listening): .none
        }
    }

    /// Returns the failure of a dialogue that exceeded its time limit.
    public static func tookTooLong(_ limit: Duration) -> Self { .changed(.failed(.tookTooLong(limit))) }
}

/// A change of what is known about a module.
public enum ModuleChange: Equatable, Sendable {
    /// The module was identified; `.assigned` must follow.
    case identified(ModuleIdentity)
    /// The module advertises what it was assigned.
    case provisioned(ProvisionedModule)
    /// The module no longer does what it should, for this reason; the dialogue is repairing it.
    case lost(ModuleLoss)
    /// A change in the listening state of a module that must listen.
    case listening(ModuleListening)
    /// The dialogue is over, without success.
    case failed(ProvisioningError)
}

extension LineStep where Output == ModuleDialogueEvent {
    static func report(_ step: ProvisioningStep) -> Self { .output(.report(step)) }
    static func received(_ reception: ModuleReception) -> Self { .output(.received(reception)) }
    static var finished: Self { .output(.finished) }
    static func identified(_ identity: ModuleIdentity) -> Self { .output(.changed(.identified(identity))) }
    static func provisioned(_ module: ProvisionedModule) -> Self { .output(.changed(.provisioned(module))) }
    static func lost(_ loss: ModuleLoss) -> Self { .output(.changed(.lost(loss))) }
    static func listening(_ listening: ModuleListening) -> Self { .output(.changed(.listening(listening))) }
    static func failed(_ error: ProvisioningError) -> Self { .output(.changed(.failed(error))) }
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
    case marked(ConfigurationFingerprint)
    /// The module holds such a fingerprint, and reports that it does not advertise.
    case stopped(ConfigurationFingerprint)
    /// The configuration that was read from the module; `nil` when the settings do not form a configuration.
    case readBack(BeaconConfiguration?)

    /// The configuration fingerprint that the module holds, whether it advertises or not.
    package var mark: ConfigurationFingerprint? {
        switch self {
        case .marked(let mark), .stopped(let mark): mark
        case .none, .unknown, .readBack: nil
        }
    }

    /// Whether the module reports that it was last provisioned with `configuration`.
    func remembers(_ configuration: BeaconConfiguration) -> Bool {
        mark == ConfigurationFingerprint(configuration) || matches(configuration) == true
    }

    /// Whether the module has `configuration`; `nil` when that cannot be determined.
    public func matches(_ configuration: BeaconConfiguration) -> Bool? {
        switch self {
        case .none: return false
        case .unknown: return nil
        case .marked(let mark): return mark == ConfigurationFingerprint(configuration)
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
        case .central: "a central connected to the module, which stops its advertising"
        case .advertisingStopped: "the module had stopped advertising"
        case .changed: "the module's configuration was changed by another program"
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
        /// as silent (`AdvertisingWatch.silentAfter`).
        public var turn: Duration = .seconds(5)
        /// Time between the beginnings of two listening turns.
        public var turnInterval: Duration = .seconds(60)
        /// Delay before listening is tried again after the module refused it.
        public var listeningRetry: Duration = .seconds(600)

        /// Creates the default pace.
        public init() {}
    }
}
