import Advertisement
import BeaconModel

/// Advertising data through every decoder, with all that is made of an identity.
enum AdvertisingDataCheck: ParserCheck {
    static let name = "advertising-data"

    static func violation(for data: [UInt8]) -> String? {
        let decoded = AdvertisingData.decode(data.span)
        let surrounded = [0x02, 0x01, 0x06] + data + [0x03, 0xFF, 0x4C]
        if AdvertisingData.decode(surrounded.span.extracting(3..<(3 + data.count))) != decoded {
            return "what is beside the data changes what they say"
        }
        if AdvertisingData.decode(surrounded.span.extracting(0..<(3 + data.count))) != decoded {
            return "flags change what the data say"
        }
        if decoded.defect == nil, AdvertisingData.decode((data + [0, 0]).span) != decoded {
            return "padding changes what the data say"
        }
        guard let identity = decoded.identity else { return nil }
        if decoded.company != nil { return "a company beside an identity" }
        return violation(of: identity, in: data)
    }

    private static func violation(of identity: AdvertisedIdentity, in data: [UInt8]) -> String? {
        if identity.kind.name.isEmpty { return "a kind without a name" }
        if let subject = identity.subject(address: nil), identity.subject(address: BluetoothAddress(bits: 1)) != subject
        {
            return "an address changes a subject that needs none"
        }
        switch identity {
        case .iBeacon(let beacon, let power):
            let again = IBeacon.advertisingData(beacon, measuredPower: power)
            if AdvertisingData.decode(again.span) != .init(identity: identity) { return "an iBeacon isn't itself" }
            return isThere(again[9...], in: data)
        case .altBeacon(let beacon, _, let power):
            return isThere(IBeacon.advertisingData(beacon, measuredPower: power)[9...], in: data)
        case .eddystoneUID(let uid, _):
            let digits = uid.namespace.count + uid.instance.count
            return digits == 32 ? nil : "\(digits) digits of an Eddystone-UID"
        case .eddystoneURL(let link):
            let text = link.description
            let isLink =
                text.hasPrefix("http") && text.utf8.count <= 150 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            return isLink ? nil : "no link: \(text)"
        case .appleOverflow(let overflow):
            for app in ContactApp.allCases where overflow.bits == 0 && overflow.mayHave(app) {
                return "a bit of no bits"
            }
            return overflow.description.utf8.count == 32 ? nil : "an overflow area as \(overflow)"
        case .eddystoneTLM, .eddystoneEID, .exposureNotification, .contactApp, .contactUser, .appleDevice: return nil
        }
    }

    private static func isThere(_ bytes: ArraySlice<UInt8>, in data: [UInt8]) -> String? {
        for start in data.indices where data[start...].starts(with: bytes) { return nil }
        return "an identity that isn't in the data"
    }
}
