package import BeaconModel
package import RecordContract

/// Merges what the gateway and its remote receivers report into one presence for each beacon. Pure.
///
/// A beacon is present while any receiver hears it. Its distance is to the nearest receiver; another receiver must be
/// clearly nearer to replace it. When no receiver hears the beacon any more, the receiver that heard it last decides:
/// the beacon is absent if that receiver reports a departure, and its presence is unknown if that receiver is deaf.
///
/// Memory: one entry for each tracked beacon.
package struct PresenceMerge: Sendable {
    /// A receiver: a remote receiver by name, or `nil` for the gateway itself.
    package typealias Receiver = String?

    private var beacons: [BeaconID: [Share]] = [:]

    /// One receiver's view of a beacon.
    private struct Share: Sendable {
        var receiver: Receiver
        var interaction: Interaction
        var isNearest = false

        var isPresent: Bool { interaction.ending.map { $0.reason == .continued } ?? true }
    }

    /// Ratio of distances that makes a receiver clearly nearer: it replaces the nearest one below this share of its
    /// distance.
    static let clearlyNearer = 0.8

    /// Records a receiver's current view of a beacon.
    ///
    /// - Returns: the presence to publish, and whether no receiver hears the beacon any more.
    package mutating func update(
        _ beacon: BeaconID, _ interaction: Interaction, by receiver: Receiver, boot: UInt64
    ) -> (payload: PresencePayload, isAbsent: Bool) {
        var shares = beacons[beacon] ?? []
        if let index = shares.firstIndex(where: { $0.receiver == receiver }) {
            shares[index].interaction = interaction
        } else {
            shares.append(Share(receiver: receiver, interaction: interaction))
        }
        let present = shares.filter(\.isPresent)
        guard let nearest = Self.nearest(of: present) else {
            beacons[beacon] = nil
            let last = shares.max { $0.interaction.lastSeenAt < $1.interaction.lastSeenAt }
            return (PresencePayload(last?.interaction ?? interaction, boot: boot), true)
        }
        for index in shares.indices { shares[index].isNearest = shares[index].receiver == nearest.receiver }
        beacons[beacon] = shares
        return (
            PresencePayload(
                nearest.interaction, boot: boot, since: present.map(\.interaction.startedAt).min(),
                lastSeenAt: present.map(\.interaction.lastSeenAt).max(), ear: nearest.receiver), false
        )
    }

    /// Records a subject that is known to be present, without publishing anything.
    package mutating func note(_ interaction: Interaction, by receiver: Receiver) {
        guard case .beacon(let beacon) = interaction.subject else { return }
        _ = update(beacon, interaction, by: receiver, boot: 0)
    }

    private static func nearest(of present: [Share]) -> Share? {
        let newest = present.map(\.interaction.lastSeenAt).max() ?? .epoch
        // A receiver that has not heard the beacon for a while says nothing about the present: a walker leaves one
        // receiver behind for another.
        let current = present.filter { newest - $0.interaction.lastSeenAt <= patience(with: $0.interaction) }
        func metres(_ share: Share) -> Double { share.interaction.distance?.metres ?? .infinity }
        let nearest = current.min { metres($0) < metres($1) }
        guard let before = current.first(where: \.isNearest), let nearest else { return nearest }
        return metres(nearest) < clearlyNearer * metres(before) ? nearest : before
    }

    /// Returns how long a receiver's last report stays current. Reports come every 30 s
    /// (`InteractionRules.updateInterval`), and less often from a node that scans only now and then.
    private static func patience(with interaction: Interaction) -> Duration {
        max(.seconds(60), interaction.reception.silence / 2)
    }
}
