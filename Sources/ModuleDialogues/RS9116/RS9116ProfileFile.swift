public import BeaconModel

/// The profile of one module as a file: TOML with one key per line, always in the same order.
///
///     # beacon-gateway module profile 1
///     address = '88:DA:1A:E8:06:6F'
///     firmware = '1610.2.5.2.0.4'
///     date = '2020-11-15T12:00:00.000Z'
///     usb = '0403:6001'
///
///     [settled]
///     handshake-0x7c = true
///
///     [[finding]]
///     question = 'stop with nine parameters'
///     sent = 'at+rsibt_advertise=0,131,0,0,0,160,160,0,7\r\n'
///     came = 'OK\r\n'
///     milliseconds = 12
///     conclusion = 'OK'
public struct RS9116ProfileFile: Equatable, Sendable {
    /// The module's address, if it is known.
    public var address: BluetoothAddress?
    /// The module's firmware version.
    public var firmware: String
    /// Date of the probe in the form of RFC 3339.
    public var date: String
    /// Vendor and product of the port's USB interface.
    public var usb: String?
    /// The assumptions that are settled.
    public var profile: RS9116Profile
    /// The questions and results of the probe.
    public var findings: [ProbeFinding]

    /// Creates a profile file from a report.
    ///
    /// - Parameter date: the date in the form of RFC 3339.
    public init(_ report: ProbeReport, date: String, usb: String? = nil) {
        address = report.address
        firmware = report.firmware
        self.date = date
        self.usb = usb
        profile = report.profile
        findings = report.findings
    }

    private static let firstLine = "# beacon-gateway module profile 1"
    /// Maximum size of a file in bytes.
    public static let longestFile = 1024 * 1024

