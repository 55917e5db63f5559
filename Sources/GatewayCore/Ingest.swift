import Advertisement
package import BeaconModel
package import HCI
package import Integrations
package import ModuleDialogues
package import Proximity

/// From received packets to interactions: decodes, leaves strangers out, follows the rest. Pure.
package struct Ingest: Sendable {
    private let audience: Audience
    private var reader = ReportReader()
    private var tracker: InteractionTracker
    package private(set) var counts = IngestCounts()
    /// Listens for the beacons of our own modules.
    private var air: AirWatch
    private var airEvents: [AirWatch.Event] = []
    /// Whom the adapters hear all the time.
    private var hearing = HearingWatch()
    /// What is known of phones by exchanges with them.
    private var phones: PhoneCodes
    /// What our own fixed beacons say of the receivers and the building; `nil` where positions aren't known.
    private var calibration: AutomaticCalibration?
    private let measured: Calibration
    /// Our own modules by their beacons.
    private var modules: [BeaconID: OwnModule]
    /// Of the receivers there are, in dB.
    private var measuredOffsets: [Adapter: Double] = [:]
    /// Its periods that have been taken over.
    private var calibrated: UInt64 = 0
    /// Of whom badges are told to keep apart; `nil` where nobody is.
    private var socialDistance: SocialDistanceWatch?
    private var socialDistanceEvents: [SocialDistanceEvent] = []
    /// When badges were last compared.
    private var comparedAt = Timestamp.epoch
    /// Those that hang somewhere, and aren't carried.
    private var fixed: Set<BeaconID>
    /// What is decoded of named beacons; `nil` where nobody is told.
    private var decodings: DecodingTally?

    /// - Parameters:
    ///   - ownBeacons: those of our own modules.
    ///   - modules: the modules themselves; whoever says otherwise in their name is somebody else.
    ///   - exchangeApps: those whose phones are asked for their codes.
    ///   - calibration: learns from beacons whose distance is known.
    ///   - socialDistance: when two badges are too near each other.
    ///   - fixed: beacons that are no badges.
    ///   - decodings: counts what is decoded.
    package init(
        audience: Audience, rules: InteractionRules, ownBeacons: [BeaconID: AdvertisingInterval] = [:],
        modules: [BeaconID: OwnModule] = [:],
        exchangeApps: Set<ContactApp> = [], calibration: AutomaticCalibration? = nil,
        socialDistance: SocialDistanceRules? = nil, fixed: Set<BeaconID> = [],
        decodings: DecodingTally? = nil
    ) {
        self.audience = audience
        self.calibration = calibration
        self.socialDistance = socialDistance.map { SocialDistanceWatch(rules: $0) }
        self.fixed = fixed.union(ownBeacons.keys)
        self.decodings = decodings
        measured = rules.distance.calibration
        self.modules = modules
        phones = PhoneCodes(apps: exchangeApps)
        air = AirWatch(ownBeacons)
        _ = air.listen(for: ownBeacons, modules: modules.compactMapValues(\.address))
        tracker = InteractionTracker(rules: rules)
        tracker.expect(Set(ownBeacons.keys))
        if let calibration { tracker.setExponent(calibration.exponent) }
        counts.calibration = calibration?.status
    }

    /// Takes a batch in; gives what became known by it.
    package mutating func receive(_ batch: HCIPacketBatch) -> [InteractionEvent] {
        var events: [InteractionEvent] = []
        counts.droppedPackets += UInt64(clamping: batch.droppedPackets)
        var reader = reader
        let defects = reader.forEachAdvertisement(in: batch) { report, data in
            if let sighting = sight(report, data) {
                events += tracker.observe(sighting)
            } else {
                events += tracker.received(by: report.adapter, at: report.time)
            }
            if calibration != nil { calibrate(until: report.time) }
            if socialDistance != nil { compareBadges(at: report.time) }
        }
        self.reader = reader
        for (defect, count) in defects { counts.defects[defect.rawValue, default: 0] += UInt64(count) }
        if let time = batch.lastTime { airEvents += air.advance(to: time) }
        counts.refusals = tracker.refusals
        counts.forgottenReadings = tracker.forgottenReadings
        return events
    }

    /// Says that the adapter heard whatever there was until `time`.
    package mutating func heard(by adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        airEvents += air.advance(to: time)
        compareBadges(at: time)
        return tracker.heard(by: adapter, until: time)
    }

    /// Says how an adapter's hearing has changed, and its number.
    package mutating func follow(_ state: RadioState, before: RadioState?, at time: Timestamp) {
        if let before, before.mode != nil, before.adapter != state.adapter {
            tracker.renumber(before.adapter, to: state.adapter)
        }
        guard state.mode != nil else { return }
        setOffset(of: state.adapter, address: state.address)
        if state.condition == .deaf {
            tracker.becameDeaf(state.adapter, at: time)
        } else {
            tracker.hearsAgain(state.adapter, at: time)
        }
    }

    /// Says that the adapter has been deaf for so long.
    package mutating func deaf(_ adapter: Adapter, for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        compareBadges(at: time)
        return tracker.deaf(adapter, for: deafness, at: time)
    }

    /// What the adapter used to hear is no measure any more.
    package mutating func forgetHearing(_ adapter: Adapter) { hearing.forget(adapter) }

    /// What is to be thought of an adapter that hears nothing.
    package func suspicion(of adapter: Adapter, silentFor silence: Duration) -> HearingWatch.Suspicion? {
        hearing.suspicion(of: adapter, silentFor: silence)
    }

    /// The radio failed: what is on the air isn't known.
    package mutating func becomeDeaf() { airEvents += air.becomeDeaf() }

    /// What became known of our own modules' beacons since it was last asked.
    package mutating func takeAirEvents() -> [AirWatch.Event] {
        defer { airEvents.removeAll() }
        return airEvents
    }

    /// Phones to ask for their codes, of those who were heard since it was last asked.
    package mutating func takeSightings() -> [ExchangeSighting] { phones.takeSightings() }

    package mutating func learn(_ learned: [LearnedCode]) { phones.learn(learned) }

    package mutating func listen(for ownBeacons: [BeaconID: AdvertisingInterval], modules: [BeaconID: OwnModule] = [:])
    {
        self.modules = modules
        airEvents += air.listen(for: ownBeacons, modules: modules.compactMapValues(\.address))
        fixed.formUnion(ownBeacons.keys)
        tracker.expect(Set(ownBeacons.keys))
    }

    /// Everybody who is here now.
    package var present: [Interaction] { tracker.present }

    /// Has the packets of these beacons counted, where they are counted at all.
    package mutating func countDecodings(of beacons: Set<BeaconID>) { decodings?.listen(for: beacons) }

    /// What was decoded since it was last asked.
    package mutating func takeDecodings() -> [BeaconDecodings] { decodings?.take() ?? [] }

    /// Whether there are alerts that nobody has asked for.
    package var hasSocialDistanceEvents: Bool { !socialDistanceEvents.isEmpty }

    /// Alerts since it was last asked.
    package mutating func takeSocialDistanceEvents() -> [SocialDistanceEvent] {
        defer { socialDistanceEvents.removeAll() }
        return socialDistanceEvents
    }

    /// The readings of intervals that are over since it was last asked.
    package mutating func takeReadings() -> [Readings] { tracker.takeReadings() }

    /// Says that it is so late, and nothing of what was heard.
    package mutating func passes(_ time: Timestamp) { tracker.passes(time) }

    /// What is known of who is here, to be kept.
    package func kept(boot: UInt64) -> KeptPresence {
        KeptPresence(boot: boot, tracker: tracker.state, calibration: calibration?.state)
    }

    /// Who has been heard in this time.
    package func heard(within time: Duration) -> TrackerNote {
        tracker.heard(since: (counts.lastReportAt ?? .epoch) + (.zero - time))
    }

    /// Goes on where the run before left off.
    ///
    /// - Returns: what ended since then.
    package mutating func resume(_ kept: KeptPresence, rules: InteractionRules, at time: Timestamp)
        -> [InteractionEvent]
    {
        let known = tracker.expected
        let (resumed, events) = InteractionTracker.resuming(kept.tracker, ofRun: kept.boot, rules: rules, at: time)
        tracker = resumed
        tracker.expect(known)
        if let calibration { tracker.setExponent(calibration.exponent) }
        return events
    }

    /// Says that no adapter has been there for so long since the start.
    package mutating func deafEverywhere(for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        tracker.deafEverywhere(for: deafness, at: time)
    }

    /// Says which adapters have been opened.
    package mutating func adopt(by adapters: [Adapter]) { tracker.adopt(by: adapters) }

    /// Ends everything, as of `time` or, without one, of the last report.
    package mutating func endAll(at time: Timestamp?, reason: Interaction.EndReason) -> [InteractionEvent] {
        if let watch = socialDistance {
            var watch = watch
            socialDistanceEvents += watch.endAll(at: time ?? counts.lastReportAt ?? .epoch)
            socialDistance = watch
        }
        return tracker.endAll(at: time ?? counts.lastReportAt ?? .epoch, reason: reason)
    }

    /// What a person measured, and what the beacons of known distance say beside it.
    private mutating func setOffset(of adapter: Adapter, address: BluetoothAddress?) {
        let offset = address.flatMap { measured.receivers[$0]?.offset } ?? 0
        measuredOffsets[adapter] = offset
        tracker.setOffset(offset + (calibration?.offset(of: adapter) ?? 0), of: adapter)
    }

    private mutating func calibrate(until time: Timestamp) {
        guard calibration != nil else { return }
        calibration?.advance(to: time)
        guard let calibration, calibration.periods != calibrated else { return }
        calibrated = calibration.periods
        counts.calibration = calibration.status
        for (adapter, offset) in calibration.status.offsets {
            tracker.setOffset(measuredOffsets[adapter, default: 0] + offset, of: adapter)
        }
        tracker.setExponent(calibration.exponent)
    }

    private mutating func compareBadges(at time: Timestamp) {
        guard socialDistance != nil, time - comparedAt >= Self.comparing || time < comparedAt else { return }
        comparedAt = time
        let badges = tracker.present.compactMap {
            interaction -> (subject: BeaconID, distance: DistanceEstimate, lastSeenAt: Timestamp)? in
            guard case .beacon(let beacon) = interaction.subject, !fixed.contains(beacon),
                let distance = interaction.distance
            else { return nil }
            return (beacon, distance, interaction.lastSeenAt)
        }
        socialDistanceEvents += socialDistance?.update(badges, at: time) ?? []
    }

    /// How often badges are compared.
    private static let comparing: Duration = .seconds(1)

    /// Whether a packet is that of one of our own modules, and no copy of it.
    private func isOfModule(_ beacon: BeaconID, _ power: Int8, _ address: BluetoothAddress) -> Bool {
        guard let module = modules[beacon], module.measuredPower == power else { return false }
        return module.address.map { $0 == address } ?? !air.isCopied(beacon)
    }

    private mutating func sight(_ report: AdvertisingReport, _ data: Span<UInt8>) -> Sighting? {
        counts.reports += 1
        counts.lastReportAt = report.time
        let decoded = AdvertisingData.decode(data)
        if let defect = decoded.defect { counts.defects[defect.rawValue, default: 0] += 1 }
        var isOwn = false
        defer { hearing.observe(report, isCanary: isOwn) }
        let news: [AirWatch.Event]
        // A module doesn't advertise anonymously, and the octets in the place of an address would be taken for another's.
        if report.addressKind != .anonymous, case .iBeacon(let beacon, let power)? = decoded.identity {
            isOwn = air.listens(for: beacon)
            news = air.observe(
                beacon, measuredPower: power, address: report.address, rssi: report.rssi, at: report.time)
            // Copies of a module, with whatever power, would shift the distances of everybody.
            if isOwn, let rssi = report.rssi, isOfModule(beacon, power, report.address) {
                // What was measured of the receiver is no news.
                calibration?.observe(
                    beacon: beacon,
                    measuredPower: (measured.beacons[beacon]?.measuredPower ?? Double(power))
                        + measuredOffsets[report.adapter, default: 0],
                    adapter: report.adapter, rssi: rssi, at: report.time)
            }
        } else {
            news = air.heardSomething(at: report.time)
        }
        if !news.isEmpty { airEvents += news }
        guard let identity = decoded.identity else {
            counts.unknown += 1
            if let company = decoded.company { counts.unknownByCompany.add(company) }
            return nil
        }
        counts.kinds[identity.kind] += 1
        let sighting = Sighting(report: report, identity: phones.resolve(identity, report))
        // Whoever can't be followed is counted by kind, and that is all.
        guard let subject = sighting.subject else { return nil }
        guard audience.includes(subject) else {
            counts.unlisted += 1
            return nil
        }
        if decodings != nil, case .beacon(let beacon) = subject {
            decodings?.add(
                beacon, measuredPower: identity.measuredPower, adapter: report.adapter, rssi: report.rssi,
                at: report.time)
        }
        return sighting
    }
}

/// Whose interactions are followed and published.
package struct Audience: Equatable, Sendable {
    /// `nil`: every beacon.
    package var listedUUIDs: Set<ProximityUUID>?
    package var includesPhones: Bool

    package init(listedUUIDs: Set<ProximityUUID>? = nil, includesPhones: Bool) {
        self.listedUUIDs = listedUUIDs
        self.includesPhones = includesPhones
    }

    func includes(_ subject: Subject) -> Bool {
        switch subject {
        case .beacon(let beacon): listedUUIDs?.contains(beacon.uuid) ?? true
        case .exposureNotification, .contactApp, .contactUser: includesPhones
        }
    }
}
