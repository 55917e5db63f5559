import BeaconModel

/// Data of one present subject.
struct Track: Codable, Sendable {
    let subject: Subject
    /// Run of the gateway in which the interaction began; `nil` for the present run.
    var run: UInt64?
    private(set) var number: UInt64
    /// First reception; before `startedAt` when the interaction continues another.
    private(set) var firstSeenAt: Timestamp
    private(set) var startedAt: Timestamp
    private(set) var lastSeenAt: Timestamp
    /// Adapter that received it last.
    var adapter: Adapter
    /// Total time that adapter had been deaf until then.
    var deafness: Duration = .zero
    /// Time of the interaction's latest record.
    var reportedAt: Timestamp
    /// Regularity of its reception.
    private(set) var reception: Reception
    /// Silence after which it counts as departed.
    private(set) var silence: Duration = .zero

    private var continues: UInt64?
    /// Run of the interaction that this one continues.
    private var continuesRun: UInt64?
    private var countedUntil: Timestamp
    private var samples: UInt64 = 0
    private var histogram = RSSIHistogram()
    private var filter: RSSIFilter?
    private var distance: DistanceEstimate?
    private var proximity = ProximityClass.unknown
    private var measuredPower: Double?
    /// Mean of the receiver offsets subtracted from the RSSI, in dB.
    private var offset = 0.0
    private var minutesWithin = Within(threeMetres: 0, sixMetres: 0)

    /// Creates a track that is only known to have begun.
    init(_ began: TrackerNote.Began, deafness: Duration) {
        self.init(number: began.number, subject: began.subject, at: began.startedAt, adapter: Adapter(index: 0))
        firstSeenAt = began.firstSeenAt
        continues = began.continues
        continuesRun = began.continuesRun
        self.deafness = deafness
        // An interaction begins with an advertisement; the number of further ones is unknown.
        samples = 1
    }

    init(number: UInt64, subject: Subject, at time: Timestamp, adapter: Adapter, reception: Reception = Reception()) {
        self.number = number
        self.subject = subject
        self.reception = reception
        self.adapter = adapter
        firstSeenAt = time
        startedAt = time
        lastSeenAt = time
        reportedAt = time
        countedUntil = time
    }

    /// Continues an interaction that the shutdown of the gateway interrupted.
    mutating func goOn(from interrupted: DepartedTable.Interaction) {
        continues = interrupted.number
        continuesRun = interrupted.run
        firstSeenAt = interrupted.firstSeenAt
    }

    /// Sets the run of the gateway in which it began, if that is unknown.
    mutating func nameRun(_ run: UInt64) {
        self.run = self.run ?? run
        if continues != nil { continuesRun = continuesRun ?? run }
    }

    /// Whether the values read from a file are plausible.
    var isPlausible: Bool {
        let durations = [deafness, silence]
        let numbers = [offset, minutesWithin.threeMetres, minutesWithin.sixMetres, measuredPower ?? 0]
        return durations.allSatisfy { $0 >= .zero && $0 <= TrackerState.longest } && numbers.allSatisfy(\.isFinite)
            && samples < 1 << 62 && reception.isPlausible && filter?.isPlausible ?? true
            && distance.map { $0.lower > 0 && $0.upper.isFinite && $0.metres.isFinite } ?? true
    }

    /// Records that the subject was received, without further data.
    mutating func wasHeard(at time: Timestamp) {
        lastSeenAt = max(lastSeenAt, time)
        countedUntil = max(countedUntil, time)
    }

    /// Adds a reading.
    ///
    /// - Parameters:
    ///   - offset: offset of the receiver, in dB.
    ///   - deafness: total time that the receiver has been deaf.
    mutating func add(
        _ reading: Reading, at time: Timestamp, offset: Double, deafness: Duration, rules: InteractionRules,
        prior: inout ReceptionPrior
    ) {
        addMinutes(until: time, rules: rules)
        if samples > 0 {
            let deaf = reading.adapter == adapter ? deafness - self.deafness : .zero
            if reception.add(gap: time - lastSeenAt - deaf, to: &prior) { learnSilence(rules, prior: prior) }
        } else {
            learnSilence(rules, prior: prior)
        }
        lastSeenAt = time
        adapter = reading.adapter
        self.deafness = deafness
        take(reading, at: time, offset: offset, rules: rules.distance)
    }

