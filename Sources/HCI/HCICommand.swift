/// A command to a controller (Bluetooth Core Specification 5.4, Vol 4, Part E, 7).
package struct HCICommand: Equatable, Sendable {
    /// Name in the specification.
    package var name: String
    /// OpCode group field.
    package var group: UInt16
    /// OpCode command field.
    package var number: UInt16
    package var parameters: [UInt8]

    package static let readLocalSupportedCommands = HCICommand(
        name: "Read Local Supported Commands", group: 0x04, number: 0x0002, parameters: [])

    package static let reset = HCICommand(name: "Reset", group: 0x03, number: 0x0003, parameters: [])
    /// Set Event Mask with the default events and LE Meta.
    package static let setEventMask = HCICommand(
        name: "Set Event Mask", group: 0x03, number: 0x0001,
        parameters: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20])
    /// LE Set Event Mask with the default events and extended advertising reports.
    package static let setLEEventMask = HCICommand(
        name: "LE Set Event Mask", group: 0x08, number: 0x0001,
        parameters: [0x1F, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00])

    package var opCode: UInt16 { group << 10 | number }

    /// Returns the return parameters in an event packet, or `nil` when the event does not answer this command.
    package func answer(in packet: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = Array(packet)
        guard bytes.count >= 2, bytes[0] == 0x04 else { return nil }
        switch bytes[1] {
        // Command Complete: number of packets, opcode, return parameters.
        case 0x0E where bytes.count >= 6 && Self.opCode(bytes, at: 4) == opCode: return Array(bytes[6...])
        // Command Status: status, number of packets, opcode. A pending command completes later.
        case 0x0F where bytes.count >= 7 && Self.opCode(bytes, at: 5) == opCode && bytes[3] != 0: return [bytes[3]]
        default: return nil
        }
    }

    private static func opCode(_ bytes: [UInt8], at offset: Int) -> UInt16 {
        UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    }
}

/// Controller error codes (Bluetooth Core Specification 5.4, Vol 1, Part F, 1.3).
package enum HCIStatus {
    package static let commandDisallowed: UInt8 = 0x0C
    package static let unspecifiedError: UInt8 = 0x1F
}

extension ScanMode {
    private static let leController: UInt16 = 0x08

    /// Scan parameters: passive; interval and window both 10 ms (16 units of 0.625 ms), which is continuous; all
    /// advertisers accepted.
    package var parameters: HCICommand {
        switch self {
        case .legacy:
            HCICommand(
                name: "LE Set Scan Parameters", group: Self.leController, number: 0x000B,
                parameters: [0x00, 0x10, 0x00, 0x10, 0x00, 0x00, 0x00])
        case .extended:
            HCICommand(
                name: "LE Set Extended Scan Parameters", group: Self.leController, number: 0x0041,
                parameters: [0x00, 0x00, 0x01, 0x00, 0x10, 0x00, 0x10, 0x00])
        }
    }

    /// Scan enable command with the duplicate filter off.
    package var enable: HCICommand { scanEnable(0x01) }

    package var disable: HCICommand { scanEnable(0x00) }

    private func scanEnable(_ on: UInt8) -> HCICommand {
        switch self {
        case .legacy:
            HCICommand(
                name: "LE Set Scan Enable", group: Self.leController, number: 0x000C, parameters: [on, 0x00])
        case .extended:
            HCICommand(
                name: "LE Set Extended Scan Enable", group: Self.leController, number: 0x0042,
                parameters: [on, 0x00, 0x00, 0x00, 0x00, 0x00])
        }
    }
}
