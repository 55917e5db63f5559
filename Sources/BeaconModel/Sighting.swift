/// One received advertisement, decoded.
public struct Sighting: Equatable, Sendable {
    public var time: Timestamp
    public var adapter: Adapter
    public var address: BluetoothAddress
    public var rssi: RSSI?
    public var identity: AdvertisedIdentity
    /// dBm at 1 m, as the advertiser says; `nil` where that isn't known.
    public var measuredPower: Int8?
    /// Who was seen; `nil` for whoever can't be followed.
    public var subject: Subject?

    public init(report: AdvertisingReport, identity: AdvertisedIdentity) {
        self.time = report.time
        self.adapter = report.adapter
        self.address = report.address
        self.rssi = report.rssi
        self.identity = identity
        measuredPower = identity.measuredPower
        subject = identity.subject(address: report.addressKind == .anonymous ? nil : report.address)
    }

    /// Of a beacon that somebody else received and told of.
    ///
    /// - Parameter measuredPower: dBm at 1 m; `nil` where that wasn't told.
    public init(beacon: BeaconID, measuredPower: Int8?, rssi: RSSI?, adapter: Adapter, time: Timestamp) {
        self.time = time
        self.adapter = adapter
        self.rssi = rssi
        self.measuredPower = measuredPower
        address = BluetoothAddress(bits: 0)
        identity = .iBeacon(beacon, measuredPower: measuredPower ?? 0)
        subject = .beacon(beacon)
    }
}
