package import BeaconModel

/// Settings that an HM-10 keeps in flash memory. The defaults are the factory settings.
package struct HM10Settings: Equatable, Sendable {
    package var name = Array("HMSoft".utf8)
    package var isBeacon = false
    /// UUID 74278BDA-B644-4520-8F0C-720EAF059935 in the four parts that `AT+IBE0` to `AT+IBE3` set.
    package var uuid: [UInt32] = [0x7427_8BDA, 0xB644_4520, 0x8F0C_720E, 0xAF05_9935]
    package var major: UInt16 = 0xFFE0
    package var minor: UInt16 = 0xFFE1
    /// Signal strength at 1 m in dBm, in two's complement: -59.
    package var measuredPower: UInt8 = 0xC5
    /// Parameter of `AT+ADVI`, 0 to 15.
    package var interval: UInt8 = 9
    /// Parameter of `AT+ADTY`: 0 connectable by all, 1 connectable by the last central, 2 scannable, 3 advertising
    /// only.
    package var advertisingType: UInt8 = 0
    /// Parameter of `AT+POWE`: -23, -6, 0 or 6 dBm.
    package var power: UInt8 = 2
    /// Parameter of `AT+BAUD`.
    var baudIndex: UInt8 = 0

    /// Rates in bit/s, by the parameter of `AT+BAUD`.
    package static let rates = [9600, 19_200, 38_400, 57_600, 115_200, 4800, 2400, 1200, 230_400]

    /// Advertising intervals in units of 0.625 ms, by the parameter of `AT+ADVI`: 100, 152.5, 211.25, 318.75, 417.5,
    /// 546.25, 760, 852.5, 1022.5 and 1285 ms, and 2 to 7 s.
    private static let intervals = [
        160, 244, 338, 510, 668, 874, 1216, 1364, 1636, 2056, 3200, 4800, 6400, 8000, 9600, 11_200,
    ]

    package var baud: Int { Self.rates.indices.contains(Int(baudIndex)) ? Self.rates[Int(baudIndex)] : Self.rates[0] }

    package var isConnectable: Bool { advertisingType < 2 }

    /// Returns the data that the module transmits with these settings.
    package func air(address: BluetoothAddress) -> OnAir {
        let type =
            switch advertisingType {
            case 0, 1: 128
            case 2: 130
            default: 131
            }
        return OnAir(
            advertising: true, type: type, intervalUnits: Self.intervals[Int(interval & 0x0F)],
            data: isBeacon ? iBeacon : serviceList, address: address)
    }

    private var iBeacon: [UInt8] {
        let uuid = uuid.flatMap { part in (0..<4).map { UInt8(truncatingIfNeeded: part >> (24 - 8 * UInt32($0))) } }
        let numbers = [major, minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + uuid + numbers + [measuredPower]
    }

    /// Advertising data with the flags and the service FFE0 of the serial bridge.
    private var serviceList: [UInt8] { [0x02, 0x01, 0x06, 0x03, 0x02, 0xE0, 0xFF] }
}
