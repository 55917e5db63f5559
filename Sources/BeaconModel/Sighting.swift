/// One received advertisement, decoded.
public struct Sighting: Equatable, Sendable {
    public var time: Timestamp
    public var adapter: Adapter
    public var address: BluetoothAddress
    public var rssi: RSSI?
    public var identity: AdvertisedIdentity

    public init(report: AdvertisingReport, identity: AdvertisedIdentity) {
        self.time = report.time
        self.adapter = report.adapter
        self.address = report.address
        self.rssi = report.rssi
        self.identity = identity
    }
}

/// Who an advertisement says that it comes from.
public enum AdvertisedIdentity: Hashable, Sendable {
    /// An iBeacon with its measured power: the RSSI in dBm that the advertiser says a phone sees at 1 m.
    case iBeacon(BeaconID, measuredPower: Int8)
    case exposureNotification(RollingProximityIdentifier)

    /// Who it is, without what accompanies the identity.
    public var subject: Subject {
        switch self {
        case .iBeacon(let beacon, _): .beacon(beacon)
        case .exposureNotification(let identifier): .exposureNotification(identifier)
        }
    }
}

/// Whoever was heard, as far as an advertisement can tell one from another.
public enum Subject: Hashable, Comparable, Sendable {
    case beacon(BeaconID)
    case exposureNotification(RollingProximityIdentifier)
}
