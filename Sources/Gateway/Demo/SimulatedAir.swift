import Advertisement
import BeaconModel
import HCI
import ModuleEmulator
import RealModule

/// Simulated reception of a gateway: fixed modules and people who walk about. Pure; its noise comes from a seed.
struct SimulatedAir: Sendable {
    /// Advertising device.
    struct Advertiser: Sendable {
        var address: BluetoothAddress
        var data: [UInt8]
        var distance: Double
        /// Attenuation by walls on the way, in dB.
        var attenuation = 0.0
    }

    private var noise: UInt64 = 0x2545_F491_4F6C_DD1D
    /// Greatest deviation of an RSSI, in dB. All smaller ones are equally frequent.
    private let spread: Double
    /// Share of advertisements that are lost, from 0 to 1.
    private let loss: Double

    /// Maximum distance of reception, in metres.
    private static let earshot = 20.0
    /// RSSI below which nothing is received, in dBm.
    private static let sensitivity: Int8 = -95
    private static let adapter = Adapter(index: 0)

    /// - Parameters:
    ///   - seed: varies the noise.
    ///   - spread: greatest deviation of an RSSI, in dB; 7 dB is a standard deviation of 4 dB.
    ///   - loss: share of advertisements that are lost, from 0 to 1.
    init(seed: UInt64 = 0, spread: Double = 6, loss: Double = 0) {
        self.spread = spread
        self.loss = loss
        noise ^= seed &* 0x9E37_79B9_7F4A_7C15
    }

    /// Returns one advertisement of each advertiser in range, as the controller reports it, without those that are
    /// lost.
    mutating func batch(at time: Timestamp, from advertisers: [Advertiser]) -> HCIPacketBatch {
        var batch = HCIPacketBatch()
        for advertiser in advertisers where advertiser.distance <= Self.earshot {
            if loss > 0, draw() < loss { continue }
            let rssi = rssi(at: advertiser.distance, attenuation: advertiser.attenuation)
            guard rssi >= Self.sensitivity else { continue }
            batch.append(event(advertiser, rssi: rssi), time: time, adapter: Self.adapter)
        }
        return batch
    }

    /// Returns an LE Advertising Report event, non-connectable, random address (Bluetooth Core Specification 5.4, Vol
    /// 4, Part E, 7.7.65.2).
    private func event(_ advertiser: Advertiser, rssi: Int8) -> [UInt8] {
        let address = (0..<6).map { UInt8(truncatingIfNeeded: advertiser.address.bits >> (8 * $0)) }
        let report =
            [0x03, 0x01] + address + [UInt8(clamping: advertiser.data.count)] + advertiser.data
            + [UInt8(bitPattern: rssi)]
        return [0x04, 0x3E, UInt8(clamping: 2 + report.count), 0x02, 0x01] + report
    }

    /// Returns the RSSI at a distance: -59 dBm at 1 m, falling by 20 dB each time the distance grows tenfold, minus the
    /// attenuation, with noise.
    private mutating func rssi(at distance: Double, attenuation: Double) -> Int8 {
        let jitter = (draw() * 2 - 1) * spread
        return Int8(max(-105, min(-30, -59 - 20 * Double.log10(max(distance, 0.1)) - attenuation + jitter)))
    }

    /// Returns a number from 0 to 1.
    private mutating func draw() -> Double {
        noise ^= noise << 13
        noise ^= noise >> 7
        noise ^= noise << 17
        return Double(noise % 1201) / 1200
    }
}

/// Person with a badge who walks up and down.
struct Walker: Sendable {
    var name: String
    var beacon: BeaconID
    var address: BluetoothAddress
    /// Shortest distance from the gateway, in metres.
    var nearest: Double
    /// Greatest distance from the gateway, in metres.
    var farthest: Double
    /// Time from near to far and back, in seconds.
    var period: Double

    func advertiser(after elapsed: Duration) -> SimulatedAir.Advertiser {
        let phase = elapsed.inSeconds / period
        let swing = 0.5 - 0.5 * Double.cos(2 * .pi * phase)
        return SimulatedAir.Advertiser(
            address: address, data: IBeacon.advertisingData(beacon, measuredPower: -59),
            distance: nearest + (farthest - nearest) * swing)
    }
}
