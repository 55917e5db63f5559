public import BeaconModel

/// An event of a probe.
public enum ProbeEvent: TimedOutput {
    /// The probe begins a trial.
    case trying(ProbeTrial)
    /// A step in finding the module or loading its firmware.
    case reached(ProvisioningStep)
    /// The probe has a result; the report includes how the module was left.
    case done(ProbeReport)
    /// The probe is complete.
    case finished
    /// There is no module with which to experiment.
    case failed(ProvisioningError)

    /// Meaning of the output for the time limit of the dialogue.
    public var progress: DialogueProgress {
        switch self {
        case .finished, .failed: .end
        case .trying, .reached, .done: .none
        }
    }

    /// Returns the failure of a probe that exceeded its time limit.
    public static func tookTooLong(_ limit: Duration) -> Self { .failed(.tookTooLong(limit)) }
}

extension LineStep where Output == ProbeEvent {
    static func trying(_ trial: ProbeTrial) -> Self { .output(.trying(trial)) }
}

/// The results of the experiments with one module.
public struct ProbeReport: Equatable, Sendable {
    /// The module's address, if it told it.
    public var address: BluetoothAddress?
    /// The module's firmware version.
    public var firmware: String
    /// The questions and their results, in the order in which they were asked.
    public var findings: [ProbeFinding]
    /// The assumptions that are settled.
    public var profile: RS9116Profile
    /// The state in which the module was left.
    public var left: ProbeLeaving

    /// Creates a report from its parts.
    public init(
        address: BluetoothAddress? = nil, firmware: String = "", findings: [ProbeFinding] = [],
        profile: RS9116Profile = RS9116Profile(), left: ProbeLeaving = .unknown(mayAdvertise: false)
    ) {
        self.address = address
        self.firmware = firmware
        self.findings = findings
        self.profile = profile
        self.left = left
    }
}

/// The state in which a probe left the module, as far as it is known.
public enum ProbeLeaving: Equatable, Sendable {
    /// The module was reset, and its boot loader waits.
    case reset
    /// The firmware runs with Bluetooth off, as after a reset when the boot loader is bypassed.
    case bluetoothOff
    /// The module was not reset and does not advertise.
    case running
    /// It is unknown whether the module was reset.
    case unknown(mayAdvertise: Bool)
}

/// The reason why a probe failed although it has a report.
public enum ProbeError: OperatorError, Equatable {
    /// The state in which the module was left is not known.
    case leftUnknown(mayAdvertise: Bool)

    /// Creates an error from a report.
    ///
    /// - Returns: `nil` when the state in which the module was left is known.
    public init?(_ report: ProbeReport) {
        guard case .unknown(let mayAdvertise) = report.left else { return nil }
        self = .leftUnknown(mayAdvertise: mayAdvertise)
    }

    public var what: String { "it is unknown whether the module was reset at the end of the probe" }
    public var meaning: String? {
        switch self {
        case .leftUnknown(mayAdvertise: true): "it may still advertise the probe's data, which identifies no beacon"
        case .leftUnknown(mayAdvertise: false): "it does not advertise the probe's data, but may be in any other state"
        }
    }
    public var remedy: String? { "press RESET on the module or unplug it and plug it in again" }
    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus { .unavailable }
}

/// One question of a probe and its result. All text is printable ASCII; the module's bytes are in the form of
/// `Printable.escaped`.
public struct ProbeFinding: Equatable, Sendable {
    /// The question, in a few words.
    public var question: String
    /// Bytes sent to the module, with escapes.
    public var sent: String
    /// Bytes received from the module, with escapes; empty for none.
    public var came: String
    /// Whole milliseconds from the command to the answer, or to the end of the wait for it.
    public var milliseconds: Int
    /// What the driver does as a result.
    public var conclusion: String
    /// The assumption that the finding settles; `holds` is the result.
    public var settles: RS9116Assumption?
    /// Whether the assumption holds; `nil` if the answer is not certain.
    public var holds: Bool?

    /// Creates a finding from its parts.
    public init(
        question: String, sent: String, came: String, milliseconds: Int, conclusion: String,
        settles: RS9116Assumption? = nil, holds: Bool? = nil
    ) {
        self.question = question
        self.sent = sent
        self.came = came
        self.milliseconds = milliseconds
        self.conclusion = conclusion
        self.settles = settles
        self.holds = holds
    }
}
