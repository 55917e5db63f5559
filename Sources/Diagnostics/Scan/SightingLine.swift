package import BeaconModel
import RecordContract

/// JSON line that `scan` prints for one advertisement when its output is piped.
package struct SightingLine: Encodable {
    private var time: String
    private var adapter: String
    /// Sender's address; `nil` for an anonymous advertisement, whose six octets are meaningless.
    private var address: String?
    private var rssi: Int8?
    private var kind: String
    private var uuid: String?
    private var major: UInt16?
    private var minor: UInt16?
    private var measuredPower: Int8?
    private var identifier: String?
    private var manufacturer: UInt16?
    private var namespace: String?
    private var instance: String?
    private var url: String?
    private var txPower: Int8?
    private var batteryMillivolts: UInt16?
    private var temperature: Double?
    private var advertisingCount: UInt32?
    private var uptimeSeconds: Double?
    private var isEncrypted: Bool?
    private var metadata: String?
    private var services: String?
    private var type: UInt8?

    /// Describes one advertisement.
    ///
    /// - Parameter identity: decoded identity; `nil` for an advertisement of no known kind.
    package init(report: AdvertisingReport, identity: AdvertisedIdentity?, adapter: String) {
        time = report.time.rfc3339
        self.adapter = adapter
        address = report.addressKind == .anonymous ? nil : report.address.description
        rssi = report.rssi?.dBm
        kind = identity?.kind.name ?? "unknown"
        if let identity { describe(identity) }
    }

    private mutating func describe(_ identity: AdvertisedIdentity) {
        measuredPower = identity.measuredPower
        switch identity {
        case .iBeacon(let beacon, _): describe(beacon)
        case .altBeacon(let beacon, let manufacturer, _):
            describe(beacon)
            self.manufacturer = manufacturer
        case .eddystoneUID(let uid, let power):
            namespace = uid.namespace
            instance = uid.instance
            txPower = power
        case .eddystoneURL(let link):
            url = link.description
            txPower = link.txPower
        case .eddystoneTLM(.plain(let telemetry)):
            batteryMillivolts = telemetry.batteryMillivolts
            temperature = telemetry.temperature
            advertisingCount = telemetry.advertisements
            uptimeSeconds = telemetry.uptime / .seconds(1)
            isEncrypted = false
        case .eddystoneTLM(.encrypted): isEncrypted = true
        case .eddystoneEID(let identifier, let power):
            self.identifier = hexadecimal(identifier, digits: 16)
            txPower = power
        case .exposureNotification(let identifier, let metadata):
            self.identifier = identifier.description
            self.metadata = hexadecimal(metadata, digits: 8)
        case .contactApp: break
        case .contactUser(_, let code): identifier = hexadecimal(code, digits: 16)
        case .appleOverflow(let area): services = area.description
        case .appleDevice(let type): self.type = type
        }
    }

    private mutating func describe(_ beacon: BeaconID) {
        uuid = beacon.uuid.description
        major = beacon.major
        minor = beacon.minor
    }

    private func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Encodes the line. `rssi` is null when the controller did not measure it, and `address` is null when there was
    /// none. Fields of other kinds are omitted.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time, forKey: .time)
        try container.encode(adapter, forKey: .adapter)
        try container.encode(address, forKey: .address)
        try container.encode(rssi, forKey: .rssi)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(uuid, forKey: .uuid)
        try container.encodeIfPresent(major, forKey: .major)
        try container.encodeIfPresent(minor, forKey: .minor)
        try container.encodeIfPresent(measuredPower, forKey: .measuredPower)
        try container.encodeIfPresent(identifier, forKey: .identifier)
        try container.encodeIfPresent(manufacturer, forKey: .manufacturer)
        try container.encodeIfPresent(namespace, forKey: .namespace)
        try container.encodeIfPresent(instance, forKey: .instance)
        try container.encodeIfPresent(url, forKey: .url)
        try container.encodeIfPresent(txPower, forKey: .txPower)
        try container.encodeIfPresent(batteryMillivolts, forKey: .batteryMillivolts)
        try container.encodeIfPresent(temperature, forKey: .temperature)
        try container.encodeIfPresent(advertisingCount, forKey: .advertisingCount)
        try container.encodeIfPresent(uptimeSeconds, forKey: .uptimeSeconds)
        try container.encodeIfPresent(isEncrypted, forKey: .isEncrypted)
        try container.encodeIfPresent(metadata, forKey: .metadata)
        try container.encodeIfPresent(services, forKey: .services)
        try container.encodeIfPresent(type, forKey: .type)
    }

    private enum CodingKeys: String, CodingKey {
        case time, adapter, address, rssi, kind, uuid, major, minor, measuredPower, identifier, manufacturer
        case namespace, instance, url, txPower, batteryMillivolts, temperature, advertisingCount, uptimeSeconds
        case isEncrypted, metadata, services, type
    }

    package var line: [UInt8] { JSON.encode(self) }
}
