import Advertisement
import BeaconModel
import RecordContract

/// A device report of OpenMQTTGateway or Theengs Gateway, on `home/<gateway>/BTtoMQTT/<address>`.
///
/// Their decoder publishes an iBeacon as `uuid`, `major`, `minor` and `txpower`. `txpower` is the measured power if
/// that is negative; otherwise `txpower` is left out, or is the transmit power of the advertisement. Early versions
/// write `power` instead. Where the advertising data are published as well, they are the better source.
struct BTtoMQTTReading: Decodable {
    var rssi: Double?
    var manufacturerdata: String?
    var uuid: String?
    var major: Double?
    var minor: Double?
    var txpower: Double?

    private enum CodingKeys: String, CodingKey {
        case rssi, manufacturerdata, uuid, major, minor, txpower, power
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        rssi = try container.decodeIfPresent(Double.self, forKey: .rssi)
        manufacturerdata = try? container.decodeIfPresent(String.self, forKey: .manufacturerdata)
        uuid = try? container.decodeIfPresent(String.self, forKey: .uuid)
        func number(_ keys: CodingKeys...) -> Double? {
            for key in keys {
                if let value = try? container.decodeIfPresent(Double.self, forKey: key) { return value }
            }
            return nil
        }
        major = number(.major)
        minor = number(.minor)
        txpower = number(.txpower, .power)
    }

    static func read(_ payload: [UInt8]) -> Result<RemoteReceiverMessage, RemoteReceiverMessage.Refusal> {
        guard let reading = try? JSON.decode(Self.self, from: payload) else { return .failure(.notJSON) }
        // A report without `rssi` says that the device is no longer heard.
        guard let rssi = reading.rssi else { return .failure(.noSignalStrength) }
        guard let strength = RemoteReceiverParser.dBm(rssi).flatMap({ RSSI(dBm: $0) }) else {
            return .failure(.outOfRange)
        }
        guard let (beacon, power) = reading.advertised ?? reading.decoded else { return .success(.heardSomebody) }
        return .success(.heard(.init(beacon: beacon, rssi: strength, measuredPower: power)))
    }

    /// Beacon and power decoded from the manufacturer data themselves.
    private var advertised: (BeaconID, measuredPower: Int8?)? {
        // A legacy advertisement has room for 2 bytes of company and at most 27 bytes of data.
        guard let manufacturerdata, (8...58).contains(manufacturerdata.utf8.count),
            let bytes = Self.bytes(manufacturerdata), let length = UInt8(exactly: bytes.count + 1)
        else { return nil }
        // Length and type of AD structures: Bluetooth Core Specification Supplement, Part A, 1.4.
        let data = [length, 0xFF] + bytes
        switch AdvertisingData.decode(data.span).identity {
        case .iBeacon(let beacon, let power)?: return (beacon, power < 0 ? power : nil)
        case .altBeacon(let beacon, _, let power)?: return (beacon, power < 0 ? power : nil)
        default: return nil
        }
    }

    private var decoded: (BeaconID, measuredPower: Int8?)? {
        guard let uuid = uuid.flatMap({ ProximityUUID($0) }), let major = major.flatMap({ UInt16(exactly: $0) }),
            let minor = minor.flatMap({ UInt16(exactly: $0) })
        else { return nil }
        return (
            BeaconID(uuid: uuid, major: major, minor: minor), RemoteReceiverParser.measuredPower(txpower)
        )
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
