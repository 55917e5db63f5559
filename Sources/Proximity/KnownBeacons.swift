import BeaconModel

/// Beacons that needn't prove themselves: those of the inventory, and those that were here for a while not long ago.
struct KnownBeacons: Sendable {
    /// Those of the inventory.
    var expected: Set<BeaconID> = []
    private let knownAfter: Duration
    /// When those who were here for a while left.
    private var departedTable = LastNotedTable(entries: 4096)

    private static let knownFor: Duration = .seconds(24 * 60 * 60)

    init(knownAfter: Duration) { self.knownAfter = knownAfter }

    /// For a restart.
    var departed: [LastNotedTable.Entry] {
        get { departedTable.noted }
        set { departedTable.noted = newValue }
    }

    func expects(_ subject: Subject) -> Bool {
        guard case .beacon(let beacon) = subject else { return false }
        return expected.contains(beacon)
    }

    func isKnown(_ fingerprint: UInt64, at time: Timestamp) -> Bool {
        departedTable.age(of: fingerprint, at: time).map { $0 <= Self.knownFor } ?? false
    }

    /// An interaction has ended, for whichever reason.
    mutating func left(_ track: Track, seed: UInt64) {
        guard track.subject.isBeacon, track.lastSeenAt - track.firstSeenAt >= knownAfter else { return }
        departedTable.note(track.subject.fingerprint(seed: seed), at: track.lastSeenAt)
    }
}
