import Advertisement
import BeaconModel
import BlueZScanner
import Exchange
import Proximity
import UARTConfig

/// From received packets to interactions: decodes, leaves strangers out, follows the rest. Pure.
struct Ingest: Sendable {
    private let audience: Audience
    private var reader = ReportReader()
    private var tracker: InteractionTracker
    private(set) var counts = IngestCounts()
    /// Listens for the beacons of our own modules.
    private var air: AirWatch
    private var airEvents: [AirWatch.Event] = []
    /// Whom the adapters hear all the time.
    private var hearing = HearingWatch()
    /// What is known of phones by exchanges with them.
    private var phones: PhoneCodes

    /// - Parameters:
    ///   - ownBeacons: those of our own modules.
    ///   - exchangeApps: those whose phones are asked for their codes.
    init(
        audience: Audience, rules: InteractionRules, ownBeacons: [BeaconID: AdvertisingInterval] = [:],
        exchangeApps: Set<ContactApp> = []
    ) {
        self.audience = audience
        phones = PhoneCodes(apps: exchangeApps)
        air = AirWatch(ownBeacons)
        tracker = InteractionTracker(rules: rules)
        tracker.expect(Set(ownBeacons.keys))
    }

    /// Takes a batch in; gives what became known by it.
    mutating func receive(_ batch: HCIPacketBatch) -> [InteractionEvent] {
        var events: [InteractionEvent] = []
        counts.droppedPackets += UInt64(clamping: batch.droppedPackets)
        var reader = reader
        let defects = reader.forEachAdvertisement(in: batch) { report, data in
            if let sighting = sight(report, data) {
                events += tracker.observe(sighting)
            } else {
                events += tracker.heard(by: report.adapter, until: report.time)
            }
        }
        self.reader = reader
        for (defect, count) in defects { counts.defects[defect.rawValue, default: 0] += UInt64(count) }
        if let time = batch.lastTime { airEvents += air.advance(to: time) }
        counts.refusals = tracker.refusals
        return events
    }

    /// Says that the adapter heard whatever there was until `time`.
    mutating func heard(by adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        airEvents += air.advance(to: time)
        return tracker.heard(by: adapter, until: time)
    }

    /// Says how an adapter's hearing has changed, and its number.
    mutating func follow(_ state: RadioState, before: RadioState?, at time: Timestamp) {
        if let before, before.mode != nil, before.adapter != state.adapter {
            tracker.renumber(before.adapter, to: state.adapter)
        }
        guard state.mode != nil else { return }
        if state.condition == .deaf {
            tracker.becameDeaf(state.adapter, at: time)
        } else {
            tracker.hearsAgain(state.adapter, at: time)
        }
    }

    /// Says that the adapter has been deaf for so long.
    mutating func deaf(_ adapter: Adapter, for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        tracker.deaf(adapter, for: deafness, at: time)
    }

    /// What the adapter used to hear is no measure any more.
    mutating func forgetHearing(_ adapter: Adapter) { hearing.forget(adapter) }

    /// What is to be thought of an adapter that hears nothing.
    func suspicion(of adapter: Adapter, silentFor silence: Duration) -> HearingWatch.Suspicion? {
        hearing.suspicion(of: adapter, silentFor: silence)
    }

    /// The radio failed: what is on the air isn't known.
    mutating func becomeDeaf() { airEvents += air.becomeDeaf() }

    /// What became known of our own modules' beacons since it was last asked.
    mutating func takeAirEvents() -> [AirWatch.Event] {
        defer { airEvents.removeAll() }
        return airEvents
    }

    /// Phones to ask for their codes, of those who were heard since it was last asked.
    mutating func takeSightings() -> [ExchangeSighting] { phones.takeSightings() }

    mutating func learn(_ learned: [ExchangeService.Learned]) { phones.learn(learned) }

    mutating func listen(for ownBeacons: [BeaconID: AdvertisingInterval]) {
        airEvents += air.listen(for: ownBeacons)
        tracker.expect(Set(ownBeacons.keys))
    }

    /// Ends everything, as of `time` or, without one, of the last report.
    mutating func endAll(at time: Timestamp?, reason: Interaction.EndReason) -> [InteractionEvent] {
        tracker.endAll(at: time ?? counts.lastReportAt ?? .epoch, reason: reason)
    }

    private mutating func sight(_ report: AdvertisingReport, _ data: Span<UInt8>) -> Sighting? {
        counts.reports += 1
        counts.lastReportAt = report.time
        let decoded = AdvertisingData.decode(data)
        if let defect = decoded.defect { counts.defects[defect.rawValue, default: 0] += 1 }
        var isOwn = false
        defer { hearing.observe(report, isCanary: isOwn) }
        let news: [AirWatch.Event]
        if case .iBeacon(let beacon, let power)? = decoded.identity {
            isOwn = air.listens(for: beacon)
            news = air.observe(
                beacon, measuredPower: power, address: report.address, rssi: report.rssi, at: report.time)
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
        return sighting
    }
}

/// Whose interactions are followed and published.
struct Audience: Equatable, Sendable {
    /// `nil`: every beacon.
    var listedUUIDs: Set<ProximityUUID>?
    var includesPhones: Bool

    func includes(_ subject: Subject) -> Bool {
        switch subject {
        case .beacon(let beacon): listedUUIDs?.contains(beacon.uuid) ?? true
        case .exposureNotification, .contactApp, .contactUser: includesPhones
        }
    }
}
