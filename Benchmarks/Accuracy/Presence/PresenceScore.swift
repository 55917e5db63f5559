import BeaconModel
import Proximity

/// What the gateway's tracker makes of recordings.
struct PresenceScore: Sendable {
    /// From the first packet to the last, of all devices.
    private(set) var hours = 0.0
    /// Interactions that ended as departed, although the device was heard again.
    private(set) var falseEnds = 0
    /// Seconds from a cut to the moment at which the device would have departed, where it was held for present.
    private(set) var sinceCut: [Double] = []
    /// Seconds from the last packet before these cuts to that moment.
    private(set) var sinceLastPacket: [Double] = []

    var falseEndsPerHour: Double? { hours > 0 ? Double(falseEnds) / hours : nil }

    /// - Parameter cuts: at each of these times a device leaves, in order.
    mutating func add(
        _ recording: PresenceRecording, rules: InteractionRules, cuts: [(time: Double, transmitter: Int)]
    ) {
        hours += recording.hours
        var tracker = InteractionTracker(rules: rules)
        var cuts = cuts[...]
        for (index, packet) in recording.packets.enumerated() {
            while let cut = cuts.first, cut.time < packet.time {
                cuts = cuts.dropFirst()
                add(cut.time, cut.transmitter, tracker, recording.packets[index...])
            }
            take(tracker.observe(Self.sighting(packet)), recording)
        }
    }

    private mutating func take(_ events: [InteractionEvent], _ recording: PresenceRecording) {
        for event in events {
            guard event.kind == .ended, let ending = event.interaction.ending, ending.reason == .departed,
                case .beacon(let beacon) = event.interaction.subject
            else { continue }
            let transmitter = Int(beacon.major) << 16 | Int(beacon.minor)
            guard recording.lastHeard.indices.contains(transmitter) else { continue }
            if ending.at < Self.time(recording.lastHeard[transmitter]) { falseEnds += 1 }
        }
    }

    /// What would have been if a device had left at the cut: the same recording goes on without it.
    private mutating func add(
        _ cut: Double, _ transmitter: Int, _ tracker: InteractionTracker, _ rest: ArraySlice<PresenceRecording.Packet>
    ) {
        let subject = Self.subject(transmitter)
        guard let lastSeenAt = tracker.present.first(where: { $0.subject == subject })?.lastSeenAt else { return }
        var tracker = tracker
        func end(_ events: [InteractionEvent]) -> Timestamp? {
            events.first { $0.kind == .ended && $0.interaction.subject == subject && $0.interaction.isOver }?.time
        }
        var departedAt: Timestamp?
        for packet in rest where packet.transmitter != transmitter {
            departedAt = end(tracker.observe(Self.sighting(packet)))
            if departedAt != nil { break }
        }
        // After the recording the receiver hears nobody, and says that it hears.
        guard let departedAt = departedAt ?? end(tracker.advance(to: Self.time(cut + Self.patience))) else { return }
        // Only nobody had noticed yet.
        guard departedAt > Self.time(cut) else { return }
        sinceCut.append((departedAt - Self.time(cut)).inSeconds)
        sinceLastPacket.append((departedAt - lastSeenAt).inSeconds)
    }

    /// Seconds.
    private static let patience = 36_000.0

    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: Int64(exactly: (seconds * 1e6).rounded()) ?? 0)
    }

    private static func beacon(_ transmitter: Int) -> BeaconID {
        BeaconID(
            uuid: ProximityUUID(bits: 1), major: UInt16(truncatingIfNeeded: transmitter >> 16),
            minor: UInt16(truncatingIfNeeded: transmitter))
    }

    private static func subject(_ transmitter: Int) -> Subject { .beacon(beacon(transmitter)) }

    private static func sighting(_ packet: PresenceRecording.Packet) -> Sighting {
        let report = AdvertisingReport(
            time: time(packet.time), adapter: Adapter(index: 0), address: BluetoothAddress(bits: 1),
            addressKind: .random, rssi: RSSI(dBm: -70), isConnectable: false, isScanResponse: false)
        return Sighting(report: report, identity: .iBeacon(beacon(packet.transmitter), measuredPower: -59))
    }
}
