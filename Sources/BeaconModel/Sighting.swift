/// One received advertisement, decoded.
public struct Sighting: Equatable, Sendable {
    /// Time of reception.
    public var time: Timestamp
    /// The adapter that received the advertisement.
    public var adapter: Adapter
    /// Address of the sender.
    public var address: BluetoothAddress
    /// The RSSI, if it was measured.
    public var rssi: RSSI?
    /// What the sender advertised.
    public var identity: AdvertisedIdentity
    /// Measured power in dBm at 1 m, as stated by the advertiser; `nil` when unknown.
    public var measuredPower: Int8?
    /// Subject that was seen; `nil` when the sender cannot be tracked.
    public var subject: Subject?

    /// Creates a sighting of a report whose data was decoded.
    public init(report: AdvertisingReport, identity: AdvertisedIdentity) {
        self.time = report.time
        self.adapter = report.adapter
        self.address = report.address
        self.rssi = report.rssi
        self.identity = identity
        measuredPower = identity.measuredPower
        subject = identity.subject(address: report.addressKind == .anonymous ? nil : report.address)
    }

    /// Creates a sighting of a beacon reported by another receiver.
    ///
    /// - Parameter measuredPower: the measured power in dBm at 1 m; `nil` when it was not reported.
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
