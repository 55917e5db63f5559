/// One received advertisement, decoded.
public struct Sighting: Equatable, Sendable {
    public var time: Timestamp
    public var adapter: Adapter
    public var address: BluetoothAddress
    public var rssi: RSSI?
    public var identity: AdvertisedIdentity
    /// Who was seen; `nil` for whoever can't be followed.
    public var subject: Subject?

    public init(report: AdvertisingReport, identity: AdvertisedIdentity) {
        self.time = report.time
        self.adapter = report.adapter
        self.address = report.address
        self.rssi = report.rssi
        self.identity = identity
        subject = identity.subject(address: report.addressKind == .anonymous ? nil : report.address)
    }
}
