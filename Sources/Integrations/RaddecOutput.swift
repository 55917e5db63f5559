import Advertisement
import BeaconModel
import RecordContract

/// Radio decodings of named beacons as reelyActive's raddec JSON, on the topics of barnacles-mqtt:
/// `<prefix>/devices/<transmitterId>/<transmitterIdType>/raddec`.
///
/// Device addresses are not published. The transmitter is identified by an address derived from the beacon's identity,
/// the same at all gateways, and the packet is one that such a device would send.
struct RaddecOutput: Sendable {
    let gateway: OutputGateway
    let settings: OutputSettings.Raddec
    private var named: Set<BeaconID> = []
    /// Addresses of this gateway's own adapters.
    private var addresses: [Adapter: BluetoothAddress] = [:]

    init(gateway: OutputGateway, settings: OutputSettings.Raddec) {
        self.gateway = gateway
        self.settings = settings
    }

    /// Identifier types of the raddec library.
    private enum IdentifierType {
        static let eui48 = 2
        static let random48 = 3
    }

    private struct Raddec: Encodable {
        var transmitterId: String
        var transmitterIdType: Int
        var rssiSignature: [Entry]
        var packets: [String]
        /// Time in milliseconds since 1970.
        var timestamp: Int64

        package struct Entry: Encodable {
            var receiverId: String
            var receiverIdType: Int
            var rssi: Int
            /// Number of decodings, 1 to 255.
            var numberOfDecodings: Int
        }
    }

    func topic(of transmitter: String) -> String {
        "\(settings.prefix)/devices/\(transmitter)/\(IdentifierType.random48)/raddec"
    }

    mutating func handle(_ event: OutputEvent) -> OutputBatch {
        switch event {
        case .named(let beacons):
            named = Set(beacons.map(\.beacon))
            return OutputBatch()
        case .radio(_, let addresses):
            self.addresses = addresses
            return OutputBatch()
        case .decodings(let decodings):
            return OutputBatch(
                gateway: decodings.filter { named.contains($0.beacon) && !$0.receivers.isEmpty }.map { message($0) })
        case .interaction, .present, .module, .health, .message, .stopping: return OutputBatch()
        }
    }

    private func message(_ decodings: BeaconDecodings) -> MQTTMessage {
        let transmitter = Self.address(for: "beacon/\(decodings.beacon)")
        let identifier = TopicLevel.hexadecimal(transmitter)
        let raddec = Raddec(
            transmitterId: identifier, transmitterIdType: IdentifierType.random48,
            rssiSignature: decodings.receivers.map { entry($0) },
            packets: [TopicLevel.hexadecimal(Self.packet(decodings, from: transmitter))],
            timestamp: decodings.lastAt.microseconds / 1000)
        return MQTTMessage(
            topic: topic(of: identifier),
            payload: JSON.encode(raddec), qualityOfService: .atMostOnce)
    }

    private func entry(_ receiver: BeaconDecodings.Receiver) -> Raddec.Entry {
        let count = min(max(receiver.count, 1), 255)
        // A controller without a public address reports an address of all zeros.
        if let address = addresses[receiver.adapter], address.bits != 0 {
            let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address.bits >> (8 * (5 - UInt64($0)))) }
            return Raddec.Entry(
                receiverId: TopicLevel.hexadecimal(bytes), receiverIdType: IdentifierType.eui48, rssi: receiver.rssi,
                numberOfDecodings: count)
        }
        return Raddec.Entry(
            receiverId: TopicLevel.hexadecimal(
                Self.address(for: "receiver/\(gateway.identifier)/\(receiver.adapter)")),
            receiverIdType: IdentifierType.random48, rssi: receiver.rssi, numberOfDecodings: count)
    }

    /// Returns a static random address (Bluetooth Core Specification 5.4, Vol 6, Part B, 1.3.2.1), most significant
    /// byte first. The two highest bits are 1; the others are derived from `name`.
    static func address(for name: String) -> [UInt8] {
        var bytes = TopicLevel.digestBytes(of: "beacon-gateway/" + name, count: 6)
        bytes[0] |= 0xC0
        return bytes
    }

    /// Returns an ADV_NONCONN_IND from a random address (Vol 6, Part B, 2.3.1.3): header, length, address with the
    /// least significant byte first, advertising data.
    static func packet(_ decodings: BeaconDecodings, from address: [UInt8]) -> [UInt8] {
        let data = IBeacon.advertisingData(decodings.beacon, measuredPower: decodings.measuredPower)
        return [0x42, UInt8(clamping: address.count + data.count)] + address.reversed() + data
    }
}
