package import BeaconModel
package import RecordContract

/// One presence of each beacon, of what the gateway and its remote ears say. Pure.
///
/// A beacon is present while anyone hears it. Its distance is to the receiver that it is nearest to, which another one
/// has to beat clearly. When nobody hears it any more, it is away if the one that heard it last says that it left, and
/// nobody knows if that one is deaf.
///
/// Memory: one entry for each beacon that somebody follows.
package struct PresenceMerge: Sendable {
    /// Who hears: the gateway itself, or one of its ears.
    package typealias Receiver = String?

    private var beacons: [BeaconID: [Share]] = [:]

    /// What one receiver says of a beacon.
    private struct Share: Sendable {
        var receiver: Receiver
        var interaction: Interaction
        var isNearest = false

        var isPresent: Bool { interaction.ending.map { $0.reason == .continued } ?? true }
    }

    /// Another one is the nearest if its distance is less than this part of the other's.
    static let clearlyNearer = 0.8

    /// Takes note of what a receiver says of a beacon now.
    ///
    /// - Returns: what is to be said of the beacon, and whether nobody hears it any more.
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

    /// Takes note of somebody who is known to be here, of whom nothing is to be said.
    package mutating func note(_ interaction: Interaction, by receiver: Receiver) {
        guard case .beacon(let beacon) = interaction.subject else { return }
        _ = update(beacon, interaction, by: receiver, boot: 0)
    }

    private static func nearest(of present: [Share]) -> Share? {
        let newest = present.map(\.interaction.lastSeenAt).max() ?? .epoch
        // Who hasn't heard it for a while, as a walker leaves one receiver behind for another, says nothing of now.
        let current = present.filter { newest - $0.interaction.lastSeenAt <= patience(with: $0.interaction) }
        func metres(_ share: Share) -> Double { share.interaction.distance?.metres ?? .infinity }
        let nearest = current.min { metres($0) < metres($1) }
        guard let before = current.first(where: \.isNearest), let nearest else { return nearest }
        return metres(nearest) < clearlyNearer * metres(before) ? nearest : before
    }

    /// Reports come every 30 s (`InteractionRules.updateInterval`), and from a node that scans now and then less often.
    private static func patience(with interaction: Interaction) -> Duration {
        max(.seconds(60), interaction.reception.silence / 2)
    }
}
