import BeaconModel

/// Host controller interface packets needed for a connection (Bluetooth Core Specification 5.4, Vol 4, Part E), with
/// their type byte (Part A, 2).
enum HCIPacket {
    static let command: UInt8 = 0x01
    static let data: UInt8 = 0x02
    static let event: UInt8 = 0x04

    package enum OpCode {
        static let disconnect: UInt16 = 0x0406
        static let readLocalSupportedCommands: UInt16 = 0x1002
        static let createConnection: UInt16 = 0x200D
        static let createConnectionCancel: UInt16 = 0x200E
        static let extendedCreateConnection: UInt16 = 0x2043
    }

    /// Events that matter for a connection.
    package enum Event: Equatable {
        /// Result of a command: completed, refused or pending.
        case answered(opCode: UInt16, status: UInt8, values: [UInt8])
        case connected(status: UInt8, handle: UInt16, isAddressPublic: Bool, address: BluetoothAddress)
        case disconnected(handle: UInt16)
    }

    static func command(_ opCode: UInt16, _ parameters: [UInt8] = []) -> [UInt8] {
        [command] + opCode.transmitted + [UInt8(clamping: parameters.count)] + parameters
    }

    /// Returns the command to connect to one device (7.8.12 and 7.8.66). It uses our public address and listens half of
    /// the time (30 of 60 ms), so that a scan gets its turn. The connection has an interval of 15 to 30 ms, no latency
    /// and a supervision timeout of 1 s.
    static func createConnection(to peer: ExchangePeer, isExtended: Bool) -> [UInt8] {
        let type: UInt8 = peer.isAddressPublic ? 0 : 1
        let address = Array(peer.address.bits.transmitted.prefix(6))
        let (interval, window) = (UInt16(96).transmitted, UInt16(48).transmitted)
        let connection = [12, 24, 0, 100, 0, 0].flatMap { UInt16($0).transmitted }
        if isExtended {
            let lowEnergy1M: UInt8 = 1
            return command(
                OpCode.extendedCreateConnection,
                [0, 0, type] + address + [lowEnergy1M] + interval + window + connection)
        }
        return command(OpCode.createConnection, interval + window + [0, type] + address + [0] + connection)
    }

    /// Returns the Disconnect command (7.1.6). The reason sent to the peer is "remote user terminated connection".
    static func disconnect(_ handle: UInt16) -> [UInt8] {
        command(OpCode.disconnect, handle.transmitted + [0x13])
    }

    static func read(event packet: [UInt8]) -> Event? {
        guard packet.count >= 3, packet[0] == event, packet.count == 3 + Int(packet[2]) else { return nil }
        let parameters = packet[3...]
        switch packet[1] {
        // Command Complete (7.7.14): number of packets, opcode, return parameters. The first return parameter is the
        // status.
        case 0x0E:
            guard let opCode = parameters.number16(at: 1), parameters.count >= 4 else { return nil }
            return .answered(opCode: opCode, status: packet[6], values: Array(packet[7...]))
        // Command Status (7.7.15): status, number of packets, opcode.
        case 0x0F:
            guard let opCode = parameters.number16(at: 2) else { return nil }
            return .answered(opCode: opCode, status: packet[3], values: [])
        // Disconnection Complete (7.7.5): status, handle, reason.
        case 0x05:
            guard let handle = parameters.number16(at: 1), parameters.count == 4, packet[3] == 0 else { return nil }
            return .disconnected(handle: handle & 0x0FFF)
        // LE Connection Complete (7.7.65.1) and both versions of LE Enhanced Connection Complete (7.7.65.10): subevent,
        // status, handle, role, address type and address of the peer.
        case 0x3E:
            guard let subevent = parameters.first, subevent == 0x01 || subevent == 0x0A || subevent == 0x29,
                parameters.count >= 12, let handle = parameters.number16(at: 2)
            else { return nil }
            return .connected(
                status: packet[4], handle: handle & 0x0FFF, isAddressPublic: packet[8] & 1 == 0,
                address: BluetoothAddress(bits: UInt64(transmitted: packet[9..<15])))
        default: return nil
        }
    }
}