    /// Counts the time since the last sample, with the probability that has applied since then.
    mutating func addMinutes(until time: Timestamp, rules: InteractionRules) {
        defer { countedUntil = time }
        guard let distance, let filter, filter.isCurrent(at: lastSeenAt) else { return }
        let minutes = min(time - countedUntil, vouching(rules)).inSeconds / 60
        minutesWithin.threeMetres += minutes * distance.probabilityWithin.threeMetres
        minutesWithin.sixMetres += minutes * distance.probabilityWithin.sixMetres
    }

    /// Returns the time for which one sample attests the subject's presence.
    private func vouching(_ rules: InteractionRules) -> Duration {
        guard let interval = reception.interval, let share = reception.heardShare, share > 0 else {
            return rules.shortestVouching
        }
        return min(max(.seconds(min(3 * interval / share, 3600)), rules.shortestVouching), rules.longestVouching)
    }

    /// Begins the next part of a long interaction; smoothing continues, sums start anew.
    mutating func continueAs(number: UInt64, at time: Timestamp) {
        continues = self.number
        continuesRun = run
        self.number = number
        run = nil
        startedAt = time
        reportedAt = time
        samples = 0
        histogram = RSSIHistogram()
        minutesWithin = Within(threeMetres: 0, sixMetres: 0)
    }

    func snapshot(ending: Interaction.Ending? = nil, rules: InteractionRules) -> Interaction {
        let summary = histogram.summary
        let isCurrent = filter?.isCurrent(at: lastSeenAt) ?? false
        let distance = ending == nil ? (isCurrent ? distance : nil) : distanceOverall(summary, rules.distance)
        return Interaction(
            number: number, run: run, continues: continues, continuesRun: continuesRun, subject: subject,
            firstSeenAt: firstSeenAt, startedAt: startedAt, lastSeenAt: lastSeenAt, ending: ending, samples: samples,
            rssi: summary, distance: distance,
            proximity: ending == nil ? (isCurrent ? proximity : .unknown) : ProximityClass(distance),
            expectedMinutesWithin: minutesWithin,
            reception: .init(interval: reception.interval, heardShare: reception.heardShare, silence: silence))
    }

    /// Prolongs the silence from other subjects' data while no full minute of this subject is known.
    ///
    /// - Returns: whether the silence became longer; a shorter one is not taken.
    mutating func prolongSilence(_ rules: InteractionRules, prior: ReceptionPrior) -> Bool {
        guard reception.longestGaps.count == 0 else { return false }
        let before = silence
        learnSilence(rules, prior: prior)
        guard silence <= before else { return true }
        silence = before
        return false
    }

    mutating func learnSilence(_ rules: InteractionRules, prior: ReceptionPrior) {
        var silenceRules = rules.silence
        if !rules.silenceOfBeacons.isEmpty, case .beacon(let beacon) = subject {
            silenceRules = rules.silenceOfBeacons[beacon] ?? rules.silence
        }
        silence = reception.silence(silenceRules, prior: prior)
    }

    private mutating func take(_ reading: Reading, at time: Timestamp, offset: Double, rules: DistanceRules) {
        samples += 1
        if let power = reading.measuredPower { measuredPower = Double(power) }
        guard let rssi = reading.rssi.flatMap({ RSSI(dBm: $0) }), rssi.isPlausible else { return }
        histogram.add(rssi)
        self.offset += (offset - self.offset) / Double(samples)
        let corrected = Double(rssi.dBm) - offset
        if filter == nil { filter = RSSIFilter(corrected, at: time) } else { filter?.update(corrected, at: time) }
        guard let filter else { return }
        let (model, power) = model(rules)
        let posterior = model.posterior(rssi: filter.value, variance: filter.variance, measuredPower: power)
        distance = DistanceEstimate(posterior)
        proximity = proximity.next(posterior)
    }

    private func model(_ rules: DistanceRules) -> (DistanceModel, measuredPower: Double?) {
        guard case .beacon(let beacon) = subject else { return (rules.phones, measuredPower) }
        var model = rules.beacons
        guard !rules.calibration.beacons.isEmpty, let row = rules.calibration.beacons[beacon] else {
            return (model, measuredPower)
        }
        if let exponent = row.exponent { model.exponent = exponent }
        return (model, row.measuredPower)
    }

    private func distanceOverall(
        _ summary: Interaction.RSSISummary?, _ rules: DistanceRules
    ) -> DistanceEstimate? {
        let (model, power) = model(rules)
        return summary.map { model.estimate(rssi: Double($0.median) - offset, variance: 0, measuredPower: power) }
    }
}
