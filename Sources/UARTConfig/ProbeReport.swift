public import BeaconModel

/// What a probe has to say.
public enum ProbeEvent: Equatable, Sendable {
    /// It begins to find this out.
    case trying(String)
    /// It is over; the module is reset.
    case done(ProbeReport)
}

/// What experiments with one module have shown.
public struct ProbeReport: Equatable, Sendable {
    public var address: BluetoothAddress?
    public var firmware: String
    public var findings: [ProbeFinding]
    public var profile: RS9116Profile

    public init(
        address: BluetoothAddress? = nil, firmware: String = "", findings: [ProbeFinding] = [],
        profile: RS9116Profile = RS9116Profile()
    ) {
        self.address = address
        self.firmware = firmware
        self.findings = findings
        self.profile = profile
    }
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
    static func words(_ text: String) -> String {
        String(Printable.line(text).map { $0 == "\"" ? "'" : $0 == "\\" ? "/" : $0 })
    }
}
