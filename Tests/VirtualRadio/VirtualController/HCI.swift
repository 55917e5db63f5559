/// Numbers of the host controller interface (Bluetooth Core Specification 5.4, Vol 4, Part E and Part A).
enum PacketType {
    static let command: UInt8 = 0x01
    static let data: UInt8 = 0x02
    static let event: UInt8 = 0x04
    /// Not of the specification: the Linux driver's own packets on /dev/vhci.
    static let vendor: UInt8 = 0xFF
}

/// The commands that this controller knows.
enum OpCode {
    static let disconnect: UInt16 = 0x0406
    static let setEventMask: UInt16 = 0x0C01
    static let reset: UInt16 = 0x0C03
    static let writeLocalName: UInt16 = 0x0C13
    static let readLocalName: UInt16 = 0x0C14
    static let readLocalVersion: UInt16 = 0x1001
    static let readLocalSupportedCommands: UInt16 = 0x1002
    static let readLocalSupportedFeatures: UInt16 = 0x1003
    static let readBufferSize: UInt16 = 0x1005
    static let readAddress: UInt16 = 0x1009
    static let leSetEventMask: UInt16 = 0x2001
    static let leReadBufferSize: UInt16 = 0x2002
    static let leReadLocalSupportedFeatures: UInt16 = 0x2003
    static let leSetRandomAddress: UInt16 = 0x2005
    static let leSetScanParameters: UInt16 = 0x200B
    static let leSetScanEnable: UInt16 = 0x200C
    static let leCreateConnection: UInt16 = 0x200D
    static let leCreateConnectionCancel: UInt16 = 0x200E
    static let leReadFilterAcceptListSize: UInt16 = 0x200F
    static let leClearFilterAcceptList: UInt16 = 0x2010
    static let leAddToFilterAcceptList: UInt16 = 0x2011
    static let leRemoveFromFilterAcceptList: UInt16 = 0x2012
    static let leReadRemoteFeatures: UInt16 = 0x2016
    static let leReadSupportedStates: UInt16 = 0x201C
    static let leReadNumberOfSupportedAdvertisingSets: UInt16 = 0x203B
    static let leSetExtendedScanParameters: UInt16 = 0x2041
    static let leSetExtendedScanEnable: UInt16 = 0x2042
    static let leExtendedCreateConnection: UInt16 = 0x2043

    /// Those that are answered by Command Status, and completed by an event of their own.
    static let pending = [disconnect, leCreateConnection, leReadRemoteFeatures, leExtendedCreateConnection]
}

/// Vol 1, Part F, 1.3.
enum Status: UInt8 {
    case success = 0x00
    case unknownCommand = 0x01
    case unknownConnection = 0x02
    case memoryExceeded = 0x07
    case connectionExists = 0x0B
    case commandDisallowed = 0x0C
    case unsupportedParameter = 0x11
    case invalidParameters = 0x12
}

/// A command from the host.
struct Command {
    var opCode: UInt16
    var parameters: [UInt8]

    /// Nil when the length does not fit: then it is no command.
    init?(packet: some Collection<UInt8>) {
        let bytes = Array(packet)
        guard bytes.count >= 4, bytes[0] == PacketType.command, bytes.count == 4 + Int(bytes[3]) else { return nil }
        opCode = UInt16(bytes[1]) | UInt16(bytes[2]) << 8
        parameters = Array(bytes[4...])
    }
}

extension Array where Element == UInt8 {
    /// An integer's bytes, the lowest first, as everything on this interface is sent.
    init<Number: FixedWidthInteger>(littleEndian number: Number) {
        self = (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// `nil` for anything but pairs of hexadecimal digits.
    init?(hexadecimal text: some StringProtocol) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    func littleEndian16(at offset: Int) -> Int {
        Int(self[offset]) | Int(self[offset + 1]) << 8
    }
}

func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
}
