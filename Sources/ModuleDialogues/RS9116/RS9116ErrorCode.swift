/// An error code of the RS9116 firmware (RS9116W BLE AT Command PRM, "Error codes").
public struct RS9116ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Wrong state, for example already advertising.
    package static let commandDisallowed = RS9116ErrorCode(rawValue: 0x4E0C)

    /// Wrong state. To a Bluetooth command: no operating mode was set since the firmware was loaded.
    package static let wrongState = RS9116ErrorCode(rawValue: 0x0021)

    enum Cure: Sendable {
        /// The same command may succeed when it is sent again.
        case `repeat`
        /// The module must be reset and the whole dialogue repeated.
        case reset
        /// The module will never accept the command.
        case none
    }

    var cure: Cure {
        switch rawValue {
        case 0x0103, 0x002C, 0x0032, 0x003F, 0x4E03: .repeat
        case 0x0021, 0x4D03, 0x4D09, 0x4E07, 0x4E61, 0x4E0C: .reset
        default: .none
        }
    }

    /// The code as four hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The manufacturer's description; `nil` for codes that do not concern advertising.
    public var meaning: String? { Self.meanings[rawValue] }

    private static let meanings: [UInt16: String] = [
        0x0015: "out of memory", 0x001B: "invalid operating mode", 0x0021: "command in the wrong state",
        0x0026: "wrong parameters", 0x002C: "busy with an operation of its own", 0x0032: "command timeout",
        0x003E: "invalid command length", 0x003F: "packet dropped", 0x0103: "command timeout in the stack",
        0x4046: "invalid arguments", 0x4D03: "unable to change state", 0x4D09: "attribute record full",
        0x4D14: "parameter out of range", 0x4D15: "unsupported power index", 0x4E01: "unknown HCI command",
        0x4E03: "hardware failure", 0x4E07: "out of memory", 0x4E0C: "command disallowed in this state",
        0x4E0D: "rejected for limited resources", 0x4E11: "unsupported feature or parameter",
        0x4E12: "invalid HCI parameter", 0x4E1F: "unspecified error", 0x4E30: "parameter out of its mandatory range",
        0x4E60: "invalid handle range", 0x4E61: "not enough memory", 0x4E62: "invalid parameters",
        0x4E66: "name longer than 16 bytes", 0x4FF8: "invalid Bluetooth command",
        0xFFF8: "invalid command, or parameters missing",
    ]
}
