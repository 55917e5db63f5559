import Advertisement
import BeaconModel

/// Writes btsnoop captures (HCI H4, datalink 1002, or the Linux monitor format, 2001) for tests.
struct Capture {
    private(set) var bytes: [UInt8]
    private let isOfMonitor: Bool
    /// Of the next packet; 2020-11-15T12:00:00Z at first.
    var time = Timestamp(microseconds: 1_605_441_600_000_000)

    static let badge = BeaconID(
        uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 7, minor: 2603)
    static let badgeAddress: [UInt8] = [0xC0, 0x11, 0x22, 0x33, 0x44, 0x01]

    init(isOfMonitor: Bool = false) {
        self.isOfMonitor = isOfMonitor
        bytes = Array("btsnoop\0".utf8) + Self.number(1, 4) + Self.number(isOfMonitor ? 2001 : 1002, 4)
    }

    /// An LE Advertising Report with one report.
    mutating func addReport(data: [UInt8], rssi: Int8, address: [UInt8] = badgeAddress, after delay: Duration = .zero) {
        time = time + delay
        let report =
            [0x03, 0x01] + address.reversed() + [UInt8(data.count)] + data + [UInt8(bitPattern: rssi)]
        add([0x04, 0x3E, UInt8(report.count + 2), 0x02, 0x01] + report)
    }

    mutating func addBeacon(
        _ beacon: BeaconID = badge, rssi: Int8 = -60, power: Int8 = -59, address: [UInt8] = badgeAddress,
        after delay: Duration = .zero
    ) {
        addReport(
            data: IBeacon.advertisingData(beacon, measuredPower: power), rssi: rssi, address: address, after: delay)
    }

    /// An Exposure Notification of a phone whose 16-byte identifier is `identifier` sixteen times.
    mutating func addPhone(_ identifier: UInt8, address: [UInt8], after delay: Duration = .zero) {
        let service: [UInt8] = [0x17, 0x16, 0x6F, 0xFD] + Array(repeating: identifier, count: 16) + [1, 2, 3, 4]
        addReport(
            data: [0x02, 0x01, 0x1A, 0x03, 0x03, 0x6F, 0xFD] + service, rssi: -70, address: address, after: delay)
    }

    /// - Parameter adapter: in the monitor format.
    mutating func add(_ packet: [UInt8], adapter: UInt64 = 0) {
        // The monitor format has an event's opcode, 3, in the place of its packet type.
        let packet = isOfMonitor ? Array(packet.dropFirst()) : packet
        let flags = isOfMonitor ? adapter << 16 | 3 : 1
        let length = UInt64(packet.count)
        bytes +=
            Self.number(length, 4) + Self.number(length, 4) + Self.number(flags, 4) + Self.number(0, 4)
        bytes += Self.number(UInt64(time.microseconds) + 0x00DC_DDB3_0F2F_8000, 8) + packet
    }

    private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
    }
}
