import Advertisement
import BeaconModel
import BlueZScanner
import Proximity
import UARTConfig

/// From received packets to interactions: decodes, leaves strangers out, follows the rest. Pure.
struct Ingest: Sendable {
    private let audience: Audience
    private var tracker: InteractionTracker
    private(set) var counts = IngestCounts()
    /// Listens for the beacons of our own modules.
    private var air: AirWatch
    private var airEvents: [AirWatch.Event] = []
    /// Whom the adapters hear all the time.
    private var hearing = HearingWatch()

    /// - Parameter ownBeacons: those of our own modules.
    init(audience: Audience, rules: InteractionRules, ownBeacons: [BeaconID: AdvertisingInterval] = [:]) {
        self.audience = audience
        air = AirWatch(ownBeacons)
        tracker = InteractionTracker(rules: rules)
    }

    /// Takes a batch in; gives what became known by it.
    mutating func receive(_ batch: HCIPacketBatch) -> [InteractionEvent] {
        var events: [InteractionEvent] = []
        counts.droppedPackets += UInt64(clamping: batch.droppedPackets)
        let defects = batch.forEachReport { report, data in
            if let sighting = sight(report, data) {
                events += tracker.observe(sighting)
            } else {
                events += tracker.heard(by: report.adapter, until: report.time)
            }
        }
        for (defect, count) in defects { counts.defects[defect.rawValue, default: 0] += UInt64(count) }
        if let time = batch.lastTime { airEvents += air.advance(to: time) }
        counts.refused = tracker.refusedSightings
        return events
    }

    /// Says that the adapter heard whatever there was until `time`.
    mutating func heard(by adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        airEvents += air.advance(to: time)
        return tracker.heard(by: adapter, until: time)
    }

    /// Says that the adapter has been deaf until `time`.
    mutating func deaf(_ adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        tracker.deaf(adapter, until: time)
    }

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

    mutating func listen(for ownBeacons: [BeaconID: AdvertisingInterval]) {
        airEvents += air.listen(for: ownBeacons)
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
            return nil
        }
        switch identity {
        case .iBeacon(let beacon, _):
            counts.iBeacons += 1
            guard audience.includes(beacon.uuid) else {
                counts.unlisted += 1
                return nil
            }
        case .exposureNotification:
            counts.exposureNotifications += 1
            guard audience.includesPhones else {
                counts.unlisted += 1
                return nil
            }
        }
        return Sighting(report: report, identity: identity)
    }
}

/// Whose interactions are followed and published.
struct Audience: Equatable, Sendable {
    /// `nil`: every beacon.
    var listedUUIDs: Set<ProximityUUID>?
    var includesPhones: Bool

    func includes(_ uuid: ProximityUUID) -> Bool { listedUUIDs?.contains(uuid) ?? true }
}

/// What was received, by what became of it.
struct IngestCounts: Equatable, Sendable {
    var reports: UInt64 = 0
    var iBeacons: UInt64 = 0
    var exposureNotifications: UInt64 = 0
    /// Of no known kind.
    var unknown: UInt64 = 0
    /// Strangers': not listed in the configuration.
    var unlisted: UInt64 = 0
    /// Came when the table of those who are followed was full.
    var refused: UInt64 = 0
    /// Lost because this process was too slow.
    var droppedPackets: UInt64 = 0
    /// Malformed, by kind of defect.
    var defects: [String: UInt64] = [:]
    var lastReportAt: Timestamp?
}
