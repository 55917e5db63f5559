import BeaconModel

@testable import HCI

/// One message of the kernel's monitor channel.
enum MonitorMessageCheck: ParserCheck {
    static let name = "monitor-message"

    static func violation(for bytes: [UInt8]) -> String? {
        let parsed = MonitorMessage.parse(bytes.span)
        let surrounded = [0x02, 0x00] + bytes + [0x01, 0x01]
        let again = MonitorMessage.parse(surrounded.span.extracting(2..<(2 + bytes.count)))
        if again?.adapter != parsed?.adapter || again?.message != parsed?.message {
            return "what is beside a message changes it"
        }
        guard let (adapter, message) = parsed else {
            // Of what has a header only commands can be too short.
            return bytes.count < 6 || bytes.starts(with: [0x02, 0x00]) ? nil : "a message that isn't read"
        }
        if bytes.count < 6 { return "a message without a header" }
        if adapter.index != UInt16(bytes[2]) | UInt16(bytes[3]) << 8 { return "a message of \(adapter)" }
        let expected: MonitorMessage
        switch UInt16(bytes[0]) | UInt16(bytes[1]) << 8 {
        case 0: expected = .appeared
        case 1: expected = .vanished
        case 2: return bytes.count >= 9 ? nil : "a command without its header"
        case 3: expected = bytes.count >= 9 && bytes[6] == 0x10 ? .hardwareError(code: bytes[8]) : .event
        case 8: expected = .switchedOn
        case 9: expected = .switchedOff
        default: expected = .other
        }
        return message == expected ? nil : "\(message) where there is \(expected)"
    }
}
