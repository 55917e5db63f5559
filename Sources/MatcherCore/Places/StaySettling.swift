package import Evidence
package import Localisation
import Matching

/// Locates the stays of subjects in one building by stored readings, block by block.
package struct StaySettling: Sendable {
    private let surveyed: SurveyedModel
    /// Indices of the model's receivers by their numbers in the store.
    private let receivers: [Int64: Int]
    /// Numbers of all receivers of the building, with a position or without.
    private let here: Set<Int64>
    /// Times since which receivers of the model are where they are, in seconds since 1970; only of those that were moved.
    private let since: [Int64: Int64]

    /// What follows for one subject.
    package struct Outcome: Equatable, Sendable {
        /// Start of the earliest stay that is replaced, in seconds since 1970.
        package var from: Int64
        package var stays: [SettledStay]
        /// Distribution of the subject's power by stays that have ended; `nil` if none have.
        package var power: TransmitPower?
    }

    /// Creates the settling of a building.
    ///
    /// - Parameters:
    ///   - building: `site/building`.
    ///   - paths: paths of all receivers by their numbers.
    ///   - since: times since which moved receivers are where they are, by path.
    package init(
        _ surveyed: SurveyedModel, building: String, paths: [Int64: String], since: [String: Int64] = [:]
    ) {
        self.surveyed = surveyed
        here = Set(paths.lazy.filter { $0.value.building == building }.map(\.key))
        receivers = paths.compactMapValues { surveyed.model.receiver($0) }
        self.since = paths.compactMapValues { since[$0] }
    }

    /// Locates the stays of a subject up to the end of a block.
    ///
    /// The last stay of the earlier blocks can go on in this one, so it is located anew with its windows.
    ///
    /// - Parameters:
    ///   - blocks: the block, and before it those in which the open stay began, in order of time.
    ///   - open: stay that may go on; `nil` if there is none.
    ///   - power: what is known of the subject's power.
    /// - Returns: `nil` if no receiver with a position heard the subject. Where it was in another building, no stays.
    package func settle(
        _ subject: Int64, _ blocks: [HeardBlock], open: SettledStay?, power: TransmitPower?,
        scratch: inout FilterScratch
    ) -> Outcome? {
        guard let last = blocks.last, let vectors = last.vectors[subject] else { return nil }
        guard isHere(vectors) else { return Outcome(from: last.block.start, stays: []) }
        let begin = open?.start ?? last.block.start
        let windows = blocks.flatMap { self.windows(of: subject, in: $0) }.filter { $0.end > Double(begin) }
        // What a receiver heard before it was moved is gone; a stay of that time remains as it is.
        let from = windows.first.map { max(begin, Int64($0.end - $0.length)) } ?? begin
        var stays = StayCutter.stays(windows)
        guard let newest = stays.popLast() else { return nil }
        var outcome = Outcome(from: from, stays: [])
        var known = power
        if !stays.isEmpty {
            let (located, power) = StayLocator.locate(stays, surveyed.model, power: power, scratch: &scratch)
            outcome.stays = located.map(settled)
            outcome.power = power
            known = power
        }
        outcome.stays += StayLocator.locate([newest], surveyed.model, power: known, scratch: &scratch).stays
            .map(settled)
        return outcome
    }

    private func settled(_ stay: LocatedStay) -> SettledStay {
        SettledStay(stay, surveyed.model, surveyed: surveyed.floors)
    }

    /// Returns whether the receiver that heard a subject loudest is one of this building.
    private func isHere(_ vectors: BlockVectors) -> Bool {
        let loudest = vectors.minutes.lazy.flatMap(\.hearings).max {
            ($0.code.rssi, $1.receiver) < ($1.code.rssi, $0.receiver)
        }
        return loudest.map { here.contains($0.receiver) } ?? false
    }

    private func windows(of subject: Int64, in heard: HeardBlock) -> [HeardWindow] {
        guard let vectors = heard.vectors[subject] else { return [] }
        return vectors.minutes.indices.compactMap { minute in
            let start = heard.block.start(ofMinute: minute)
            let signals = vectors.minutes[minute].hearings.compactMap { hearing in
                receiver(hearing.receiver, at: start).map {
                    HeardSignal(
                        receiver: $0, rssi: hearing.code.rssi, count: max(1, Int(hearing.code.count.rounded())))
                }
            }
            if signals.isEmpty { return nil }
            let heardBy = Set(signals.map(\.receiver))
            let silent = heard.listening.compactMap { number, listening in
                listening.listened(inMinute: minute) ? receiver(number, at: start) : nil
            }
            return HeardWindow(
                end: Double(start + 60), length: 60, signals: signals,
                silent: silent.filter { !heardBy.contains($0) }.sorted())
        }
    }

    private func receiver(_ number: Int64, at time: Int64) -> Int? {
        since[number].map { $0 > time } ?? false ? nil : receivers[number]
    }
}
