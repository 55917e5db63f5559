package import BeaconModel

/// Properties of a received device as reported by bluetoothd (`org.bluez.Device1`), and their conversion into an
/// advertising report.
///
/// A property is `nil` when bluetoothd has not reported it.
package struct DBusAdvertisement: Equatable, Sendable {
    package struct ManufacturerData: Equatable, Sendable {
        package var company: UInt16
        package var data: [UInt8]

        package init(company: UInt16, data: [UInt8]) {
            self.company = company
            self.data = data
        }
    }

    package struct ServiceData: Equatable, Sendable {
        package var service: ServiceUUID
        package var data: [UInt8]

        package init(service: ServiceUUID, data: [UInt8]) {
            self.service = service
            self.data = data
        }
    }

    package var address: BluetoothAddress?
    package var isPublic: Bool?
    /// Received signal strength in dBm.
    package var rssi: Int8?
    /// Transmit power in dBm.
    package var txPower: Int8?
    package var name: String?
    package var flags: [UInt8]?
    package var services: [ServiceUUID]?
    package var manufacturerData: [ManufacturerData]?
    package var serviceData: [ServiceData]?

    /// Whether the properties result from a received packet. Names, UUIDs and other properties also change without one.
    package var isHeard: Bool { rssi != nil || manufacturerData != nil || serviceData != nil }

    /// Replaces the properties that `change` contains.
    package mutating func merge(_ change: DBusAdvertisement) {
        address = change.address ?? address
        isPublic = change.isPublic ?? isPublic
        rssi = change.rssi ?? rssi
        txPower = change.txPower ?? txPower
        name = change.name ?? name
        flags = change.flags ?? flags
        services = change.services ?? services
        manufacturerData = change.manufacturerData ?? manufacturerData
        serviceData = change.serviceData ?? serviceData
    }

    /// Clears a property that bluetoothd reports as no longer valid.
    package mutating func withdraw(_ property: String) {
        switch property {
        case "RSSI": rssi = nil
        case "TxPower": txPower = nil
        case "Name": name = nil
        case "AdvertisingFlags": flags = nil
        case "UUIDs": services = nil
        case "ManufacturerData": manufacturerData = nil
        case "ServiceData": serviceData = nil
        default: break
        }
    }

    /// Returns the advertising data in at most `limit` bytes. AD structures that do not fit are omitted; a name is
    /// shortened (Core Specification Supplement 11, Part A, 1).
    package func advertisingData(limit: Int) -> [UInt8] {
        var data: [UInt8] = []
        func append(_ type: UInt8, _ value: [UInt8]) {
            guard value.count <= 254, data.count + 2 + value.count <= limit else { return }
            data.append(UInt8(value.count + 1))
            data.append(type)
            data += value
        }
        // bluetoothd reports zero for a device that sends no flags.
        if let flags, flags.contains(where: { $0 != 0 }) { append(0x01, flags) }
        for entry in manufacturerData ?? [] {
            append(0xFF, [UInt8(truncatingIfNeeded: entry.company), UInt8(entry.company >> 8)] + entry.data)
        }
        for entry in serviceData ?? [] {
            append(Self.type(of: entry.service, 0x16, 0x20, 0x21), entry.service.bytes + entry.data)
        }
        for (length, type) in [(2, 0x03), (4, 0x05), (16, 0x07)] as [(Int, UInt8)] {
            let bytes = (services ?? []).map(\.bytes).filter { $0.count == length }
            // Only as many complete UUIDs as fit.
            let most = max(0, min(254, limit - data.count - 2)) / length
            if !bytes.isEmpty, most > 0 {
                append(bytes.count > most ? type - 1 : type, Array(bytes.prefix(most).joined()))
            }
        }
        if let txPower { append(0x0A, [UInt8(bitPattern: txPower)]) }
        if let name, !name.isEmpty {
            let bytes = Array(name.utf8)
            let most = max(0, min(254, limit - data.count - 2))
            if bytes.count <= most { append(0x09, bytes) } else if most > 0 { append(0x08, Array(bytes.prefix(most))) }
        }
        return data
    }

    /// Returns an H4 packet with one report: an LE Advertising Report when the data has at most 31 bytes, the limit of
    /// legacy advertising, and otherwise an LE Extended Advertising Report (Bluetooth Core Specification 5.4, Vol 4,
    /// Part E, 7.7.65.2 and 7.7.65.13).
    ///
    /// Values that bluetoothd does not report are encoded as unknown, and the device as non-connectable.
    ///
    /// - Parameter device: the address under which bluetoothd lists the device.
    package func packet(from device: BluetoothAddress) -> [UInt8] {
        let data = advertisingData(limit: Self.longestExtendedData)
        let bits = (address ?? device).bits
        let sender = [isPublic == true ? 0x00 : 0x01] + (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        let rssi = UInt8(bitPattern: self.rssi ?? Self.unknown)
        let length = UInt8(truncatingIfNeeded: data.count)
        guard data.count > Self.longestLegacyData else {
            let nonconnectable: UInt8 = 0x03
            return [0x04, 0x3E, 12 + length, 0x02, 0x01, nonconnectable] + sender + [length] + data + [rssi]
        }
        // Event type 0: complete, neither connectable nor scannable. PHYs: LE 1M. No advertising set, transmit power,
        // periodic advertising or target.
        let radio: [UInt8] = [0x01, 0x01, 0xFF, UInt8(bitPattern: Self.unknown), rssi, 0x00, 0x00]
        let target = [UInt8](repeating: 0x00, count: 7)
        return [0x04, 0x3E, 26 + length, 0x0D, 0x01, 0x00, 0x00] + sender + radio + target + [length] + data
    }

    private static let longestLegacyData = 31
    /// Bytes left for data in the parameters of one event: 255 minus subevent, count and the 24-byte report header.
    private static let longestExtendedData = 229
    /// Code for an unavailable signal strength or transmit power.
    private static let unknown: Int8 = 127

    private static func type(of service: ServiceUUID, _ short: UInt8, _ middle: UInt8, _ long: UInt8) -> UInt8 {
        switch service.bytes.count {
        case 2: short
        case 4: middle
        default: long
        }
    }
}