    /// The contents of the file.
    public var text: String {
        var lines = [Self.firstLine]
        if let address { lines.append("address = '\(address)'") }
        lines += ["firmware = \(Self.quoted(firmware))", "date = \(Self.quoted(date))"]
        if let usb { lines.append("usb = \(Self.quoted(usb))") }
        lines += ["", "[settled]"]
        for assumption in RS9116Assumption.allCases {
            if let holds = profile[assumption] { lines.append("\(assumption.rawValue) = \(holds)") }
        }
        for finding in findings {
            lines += [
                "", "[[finding]]", "question = \(Self.quoted(finding.question))", "sent = \(Self.quoted(finding.sent))",
                "came = \(Self.quoted(finding.came))", "milliseconds = \(finding.milliseconds)",
                "conclusion = \(Self.quoted(finding.conclusion))",
            ]
            if let settles = finding.settles, let holds = finding.holds {
                lines += ["settles = '\(settles.rawValue)'", "holds = \(holds)"]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a literal string of TOML, or a basic string for a text with an apostrophe.
    private static func quoted(_ text: String) -> String {
        let line = String(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
        guard line.contains("'") else { return "'\(line)'" }
        return "\"" + ProbeFinding.words(line) + "\""
    }

    /// Parses a profile file.
    ///
    /// - Throws: `ModuleProfileError`.
    public init(_ file: [UInt8]) throws(ModuleProfileError) {
        guard file.count <= Self.longestFile else { throw .tooLong }
        var reader = Reader()
        for (index, line) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            try reader.read(line, number: index + 1)
        }
        guard let contents = reader.contents else { throw .noProfile }
        self = contents
    }

    private struct Reader {
        var contents: RS9116ProfileFile?
        private var section = ""
        private var seen: Set<String> = []

        mutating func read(_ bytes: ArraySlice<UInt8>, number: Int) throws(ModuleProfileError) {
            guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x09 }) else {
                throw .line(number, found: "other than printable ASCII characters", allowed: "must be text")
            }
            let line = Self.trimmed(String(decoding: bytes, as: UTF8.self))
            if number == 1 {
                guard line == RS9116ProfileFile.firstLine else { throw .noProfile }
                contents = RS9116ProfileFile(ProbeReport(), date: "")
                return
            }
            if line.isEmpty || line.hasPrefix("#") { return }
            if line.hasPrefix("[") {
                guard ["[settled]", "[[finding]]"].contains(line) else {
                    throw .line(number, found: Printable.line(line), allowed: "must be [settled] or [[finding]]")
                }
                section = line
                seen = []
                if line == "[[finding]]" {
                    contents?.findings.append(
                        ProbeFinding(question: "", sent: "", came: "", milliseconds: 0, conclusion: ""))
                }
                return
            }
            let parts = line.split(separator: "=", maxSplits: 1).map { Self.trimmed(String($0)) }
            guard parts.count == 2 else {
                throw .line(number, found: Printable.line(line), allowed: "must be `key = value`")
            }
            guard seen.insert(parts[0]).inserted else {
                throw .line(number, found: "\(Printable.line(parts[0])) a second time", allowed: "must occur once")
            }
            switch section {
            case "[settled]": try settle(parts[0], parts[1], number)
            case "[[finding]]": try find(parts[0], parts[1], number)
            default: try describe(parts[0], parts[1], number)
            }
        }

        private mutating func describe(_ key: String, _ value: String, _ number: Int) throws(ModuleProfileError) {
            let text = try Self.string(value, number)
            switch key {
            case "address":
                guard let address = BluetoothAddress(text) else {
                    throw .line(number, found: Printable.line(text), allowed: "must be six bytes, XX:XX:XX:XX:XX:XX")
                }
                contents?.address = address
            case "firmware": contents?.firmware = text
            case "date": contents?.date = text
            case "usb": contents?.usb = text
            default: throw Self.unknown(key, ["address", "firmware", "date", "usb"], number)
            }
        }

        private mutating func settle(_ key: String, _ value: String, _ number: Int) throws(ModuleProfileError) {
            guard let assumption = RS9116Assumption(rawValue: key) else {
                throw Self.unknown(key, RS9116Assumption.allCases.map(\.rawValue), number)
            }
            contents?.profile[assumption] = try Self.truth(value, number)
        }

        private mutating func find(_ key: String, _ value: String, _ number: Int) throws(ModuleProfileError) {
            guard var finding = contents?.findings.popLast() else { return }
            switch key {
            case "question": finding.question = try Self.string(value, number)
            case "sent": finding.sent = try Self.string(value, number)
            case "came": finding.came = try Self.string(value, number)
            case "conclusion": finding.conclusion = try Self.string(value, number)
            case "milliseconds":
                guard let time = Int(value), (0...1_000_000).contains(time) else {
                    throw .line(number, found: Printable.line(value), allowed: "must be from 0 to 1000000")
                }
                finding.milliseconds = time
            case "settles":
                let name = try Self.string(value, number)
                guard let assumption = RS9116Assumption(rawValue: name) else {
                    throw Self.unknown(name, RS9116Assumption.allCases.map(\.rawValue), number)
                }
                finding.settles = assumption
            case "holds": finding.holds = try Self.truth(value, number)
            default:
                let keys = ["question", "sent", "came", "milliseconds", "conclusion", "settles", "holds"]
                throw Self.unknown(key, keys, number)
            }
            contents?.findings.append(finding)
        }

        private static func string(_ value: String, _ number: Int) throws(ModuleProfileError) -> String {
            for quote in ["'", "\""] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
                let text = value.dropFirst().dropLast()
                if !text.contains(Character(quote)), quote == "'" || !text.contains("\\") { return String(text) }
            }
            throw .line(number, found: Printable.line(value), allowed: "must be a string in '...', without escapes")
        }

        private static func truth(_ value: String, _ number: Int) throws(ModuleProfileError) -> Bool {
            guard let truth = Bool(value) else {
                throw .line(number, found: Printable.line(value), allowed: "must be true or false")
            }
            return truth
        }

        private static func unknown(_ key: String, _ allowed: [String], _ number: Int) -> ModuleProfileError {
            .line(number, found: Printable.line(key), allowed: "must be one of " + allowed.joined(separator: ", "))
        }

        private static func trimmed(_ text: String) -> String {
            let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
            return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        }
    }
}

/// An error in a file that should be a module's profile.
public enum ModuleProfileError: OperatorError, Equatable {
    /// The file is not a profile.
    case noProfile
    /// The file is longer than a profile can be.
    case tooLong
    /// A line has an error.
    case line(Int, found: String, allowed: String)

    public var what: String {
        switch self {
        case .noProfile: "the file is not a module profile: its first line does not match"
        case .tooLong: "the profile has more than \(RS9116ProfileFile.longestFile >> 10) KiB"
        case .line(let number, let found, let allowed): "line \(number): found \(found); \(allowed)"
        }
    }

    public var meaning: String? { nil }
    public var remedy: String? { "create a new one with `module probe --port PORT --profile FILE`" }
    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus { .data }
}
