import Advertisement
package import BeaconModel
package import HCI
package import Integrations
package import ModuleDialogues
package import Proximity

/// Turns received packets into interactions: decodes them, drops unlisted devices and tracks the rest. Pure.
package struct Ingest: Sendable {
    private let audience: Audience
    private var reader = ReportReader()
    private var tracker: InteractionTracker
    package private(set) var counts = IngestCounts()
    /// Watches for the beacons of our own modules.
    private var air: AirWatch
    private var airEvents: [AirWatch.Event] = []
    /// Devices that the adapters hear continuously, by which a silent adapter becomes suspect.
    private var hearing = HearingWatch()
    /// Phone codes learned by exchange.
    private var phones: PhoneCodes
    /// Calibration from our own fixed beacons, for the receivers and the building; `nil` where positions are not known.
    private var calibration: AutomaticCalibration?
    private let measured: Calibration
    /// Our own modules, by beacon.
    private var modules: [BeaconID: OwnModule]
    /// Configured offsets of the receivers in use, in dB.
    private var measuredOffsets: [Adapter: Double] = [:]
    /// Number of calibration periods already applied.
    private var calibrated: UInt64 = 0
    /// Distance watch for badges; `nil` where no social-distance alerts are configured.
    private var socialDistance: SocialDistanceWatch?
    private var socialDistanceEvents: [SocialDistanceEvent] = []
    /// Time of the last badge comparison.
    private var comparedAt = Timestamp.epoch
    /// Beacons that are mounted in place and not carried.
    private var fixed: Set<BeaconID>
    /// Decoding counts of named beacons; `nil` where no output publishes them.
    private var decodings: DecodingTally?

    /// - Parameters:
    ///   - ownBeacons: the beacons of our own modules.
    ///   - modules: the modules themselves. A packet that differs from them under the same identity comes from another
    ///     device.
    ///   - exchangeApps: the apps whose phones are asked for their codes.
    ///   - calibration: learns from beacons whose distance is known.
    ///   - socialDistance: when two badges are too near each other.
    ///   - fixed: beacons that are not badges.
    ///   - decodings: counts decoded packets.
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

    /// Processes a batch and returns the resulting events.
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

    /// Records that the adapter received everything transmitted until `time`.
    package mutating func heard(by adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        airEvents += air.advance(to: time)
        compareBadges(at: time)
        return tracker.heard(by: adapter, until: time)
    }

    /// Applies a change in an adapter's condition or number.
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

    /// Records that the adapter has been deaf for the given duration.
    package mutating func deaf(_ adapter: Adapter, for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        compareBadges(at: time)
        return tracker.deaf(adapter, for: deafness, at: time)
    }

    /// Discards what the adapter used to hear as the measure of its silence.
    package mutating func forgetHearing(_ adapter: Adapter) { hearing.forget(adapter) }

    /// Returns the suspicion that a silent adapter raises.
    package func suspicion(of adapter: Adapter, silentFor silence: Duration) -> HearingWatch.Suspicion? {
        hearing.suspicion(of: adapter, silentFor: silence)
    }

    /// Records that the radio failed: what our modules transmit is unknown.
    package mutating func becomeDeaf() { airEvents += air.becomeDeaf() }

    /// Returns the events about our own modules' beacons since the last call.
    package mutating func takeAirEvents() -> [AirWatch.Event] {
        defer { airEvents.removeAll() }
        return airEvents
    }

    /// Returns the phones heard since the last call that can be asked for their codes.
    package mutating func takeSightings() -> [ExchangeSighting] { phones.takeSightings() }

    package mutating func learn(_ learned: [LearnedCode]) { phones.learn(learned) }

    package mutating func listen(for ownBeacons: [BeaconID: AdvertisingInterval], modules: [BeaconID: OwnModule] = [:])
    {
        self.modules = modules
        airEvents += air.listen(for: ownBeacons, modules: modules.compactMapValues(\.address))
        fixed.formUnion(ownBeacons.keys)
        tracker.expect(Set(ownBeacons.keys))
    }

    /// Interactions in progress, one for each present subject.
    package var present: [Interaction] { tracker.present }

    /// Sets the beacons whose packets are counted, where decodings are counted at all.
    package mutating func countDecodings(of beacons: Set<BeaconID>) { decodings?.listen(for: beacons) }

    /// Returns the decoding counts since the last call.
    package mutating func takeDecodings() -> [BeaconDecodings] { decodings?.take() ?? [] }

    /// Whether alerts are waiting to be taken.
    package var hasSocialDistanceEvents: Bool { !socialDistanceEvents.isEmpty }

    /// Returns the alerts since the last call.
    package mutating func takeSocialDistanceEvents() -> [SocialDistanceEvent] {
        defer { socialDistanceEvents.removeAll() }
        return socialDistanceEvents
    }

    /// Returns the readings of the intervals that have ended since the last call.
    package mutating func takeReadings() -> [Readings] { tracker.takeReadings() }

    /// Advances the time without implying that anything was received.
    package mutating func passes(_ time: Timestamp) { tracker.passes(time) }

    /// Returns the presence to persist.
    package func kept(boot: UInt64) -> KeptPresence {
        KeptPresence(boot: boot, tracker: tracker.state, calibration: calibration?.state)
    }

    /// Returns the subjects heard within the given time before the last report.
    package func heard(within time: Duration) -> TrackerNote {
        tracker.heard(since: (counts.lastReportAt ?? .epoch) + (.zero - time))
    }

    /// Resumes from the persisted presence of the previous run.
    ///
    /// - Returns: the interactions that have ended since then.
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

    /// Records that no adapter has been present for the given duration since the start.
    package mutating func deafEverywhere(for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        tracker.deafEverywhere(for: deafness, at: time)
    }

    /// Assigns resumed subjects to the adapters that have been opened.
    package mutating func adopt(by adapters: [Adapter]) { tracker.adopt(by: adapters) }

    /// Ends all interactions at `time`, or at the time of the last report if `time` is `nil`.
    package mutating func endAll(at time: Timestamp?, reason: Interaction.EndReason) -> [InteractionEvent] {
        if let watch = socialDistance {
            var watch = watch
            socialDistanceEvents += watch.endAll(at: time ?? counts.lastReportAt ?? .epoch)
            socialDistance = watch
        }
        return tracker.endAll(at: time ?? counts.lastReportAt ?? .epoch, reason: reason)
    }

    /// Sets an adapter's offset: the configured value plus the one learned from beacons at known distances.
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

    /// Interval between badge comparisons.
    private static let comparing: Duration = .seconds(1)

    /// Whether a packet comes from one of our own modules and is not a copy.
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
        // Modules never advertise anonymously. The octets in place of an address would be mistaken for another device's
        // address.
        if report.addressKind != .anonymous, case .iBeacon(let beacon, let power)? = decoded.identity {
            isOwn = air.listens(for: beacon)
            news = air.observe(
                beacon, measuredPower: power, address: report.address, rssi: report.rssi, at: report.time)
            // A copy of a module, at any power, would shift the distances of all subjects.
            if isOwn, let rssi = report.rssi, isOfModule(beacon, power, report.address) {
                // The receiver's configured offset is already known, so it must not be learned again.
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
        // A device that cannot be tracked is only counted by kind.
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

/// Subjects whose interactions are tracked and published.
package struct Audience: Equatable, Sendable {
    /// Listed proximity UUIDs; `nil`: every beacon.
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
