import BeaconModel

/// Beacons that need no confirmation: those of the inventory, and those that were recently present for a while.
struct KnownBeacons: Sendable {
    /// Beacons of the inventory.
    var expected: Set<BeaconID> = []
    private let knownAfter: Duration
    /// Departure times of beacons that were present for a while.
    private var departedTable = LastNotedTable(entries: 4096)

    private static let knownFor: Duration = .seconds(24 * 60 * 60)

    init(knownAfter: Duration) { self.knownAfter = knownAfter }

    /// Departures to persist for a restart.
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

    /// Records that an interaction ended, for any reason.
    mutating func left(_ track: Track, seed: UInt64) {
        guard track.subject.isBeacon, track.lastSeenAt - track.firstSeenAt >= knownAfter else { return }
        departedTable.note(track.subject.fingerprint(seed: seed), at: track.lastSeenAt)
    }
}
