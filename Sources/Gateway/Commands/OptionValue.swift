import ArgumentParser
import BeaconModel
import CommandSupport
import GatewayCore
import Logging
import ModuleDialogues
import OperatorText

/// Parsers for option values. Errors state the allowed values.
enum OptionValue {
    static func uuid(_ text: String) throws -> ProximityUUID {
        try require(ProximityUUID(text), "a UUID: 8-4-4-4-12 hexadecimal digits")
    }

    /// Parses a major or minor.
    static func number(_ text: String) throws -> UInt16 { try require(UInt16(text), "from 0 to 65535") }

    static func port(_ text: String) throws -> UInt16 {
        try require(UInt16(text).flatMap { $0 > 0 ? $0 : nil }, "from 1 to 65535")
    }

    static func scanPath(_ text: String) throws -> ScanPathChoice {
        try require(ScanPathChoice(text), ScanPathChoice.allowed)
    }

    /// Parses a number of reports of a simulated radio, per second or per batch.
    static func simulatedReports(_ text: String) throws -> Int {
        try require(Int(text).flatMap { (1...100_000).contains($0) ? $0 : nil }, "from 1 to 100000")
    }

    /// Parses how much faster than the clock the people of the demonstration are.
    static func demoSpeed(_ text: String) throws -> Double {
        try require(Double(text).flatMap { (0.1...100).contains($0) ? $0 : nil }, "from 0.1 to 100")
    }

    /// Parses a measured power in dBm.
    static func measuredPower(_ text: String) throws -> Int8 {
        try require(Int8(text).flatMap { (-127...20).contains($0) ? $0 : nil }, "from -127 to 20 dBm")
    }

    static func interval(_ text: String) throws -> AdvertisingInterval {
        let interval = DurationText.parse(text).flatMap { AdvertisingInterval($0) }
        return try require(interval, "from 20ms to 10.24s")
    }

    static func duration(_ text: String) throws -> Duration {
        try require(DurationText.parse(text).flatMap { $0 > .zero ? $0 : nil }, DurationText.form)
    }

    /// Parses the maximum size of a recording's file, in bytes.
    static func recordingSize(_ text: String) throws -> Int {
        guard let size = ByteSizeText.parse(text) else { throw ValidationError("must be \(ByteSizeText.form)") }
        return try require(size >= Recording.smallestSize ? size : nil, "at least 4kB")
    }

    /// Parses the number of files of a recording.
    static func recordingFiles(_ text: String) throws -> Int {
        try require(Int(text).flatMap { (1...1000).contains($0) ? $0 : nil }, "from 1 to 1000")
    }

    /// Parses the number of a firmware image in a module.
    static func imageNumber(_ text: String) throws -> UInt8 {
        try require(text.count == 1 ? UInt8(text, radix: 16) : nil, "0 to 9 or a to f")
    }

    static func adapter(_ text: String) throws -> Adapter { try require(Adapter(text), "hci0, hci1, ...") }

    /// Parses a beacon written as UUID/MAJOR/MINOR.
    static func beacon(_ text: String) throws -> BeaconID {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let uuid = ProximityUUID(String(parts[0])), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2])
        else { throw ValidationError("must be UUID/MAJOR/MINOR, as `scan` shows it") }
        return BeaconID(uuid: uuid, major: major, minor: minor)
    }

    /// Parses the address of an adapter.
    static func address(_ text: String) throws -> BluetoothAddress {
        try require(BluetoothAddress(text), "an adapter's address: 00:1A:7D:DA:71:13")
    }

    static func metres(_ text: String, in range: ClosedRange<Double>) throws -> Double {
        let allowed = "from \(Metres.text(range.lowerBound)) to \(Metres.text(range.upperBound)): 1m, 1.5m"
        return try require(Metres.parse(text, in: range), allowed)
    }

    static func kind(_ text: String) throws -> ModuleKind {
        let kinds = ModuleKind.allCases.map(\.rawValue).joined(separator: " or ")
        return try require(ModuleKind(rawValue: text.lowercased()), kinds)
    }

    static func logLevel(_ text: String) throws -> Logger.Level { try ProgramLogger.level(text) }

    static func scriptFormat(_ text: String) throws -> ScriptFormat {
        try require(
            ScriptFormat(rawValue: text), "one of " + ScriptFormat.allCases.map(\.rawValue).joined(separator: ", "))
    }

    private static func require<Value>(_ value: Value?, _ allowed: String) throws -> Value {
        guard let value else { throw ValidationError("must be \(allowed)") }
        return value
    }
}
