/// Who an advertisement says that it comes from.
public enum AdvertisedIdentity: Hashable, Sendable {
    /// An iBeacon with its measured power: the RSSI in dBm that the advertiser says a phone sees at 1 m.
    case iBeacon(BeaconID, measuredPower: Int8)
    /// An AltBeacon with the company that made it and the RSSI in dBm at 1 m. Its 20 bytes of identity are read as
    /// those of an iBeacon: UUID, major, minor.
    case altBeacon(BeaconID, manufacturer: UInt16, referenceRSSI: Int8)
    /// An Eddystone beacon with its transmit power in dBm at 0 m.
    case eddystoneUID(EddystoneUID, txPower: Int8)
    case eddystoneURL(EddystoneURL)
    case eddystoneTLM(EddystoneTelemetry)
    /// An ephemeral identifier, which only the beacon's resolver understands, and the transmit power in dBm at 0 m.
    case eddystoneEID(UInt64, txPower: Int8)
    /// A phone with Exposure Notification. The metadata (version and transmit power) are encrypted under a key of the
    /// phone's.
    case exposureNotification(RollingProximityIdentifier, encryptedMetadata: UInt32)
    /// A phone with a contact-tracing app that says which app it is, and not who.
    case contactApp(ContactApp)
    /// A phone with a contact-tracing app and the code by which the app knows its user.
    case contactUser(ContactApp, UInt64)
    /// The services of an iPhone's apps in the background: one bit each, which a service shares with many others.
    case appleOverflow(AppleOverflow)
    /// A device of Apple's with the type of its first message, for example 0x0C for Handoff and 0x10 for Nearby Info.
    case appleDevice(type: UInt8)

    /// Who it is, without what accompanies the identity; `nil` for whoever can't be followed: telemetry, links,
    /// beacons of other systems, and whoever says no more than which kind of device it is.
    ///
    /// - Parameter address: the sender's, by which phones are told apart that say nothing better; `nil` for an
    ///   anonymous advertisement.
    public func subject(address: BluetoothAddress?) -> Subject? {
        switch self {
        case .iBeacon(let beacon, _), .altBeacon(let beacon, _, _): .beacon(beacon)
        case .exposureNotification(let identifier, _): .exposureNotification(identifier)
        case .contactApp(let app): address.map { .contactApp(app, $0) }
        case .contactUser(let app, let code): .contactUser(app, code)
        case .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEID, .appleOverflow, .appleDevice: nil
        }
    }

    /// The RSSI at 1 m in dBm, when the advertiser says it.
    public var measuredPower: Int8? {
        switch self {
        case .iBeacon(_, let power), .altBeacon(_, _, let power): power
        default: nil
        }
    }

    /// Without what accompanies it.
    public var kind: Kind {
        switch self {
        case .iBeacon: .iBeacon
        case .altBeacon: .altBeacon
        case .eddystoneUID: .eddystoneUID
        case .eddystoneURL: .eddystoneURL
        case .eddystoneTLM: .eddystoneTLM
        case .eddystoneEID: .eddystoneEID
        case .exposureNotification: .exposureNotification
        case .contactApp(let app), .contactUser(let app, _): Kind(app)
        case .appleOverflow: .appleOverflow
        case .appleDevice: .appleDevice
        }
    }

    /// Kinds of advertisement, counted from 0.
    public enum Kind: Int, Sendable, CaseIterable {
        case iBeacon, altBeacon, eddystoneUID, eddystoneURL, eddystoneTLM, eddystoneEID, exposureNotification
        case bleProximity, further, c19x, herald, appleOverflow, appleDevice

        public init(_ app: ContactApp) {
            switch app {
            case .bleProximity: self = .bleProximity
            case .further: self = .further
            case .c19x: self = .c19x
            case .herald: self = .herald
            }
        }

        /// As in records, metrics and the lines of `scan`.
        public var name: String {
            switch self {
            case .iBeacon: "ibeacon"
            case .altBeacon: "altbeacon"
            case .eddystoneUID: "eddystone-uid"
            case .eddystoneURL: "eddystone-url"
            case .eddystoneTLM: "eddystone-tlm"
            case .eddystoneEID: "eddystone-eid"
            case .exposureNotification: "exposure-notification"
            case .bleProximity: ContactApp.bleProximity.rawValue
            case .further: ContactApp.further.rawValue
            case .c19x: ContactApp.c19x.rawValue
            case .herald: ContactApp.herald.rawValue
            case .appleOverflow: "apple-overflow"
            case .appleDevice: "apple-device"
            }
        }
    }
}
