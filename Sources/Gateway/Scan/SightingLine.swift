import BeaconModel
import MQTTBridge

/// What `scan` prints of one advertisement when its output is piped.
struct SightingLine: Encodable {
    private var time: String
    private var adapter: String
    private var address: String
    private var rssi: Int8?
    private var kind: String
    private var uuid: String?
    private var major: UInt16?
    private var minor: UInt16?
    private var measuredPower: Int8?
    private var identifier: String?

    /// - Parameter identity: `nil` for an advertisement of no known kind.
    init(report: AdvertisingReport, identity: AdvertisedIdentity?, adapter: String) {
        time = report.time.rfc3339
        self.adapter = adapter
        address = report.address.description
        rssi = report.rssi?.dBm
        switch identity {
        case .iBeacon(let beacon, let power):
            kind = "ibeacon"
            uuid = beacon.uuid.description
            major = beacon.major
            minor = beacon.minor
            measuredPower = power
        case .exposureNotification(let identifier):
            kind = "exposure-notification"
            self.identifier = identifier.description
        case nil: kind = "unknown"
        }
    }

    /// `rssi` is null when the controller didn't measure it; fields of other kinds are left out.
    func encode(to encoder: any Encoder) throws {
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
    }

    private enum CodingKeys: String, CodingKey {
        case time, adapter, address, rssi, kind, uuid, major, minor, measuredPower, identifier
    }

    var line: [UInt8] { JSON.encode(self) }
}
