import BeaconModel
import RecordContract

/// A device report of an ESPresense node, on `espresense/devices/<id>/<room>`.
///
/// `rssi` is that of one packet in version 3, and smoothed with decimals in version 4. `rssi@1m` (version 3) or `rssi`
/// (version 4) includes the node's `rx_adj_rssi`, so the difference of the two is right in both versions.
struct ESPresenseReading: Decodable {
    var id: String?
    var rssi: Double?
    var measuredPower: Double?

    private enum CodingKeys: String, CodingKey {
        case id, rssi
        case measuredPower = "rssi@1m"
    }

    static func read(_ payload: [UInt8]) -> Result<RemoteReceiverMessage, RemoteReceiverMessage.Refusal> {
        guard let reading = try? JSON.decode(Self.self, from: payload) else { return .failure(.notJSON) }
        guard let id = reading.id else { return .failure(.noIdentity) }
        guard let rssi = reading.rssi else { return .failure(.noSignalStrength) }
        guard let strength = RemoteReceiverParser.dBm(rssi).flatMap({ RSSI(dBm: $0) }) else {
            return .failure(.outOfRange)
        }
        guard let beacon = beacon(id) else { return .success(.heardSomebody) }
        return .success(
            .heard(
                .init(
                    beacon: beacon, rssi: strength,
                    measuredPower: RemoteReceiverParser.measuredPower(reading.measuredPower))))
    }

    /// Returns the beacon in `iBeacon:<uuid>-<major>-<minor>`, or in the same form with `altBeacon`. Ids of all other
    /// devices, and of devices with an alias in the node's settings, have another form.
    static func beacon(_ id: String) -> BeaconID? {
        guard id.utf8.count <= 100, let colon = id.firstIndex(of: ":"),
            ["ibeacon", "altbeacon"].contains(id[..<colon].lowercased())
        else { return nil }
        let parts = id[id.index(after: colon)...].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let major = number(parts[parts.count - 2]), let minor = number(parts[parts.count - 1]),
            let uuid = ProximityUUID(parts.dropLast(2).joined(separator: "-"))
        else { return nil }
        return BeaconID(uuid: uuid, major: major, minor: minor)
    }

    private static func number(_ text: Substring) -> UInt16? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt16(text) : nil
    }
}
