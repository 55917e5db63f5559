import Glibc

/// Path loss with an offset for each receiver and each transmitter, learnt from packets with truth.
///
/// The offset of a device is the sum of its residuals / (their number + 200), so that a device that was heard little
/// stays near 0; receivers and transmitters are fitted in turn.
struct DeviceOffsets: Sendable {
    private(set) var fit: PathLossFit?
    /// In dB, by name.
    private var receivers: [String: Double] = [:]
    private var transmitters: [String: Double] = [:]
    private static let ridge = 200.0
    private static let passes = 8

    init(_ training: [ContactWindow]) {
        var packets: [(receiver: String, transmitter: String, metres: Double, rssi: Double)] = []
        for window in training {
            for packet in window.packets {
                guard let metres = packet.metres else { continue }
                packets.append(
                    (
                        window.people[packet.receiver], window.people[packet.transmitter], max(0.1, metres),
                        packet.rssi
                    ))
            }
        }
        for _ in 0..<Self.passes {
            fit = PathLossFit(
                packets.map { ($0.metres, $0.rssi - offset(receiver: $0.receiver, transmitter: $0.transmitter)) })
            guard let fit else { return }
            let expected = packets.map { fit.atOneMetre - 10 * fit.exponent * log10($0.metres) }
            receivers = Self.offsets(
                packets.indices.map { index in
                    let packet = packets[index]
                    return (packet.receiver, packet.rssi - expected[index] - (transmitters[packet.transmitter] ?? 0))
                })
            transmitters = Self.offsets(
                packets.indices.map { index in
                    let packet = packets[index]
                    return (packet.transmitter, packet.rssi - expected[index] - (receivers[packet.receiver] ?? 0))
                })
        }
    }

    func offset(receiver: String, transmitter: String) -> Double {
        (receivers[receiver] ?? 0) + (transmitters[transmitter] ?? 0)
    }

    /// The mean RSSI of both directions without the offsets; `nil` of the unheard.
    func calibratedMean(_ window: ContactWindow) -> Double? {
        window.packets.map {
            $0.rssi - offset(receiver: window.people[$0.receiver], transmitter: window.people[$0.transmitter])
        }.mean
    }

    private static func offsets(_ residuals: [(device: String, residual: Double)]) -> [String: Double] {
        var sums: [String: (sum: Double, count: Double)] = [:]
        for (device, residual) in residuals {
            let sum = sums[device] ?? (0, 0)
            sums[device] = (sum.sum + residual, sum.count + 1)
        }
        return sums.mapValues { $0.sum / ($0.count + ridge) }
    }
}
