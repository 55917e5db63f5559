import Advertisement
package import BeaconModel
package import HCI
package import Integrations
package import ModuleDialogues
package import Proximity

/// Turns received packets into interactions: decodes them, drops unlisted devices and tracks the rest. Pure.
///
/// Each input appends its results to an `IngestOutput`.
package struct Ingest: Sendable {
    private let audience: Audience
    private var reader = ReportReader()
    private var tracker: InteractionTracker
    package private(set) var counts = IngestCounts()
    /// Watches for the beacons of our own modules.
    private var air: AdvertisingWatch
    /// Devices that the adapters hear continuously, by which a silent adapter becomes suspect.
    private var hearing = HearingWatch()
    /// Phone codes learned by exchange.
    private var phones: PhoneCodes
    /// Configured and learned corrections of what the adapters measure.
    private var corrections: ReceiverCorrections
    /// Our own modules, by beacon.
    private var modules: [BeaconID: OwnModule]
    /// Comparison of the badges; `nil` where no social-distance alerts are configured.
    private var badges: BadgeComparison?
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
        corrections = ReceiverCorrections(rules.distance.calibration, automatic: calibration)
        badges = socialDistance.map { BadgeComparison(rules: $0, fixed: fixed.union(ownBeacons.keys)) }
        self.decodings = decodings
        self.modules = modules
        phones = PhoneCodes(apps: exchangeApps)
        air = AdvertisingWatch(ownBeacons)
        _ = air.listen(for: ownBeacons, modules: modules.compactMapValues(\.address))
        tracker = InteractionTracker(rules: rules)
        tracker.expect(Set(ownBeacons.keys))
        corrections.setExponent(of: &tracker)
        counts.calibration = corrections.status
    }

    /// Ingest of a configured gateway.
    package init(_ configuration: Configuration, audience: Audience) {
        self.init(
            audience: audience, rules: configuration.rules, exchangeApps: configuration.exchange.rules.apps,
            calibration: configuration.calibration(resuming: nil), socialDistance: configuration.socialDistance,
            fixed: configuration.fixedBeacons,
            decodings: configuration.outputs.raddec == nil ? nil : DecodingTally())
    }

    // MARK: Reception

    /// Processes a batch of packets.
    package mutating func receive(_ batch: HCIPacketBatch, into output: inout IngestOutput) {
        counts.droppedPackets += UInt64(clamping: batch.droppedPackets)
        var reader = reader
        let defects = reader.forEachAdvertisement(in: batch) { report, data in
            if let sighting = sight(report, data, into: &output) {
                output.events += tracker.observe(sighting)
            } else {
                output.events += tracker.received(by: report.adapter, at: report.time)
            }
            if corrections.areLearned, corrections.advance(to: report.time, &tracker) {
                counts.calibration = corrections.status
            }
            if badges != nil { compareBadges(at: report.time, into: &output) }
        }
        self.reader = reader
        for (defect, count) in defects { counts.defects[defect.rawValue, default: 0] += UInt64(count) }
        if let time = batch.lastTime { output.ownBeacons += air.advance(to: time) }
        counts.refusals = tracker.refusals
        counts.forgottenReadings = tracker.forgottenReadings
        collectIntervals(into: &output)
    }

    /// Records that the adapter received everything transmitted until `time`.
    package mutating func heard(by adapter: Adapter, until time: Timestamp, into output: inout IngestOutput) {
        output.ownBeacons += air.advance(to: time)
        compareBadges(at: time, into: &output)
        output.events += tracker.heard(by: adapter, until: time)
        collectIntervals(into: &output)
    }

    /// Advances the time without implying that anything was received.
    package mutating func passes(_ time: Timestamp, into output: inout IngestOutput) {
        tracker.passes(time)
        collectIntervals(into: &output)
    }

    // MARK: Adapters

    /// Applies a change in an adapter's condition or number.
    package mutating func follow(
        _ state: RadioState, before: RadioState?, at time: Timestamp, into output: inout IngestOutput
    ) {
        if let before, before.mode != nil, before.adapter != state.adapter {
            tracker.renumber(before.adapter, to: state.adapter)
        }
        guard state.mode != nil else { return }
        corrections.open(state.adapter, address: state.address, &tracker)
        if state.condition == .deaf {
            tracker.becameDeaf(state.adapter, at: time)
        } else {
            tracker.hearsAgain(state.adapter, at: time)
        }
        collectIntervals(into: &output)
    }

    /// Records that the adapter has been deaf for the given duration.
    package mutating func deaf(
        _ adapter: Adapter, for deafness: Duration, at time: Timestamp, into output: inout IngestOutput
    ) {
        compareBadges(at: time, into: &output)
        output.events += tracker.deaf(adapter, for: deafness, at: time)
        collectIntervals(into: &output)
    }

    /// Records that no adapter has been present for the given duration since the start.
    package mutating func deafEverywhere(
        for deafness: Duration, at time: Timestamp, into output: inout IngestOutput
    ) {
        output.events += tracker.deafEverywhere(for: deafness, at: time)
        collectIntervals(into: &output)
    }

    /// Records that the radio failed: what our modules transmit is unknown.
    package mutating func becomeDeaf(into output: inout IngestOutput) { output.ownBeacons += air.becomeDeaf() }

    /// Assigns resumed subjects to the adapters that have been opened.
    package mutating func adopt(by adapters: [Adapter]) { tracker.adopt(by: adapters) }

    /// Returns the suspicion that a silent adapter raises.
    package func suspicion(of adapter: Adapter, silentFor silence: Duration) -> HearingWatch.Suspicion? {
        hearing.suspicion(of: adapter, silentFor: silence)
    }

    /// Discards what the adapter used to hear as the measure of its silence.
    package mutating func forgetHearing(_ adapter: Adapter) { hearing.forget(adapter) }

    // MARK: Knowledge from elsewhere

    /// Sets the beacons of our own modules.
    package mutating func listen(
        for ownBeacons: [BeaconID: AdvertisingInterval], modules: [BeaconID: OwnModule] = [:],
        into output: inout IngestOutput
    ) {
        self.modules = modules
        output.ownBeacons += air.listen(for: ownBeacons, modules: modules.compactMapValues(\.address))
        badges?.exclude(ownBeacons.keys)
        tracker.expect(Set(ownBeacons.keys))
    }

    /// Sets the code of a phone that was asked for it.
    package mutating func learn(_ phone: LearnedCode) { phones.learn(phone) }

    /// Sets the beacons whose packets are counted, where decodings are counted at all.
    package mutating func countDecodings(of beacons: Set<BeaconID>) { decodings?.listen(for: beacons) }

    /// Sets whether there are signals.
    package mutating func setSignals(_ isOn: Bool) { tracker.setSignals(isOn) }

    /// Returns the decoding counts of the interval that ends now, and begins another.
    package mutating func finishDecodings() -> [BeaconDecodings] { decodings?.take() ?? [] }

    // MARK: Presence

    /// Interactions in progress, one for each present subject.
    package var present: [Interaction] { tracker.present }
    /// Number of interactions in progress.
    package var presentCount: Int { tracker.count }

    /// Returns the presence to persist.
    package func kept(boot: UInt64) -> PersistedPresence {
        PersistedPresence(boot: boot, tracker: tracker.state, calibration: corrections.state)
    }

    /// Returns the subjects heard within the given time before the last report.
    package func heard(within time: Duration) -> TrackerNote {
        tracker.heard(since: (counts.lastReportAt ?? .epoch) + (.zero - time))
    }

    /// Resumes from the persisted presence of the previous run. The events are of interactions that have ended since
    /// then.
    ///
    /// - Parameter calibration: the calibration of that run.
    package mutating func resume(
        _ kept: PersistedPresence, calibration: AutomaticCalibration?, rules: InteractionRules, at time: Timestamp,
        into output: inout IngestOutput
    ) {
        corrections.resume(calibration)
        counts.calibration = corrections.status
        let known = tracker.expected
        let (resumed, events) = InteractionTracker.resuming(kept.tracker, ofRun: kept.boot, rules: rules, at: time)
        tracker = resumed
        tracker.expect(known)
        corrections.setExponent(of: &tracker)
        output.events += events
        collectIntervals(into: &output)
    }

    /// Ends all interactions at `time`, or at the time of the last report if `time` is `nil`.
    package mutating func endAll(
        at time: Timestamp?, reason: Interaction.EndReason, into output: inout IngestOutput
    ) {
        let time = time ?? counts.lastReportAt ?? .epoch
        badges?.endAll(at: time, into: &output)
        output.events += tracker.endAll(at: time, reason: reason)
        collectIntervals(into: &output)
    }

    // MARK: Parts

    private mutating func collectIntervals(into output: inout IngestOutput) {
        output.readings += tracker.takeReadings()
        output.signals += tracker.takeSignals()
    }

    private mutating func compareBadges(at time: Timestamp, into output: inout IngestOutput) {
        guard badges?.isDue(at: time) == true else { return }
        badges?.compare(tracker.present, at: time, into: &output)
    }

    /// Whether a packet comes from one of our own modules and is not a copy.
    private func isOfModule(_ beacon: BeaconID, _ power: Int8, _ address: BluetoothAddress) -> Bool {
        guard let module = modules[beacon], module.measuredPower == power else { return false }
        return module.address.map { $0 == address } ?? !air.isCopied(beacon)
    }

    private mutating func sight(
        _ report: AdvertisingReport, _ data: Span<UInt8>, into output: inout IngestOutput
    ) -> Sighting? {
        counts.reports += 1
        counts.lastReportAt = report.time
        let decoded = AdvertisingData.decode(data)
        if let defect = decoded.defect { counts.defects[defect.rawValue, default: 0] += 1 }
        var isOwn = false
        defer { hearing.observe(report, isCanary: isOwn) }
        let news: [AdvertisingWatch.Event]
        // Modules never advertise anonymously. The octets in place of an address would be mistaken for another device's
        // address.
        if report.addressKind != .anonymous, case .iBeacon(let beacon, let power)? = decoded.identity {
            isOwn = air.listens(for: beacon)
            news = air.observe(
                beacon, measuredPower: power, address: report.address, rssi: report.rssi, at: report.time)
            // A copy of a module, at any power, would shift the distances of all subjects.
            if isOwn, let rssi = report.rssi, isOfModule(beacon, power, report.address) {
                corrections.observe(beacon, measuredPower: power, adapter: report.adapter, rssi: rssi, at: report.time)
            }
        } else {
            news = air.heardSomething(at: report.time)
        }
        if !news.isEmpty { output.ownBeacons += news }
        guard let identity = decoded.identity else {
            counts.unknown += 1
            if let company = decoded.company { counts.unknownByCompany.add(company) }
            return nil
        }
        counts.kinds[identity.kind] += 1
        let sighting = Sighting(report: report, identity: phones.resolve(identity, report, into: &output))
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
