import BeaconModel

/// What is known of one subject that is here.
struct Track: Sendable {
    let subject: Subject
    private(set) var number: UInt64
    /// Before `startedAt` when the interaction continues another.
    let firstSeenAt: Timestamp
    private(set) var startedAt: Timestamp
    private(set) var lastSeenAt: Timestamp
    /// Which heard it last.
    var adapter: Adapter
    /// How long that adapter had been deaf until then, in all.
    var deafness: Duration = .zero
    /// When the interaction was last the subject of a record.
    var reportedAt: Timestamp

    private var continues: UInt64?
    private var countedUntil: Timestamp
    private var samples: UInt64 = 0
    private var histogram = RSSIHistogram()
    private var filter: RSSIFilter?
    private var measuredPower: Int8?
    private var minutesWithin = Within(threeMetres: 0, sixMetres: 0)

    init(number: UInt64, subject: Subject, sighting: Sighting, at time: Timestamp) {
        self.number = number
        self.subject = subject
        firstSeenAt = time
        startedAt = time
        lastSeenAt = time
        adapter = sighting.adapter
        reportedAt = time
        countedUntil = time
        take(sighting, at: time)
    }

    mutating func add(_ sighting: Sighting, at time: Timestamp, rules: InteractionRules) {
        addMinutes(until: time, rules: rules)
        lastSeenAt = time
        adapter = sighting.adapter
        take(sighting, at: time)
    }

    /// Counts the time since the last sample, with the probability that has held since then.
    mutating func addMinutes(until time: Timestamp, rules: InteractionRules) {
        if let probability = distanceNow?.probabilityWithin {
            let minutes = min(time - countedUntil, rules.longestGap).inSeconds / 60
            minutesWithin.threeMetres += minutes * probability.threeMetres
            minutesWithin.sixMetres += minutes * probability.sixMetres
        }
        countedUntil = time
    }

    /// Begins the next part of a long interaction; smoothing goes on, sums start anew.
    mutating func continueAs(number: UInt64, at time: Timestamp) {
        continues = self.number
        self.number = number
        startedAt = time
        reportedAt = time
        samples = 0
        histogram = RSSIHistogram()
        minutesWithin = Within(threeMetres: 0, sixMetres: 0)
    }

    func snapshot(ending: Interaction.Ending? = nil) -> Interaction {
        let summary = histogram.summary
        let distance = ending == nil ? distanceNow : distanceOverall(summary)
        return Interaction(
            number: number, continues: continues, subject: subject, startedAt: startedAt, lastSeenAt: lastSeenAt,
            ending: ending, samples: samples, rssi: summary, distance: distance,
            proximity: ProximityClass(distance), expectedMinutesWithin: minutesWithin)
    }

    private mutating func take(_ sighting: Sighting, at time: Timestamp) {
        samples += 1
        if let power = sighting.identity.measuredPower { measuredPower = power }
        guard let rssi = sighting.rssi, rssi.isPlausible else { return }
        histogram.add(rssi)
        if filter == nil { filter = RSSIFilter(rssi, at: time) } else { filter?.update(rssi, at: time) }
    }

    private var model: DistanceModel { subject.isBeacon ? .beacon : .phone }

    private var distanceNow: DistanceEstimate? {
        guard let filter, filter.isCurrent(at: lastSeenAt) else { return nil }
        return model.estimate(rssi: filter.value, variance: filter.variance, measuredPower: measuredPower)
    }

    private func distanceOverall(_ summary: Interaction.RSSISummary?) -> DistanceEstimate? {
        summary.map { model.estimate(rssi: Double($0.median), variance: 0, measuredPower: measuredPower) }
    }
}
