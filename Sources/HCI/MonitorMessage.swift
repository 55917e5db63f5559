package import BeaconModel

/// A message of the kernel's monitor channel. Each message has a type, an adapter and a length, all little-endian,
/// followed by that many bytes (linux/include/net/bluetooth/hci_mon.h).
package enum MonitorMessage: Equatable {
    case appeared, vanished, switchedOn, switchedOff
    /// A program switched the controller's scanning on or off.
    case scanEnable(on: Bool, filtersDuplicates: Bool)
    /// A program reset the controller, which ends its scanning.
    case reset
    case hardwareError(code: UInt8)
    /// An HCI event. Its content follows the header.
    case event
    /// Any other message.
    case other

    package static let headerLength = 6

    /// Parses one message. Returns `nil` when it is too short for its type.
    package static func parse(_ bytes: Span<UInt8>) -> (adapter: Adapter, message: MonitorMessage)? {
        guard bytes.count >= headerLength else { return nil }
        let adapter = Adapter(index: UInt16(bytes[2]) | UInt16(bytes[3]) << 8)
        let payload = bytes.extracting(headerLength..<bytes.count)
        let type = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        return message(type: type, payload).map { (adapter, $0) }
    }

    private static func message(type: UInt16, _ payload: Span<UInt8>) -> MonitorMessage? {
        switch type {
        case 0: return .appeared
        case 1: return .vanished
        case 2: return command(payload)
        case 3:
            guard payload.count >= 3, payload[0] == 0x10 else { return .event }
            return .hardwareError(code: payload[2])
        case 8: return .switchedOn
        case 9: return .switchedOff
        default: return .other
        }
    }

    /// Parses a command: opcode, length, parameters.
    private static func command(_ payload: Span<UInt8>) -> MonitorMessage? {
        guard payload.count >= 3 else { return nil }
        switch UInt16(payload[0]) | UInt16(payload[1]) << 8 {
        case HCICommand.reset.opCode: return .reset
        case ScanMode.legacy.enable.opCode, ScanMode.extended.enable.opCode:
            guard payload.count >= 5 else { return nil }
            return .scanEnable(on: payload[3] != 0, filtersDuplicates: payload[4] != 0)
        default: return .other
        }
    }
}
