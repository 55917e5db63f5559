import BeaconModel
package import HCI

extension DBusDeviceChange {
    /// Maximum length of advertising data in bytes (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.8.57).
    private static let longestData = 1650
    /// Maximum length of a name in bytes. Names and lists longer than an advertisement can hold are ignored.
    private static let longestName = 248
    private static let mostEntries = 64

    /// - Parameter properties: a reader positioned at the a{sv} of `org.bluez.Device1`. Properties whose type differs
    ///   from BlueZ's documentation, or with impossible values, are ignored.
    package init(properties: inout BusReader) {
        self.init()
        properties.forEachEntry { entry in
            guard let name = entry.string(), var value = entry.variant() else { return }
            read(name, &value)
        }
    }

    private mutating func read(_ name: String, _ value: inout BusReader) {
        switch name {
        case "Address": told.address = value.string().flatMap { BluetoothAddress($0) }
        case "AddressType": told.isPublic = value.string().map { $0 == "public" }
        case "RSSI": told.rssi = value.int16().flatMap { Int8(exactly: $0) }
        case "TxPower": told.txPower = value.int16().flatMap { Int8(exactly: $0) }
        case "Name": told.name = value.string().flatMap { $0.utf8.count <= Self.longestName ? $0 : nil }
        case "AdvertisingFlags": told.flags = value.bytes(limit: 8)
        case "UUIDs":
            var services: [ServiceUUID] = []
            let isList = value.forEachElement(limit: Self.mostEntries) { element in
                guard let text = element.string() else { return false }
                if let service = ServiceUUID(text) { services.append(service) }
                return true
            }
            if isList { told.services = services }
        case "ManufacturerData":
            var entries: [DBusAdvertisement.ManufacturerData] = []
            let isDictionary = value.forEachEntry(limit: Self.mostEntries) { entry in
                guard let company = entry.uint16(), var data = entry.variant(),
                    let bytes = data.bytes(limit: Self.longestData)
                else { return }
                entries.append(DBusAdvertisement.ManufacturerData(company: company, data: bytes))
            }
            if isDictionary { told.manufacturerData = entries }
        case "ServiceData":
            var entries: [DBusAdvertisement.ServiceData] = []
            let isDictionary = value.forEachEntry(limit: Self.mostEntries) { entry in
                guard let service = entry.string().flatMap({ ServiceUUID($0) }), var data = entry.variant(),
                    let bytes = data.bytes(limit: Self.longestData)
                else { return }
                entries.append(DBusAdvertisement.ServiceData(service: service, data: bytes))
            }
            if isDictionary { told.serviceData = entries }
        default: break
        }
    }
}
