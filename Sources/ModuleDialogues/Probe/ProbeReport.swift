public import BeaconModel

/// What a probe has to say.
public enum ProbeEvent: Equatable, Sendable {
    /// It begins to find this out.
    case trying(String)
    /// It is over; the report says how the module was left.
    case done(ProbeReport)
}

/// What experiments with one module have shown.
public struct ProbeReport: Equatable, Sendable {
    public var address: BluetoothAddress?
    public var firmware: String
    public var findings: [ProbeFinding]
    public var profile: RS9116Profile
    public var left: ProbeLeaving

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

/// What is known of how a probe left the module.
public enum ProbeLeaving: Equatable, Sendable {
    /// It was reset, and its boot loader waits.
    case reset
    /// Its firmware runs, and Bluetooth is off: so it is after a reset when the boot loader is bypassed.
    case bluetoothOff
    /// It wasn't reset; it doesn't advertise.
    case running
    /// It may be reset or not.
    case unknown(mayAdvertise: Bool)

    public var words: String {
        switch self {
        case .reset: "reset and silent: provision it"
        case .bluetoothOff: "with its firmware running and Bluetooth off: provision it"
        case .running: "with Bluetooth on, not advertising: only a person can reset it"
        case .unknown(mayAdvertise: true): "not known: it may still advertise the probe's data; press RESET"
        case .unknown(mayAdvertise: false): "not known: it may be reset or not; press RESET"
        }
    }
}

/// Why a probe isn't all right although it has a report.
public enum ProbeError: OperatorError, Equatable {
    case leftUnknown(mayAdvertise: Bool)

    /// - Returns: `nil` when it is known how the module was left.
    public init?(_ report: ProbeReport) {
        guard case .unknown(let mayAdvertise) = report.left else { return nil }
        self = .leftUnknown(mayAdvertise: mayAdvertise)
    }

    public var what: String { "it isn't known whether the module was reset at the end of the probe" }
    public var meaning: String? {
        switch self {
        case .leftUnknown(mayAdvertise: true): "it may still advertise the probe's data, which are nobody's beacon"
        case .leftUnknown(mayAdvertise: false): "it doesn't advertise the probe's data, but may be in any other state"
        }
    }
    public var remedy: String? { "press RESET on the module or unplug it and plug it in again" }
    public var exitStatus: ExitStatus { .unavailable }
}

/// One question, and what became of it. All text is printable ASCII; what the module says is in `Printable.escaped`.
public struct ProbeFinding: Equatable, Sendable {
    public var question: String
    /// To the module, with escapes.
    public var sent: String
    /// From the module, with escapes; empty for nothing.
    public var came: String
    /// From the sending to what came, or as long as nothing came, in whole milliseconds.
    public var milliseconds: Int
    public var conclusion: String
    /// What it settles, and how.
    public var settles: RS9116Assumption?
    public var holds: Bool?

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

extension ProbeFinding {
    /// A conclusion that a profile can hold: without escapes and double quotation marks.
    package static func words(_ text: String) -> String {
        String(Printable.line(text).map { $0 == "\"" ? "'" : $0 == "\\" ? "/" : $0 })
    }
}
