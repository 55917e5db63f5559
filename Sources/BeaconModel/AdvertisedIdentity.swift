/// The identity that an advertisement claims for its sender.
public enum AdvertisedIdentity: Hashable, Sendable {
    /// An iBeacon with its measured power: the RSSI in dBm at 1 m, as stated by the advertiser.
    case iBeacon(BeaconID, measuredPower: Int8)
    /// An AltBeacon with its manufacturer and the RSSI in dBm at 1 m. Its 20 bytes of identity are read like those of
    /// an iBeacon: UUID, major, minor.
    case altBeacon(BeaconID, manufacturer: UInt16, referenceRSSI: Int8)
    /// An Eddystone beacon with its transmit power in dBm at 0 m.
    case eddystoneUID(EddystoneUID, txPower: Int8)
    /// Eddystone-URL.
    case eddystoneURL(EddystoneURL)
    /// Eddystone-TLM.
    case eddystoneTLM(EddystoneTelemetry)
    /// An ephemeral identifier, which only the beacon's resolver can resolve, and the transmit power in dBm at 0 m.
    case eddystoneEID(UInt64, txPower: Int8)
    /// A phone with Exposure Notification. The metadata (version and transmit power) is encrypted with a key of the
    /// phone.
    case exposureNotification(RollingProximityIdentifier, encryptedMetadata: UInt32)
    /// A phone with a contact-tracing app, identified only by the app.
    case contactApp(ContactApp)
    /// A phone with a contact-tracing app and the code by which the app identifies its user.
    case contactUser(ContactApp, UInt64)
    /// The services of an iPhone's background apps. Each service sets one bit, which it shares with many others.
    case appleOverflow(AppleOverflow)
    /// An Apple device with the type of its first message, for example 0x0C for Handoff and 0x10 for Nearby Info.
    case appleDevice(type: UInt8)

    /// Returns the subject, without the values that accompany the identity. Returns `nil` for identities that cannot be
    /// tracked: telemetry, links, beacons of other systems, and devices that state only their type.
    ///
    /// - Parameter address: the sender's address, which distinguishes phones without a better identity; `nil` for an
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

    /// RSSI at 1 m in dBm, if the advertiser states it.
    public var measuredPower: Int8? {
        switch self {
        case .iBeacon(_, let power), .altBeacon(_, _, let power): power
        default: nil
        }
    }

    /// Kind of identity, without its values.
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

    /// A kind of advertisement. Raw values count from 0.
    public enum Kind: Int, Sendable, CaseIterable {
        /// Formats of beacons and of Exposure Notification.
        case iBeacon, altBeacon, eddystoneUID, eddystoneURL, eddystoneTLM, eddystoneEID, exposureNotification
        /// Contact-tracing apps and devices of Apple.
        case bleProximity, further, c19x, herald, appleOverflow, appleDevice

        /// Returns the kind of an app's advertisements.
        public init(_ app: ContactApp) {
            switch app {
            case .bleProximity: self = .bleProximity
            case .further: self = .further
            case .c19x: self = .c19x
            case .herald: self = .herald
            }
        }

        /// Name in records, metrics and the output of `scan`.
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
