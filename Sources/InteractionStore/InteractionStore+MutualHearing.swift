import Evidence
package import Localisation
import Matching

extension InteractionStore {
    /// Minutes of a beacon that count, if nothing else is said: a quarter of a day.
    package static let usualMutualMinutes = 360

    /// Returns how loudly receivers heard the beacons at each other's places, in the order of both paths.
    ///
    /// Of each beacon the newest minutes count in which anyone heard it. At most `mostMutualBlocks` quarters of an hour are
    /// read, so a beacon that is seldom heard has fewer. Revoked gateways, and what a receiver heard of its own beacon, are
    /// left out.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: seconds since 1970.
    ///   - minutes: number of minutes of each beacon, up to the end of a quarter of an hour.
    /// - Throws: `StoreError`.
    package func mutualHearing(
        from since: Int64, to until: Int64, minutes: Int = usualMutualMinutes
    ) throws -> [MutualLevel] {
        let first = ReadingBlock(containing: max(0, since)).number
        let last = max(first, ReadingBlock(containing: max(0, until - 1)).number)
        return try database.read { session in
            let beacons = try session.placeBeaconNumbers(since: since / Self.day - NameNumbers.renewal)
            guard !beacons.isEmpty else { return [] }
            let directory = try ReceiverDirectory(session)
            let unsettled = try session.unsettledBlocks()
            var sums: [MutualKey: (rssi: Double, minutes: Int)] = [:]
            var counts: [Int64: Int] = [:]
            for block in try session.blocksOfReadings(first...last).suffix(Self.mostMutualBlocks).reversed() {
                let wanted = Set(beacons.keys.filter { counts[$0, default: 0] < minutes })
                if wanted.isEmpty { break }
                var contents =
                    unsettled.contains(block)
                    ? try UnsettledBlock(block, directory, session).contents : BlockContents(directory)
                try contents.add(vectorsOf: wanted, block, session)
                contents.limit()
                for (beacon, vectors) in contents.vectors where wanted.contains(beacon) {
                    counts[beacon, default: 0] += vectors.heardMinutes
                    for hearing in vectors.minutes.joinedHearings {
                        let key = MutualKey(beacon: beacon, receiver: hearing.receiver)
                        sums[key, default: (0, 0)].rssi += hearing.code.rssi
                        sums[key, default: (0, 0)].minutes += 1
                    }
                }
            }
            let revoked = try session.revokedGateways()
            return sums.compactMap { key, sum -> MutualLevel? in
                guard let beacon = beacons[key.beacon], let receiver = directory[key.receiver]?.path,
                    receiver != beacon, !revoked.contains(ReceiverDirectory.gateway(of: receiver))
                else { return nil }
                return MutualLevel(
                    beacon: beacon, receiver: receiver, rssi: sum.rssi / Double(sum.minutes), minutes: sum.minutes)
            }.sorted { ($0.beacon, $0.receiver) < ($1.beacon, $1.receiver) }
        }
    }

    /// Number of quarters of an hour with readings that are read at most: two days.
    private static let mostMutualBlocks = 192

    private struct MutualKey: Hashable {
        var beacon: Int64
        var receiver: Int64
    }
}

extension [MinuteVector] {
    /// Hearings of all minutes.
    fileprivate var joinedHearings: some Sequence<Hearing> { lazy.flatMap(\.hearings) }
}

extension SQLSession {
    /// Returns the receivers at whose places beacons hang, by the beacons' numbers as subjects.
    ///
    /// - Parameter since: places that were seen since then count, in days since 1970.
    fileprivate func placeBeaconNumbers(since day: Int64) throws -> [Int64: String] {
        var beacons: [Int64: String] = [:]
        try query(
            "SELECT s.id, p.gateway FROM place p JOIN subject s ON s.name = p.beacon WHERE s.kind = $1 AND p.seen >= $2 "
                + "AND p.name = p.beacon AND p.gateway <> '' AND \(InteractionStore.isTrusted("p"))",
            [.text(SubjectIdentity.badge), .integer(day)]
        ) { if let path = $0.text(1) { beacons[$0.integer(0)] = path } }
        return beacons
    }

    fileprivate func revokedGateways() throws -> Set<String> {
        var paths: Set<String> = []
        try query("SELECT path FROM revoked_gateway") { if let path = $0.text(0) { paths.insert(path) } }
        return paths
    }
}
