import Advertisement
import BeaconModel
import HCI
import IngestC
import Proximity

/// The whole way of received packets to interactions, by a clock that goes on.
final class Presence {
    private var tracker: InteractionTracker
    private var reader = ReportReader()
    /// Simulated time since the corpus' start.
    private(set) var elapsed: Duration = .zero
    /// Interactions that began, went on or ended.
    private(set) var events = 0
    private(set) var started = 0
    /// Seconds whose signals were given.
    private(set) var signals = 0

    /// - Parameter hasSignals: whether signals are given, second by second.
    init(hasSignals: Bool = false) {
        var rules = InteractionRules()
        rules.hasSignals = hasSignals
        tracker = InteractionTracker(rules: rules)
    }

    var count: Int { tracker.count }
    var refusals: Refusals { tracker.refusals }

    /// Takes a batch in whose packets take `length`.
    func take(_ batch: HCIPacketBatch, length: Duration) {
        let shift = elapsed
        var known = 0
        var begun = 0
        _ = reader.forEachAdvertisement(in: batch) { report, data in
            guard let identity = AdvertisingData.decode(data).identity else { return }
            var report = report
            report.time = report.time + shift
            for event in tracker.observe(Sighting(report: report, identity: identity)) {
                known &+= 1
                if event.kind == .started { begun &+= 1 }
            }
        }
        events += known
        started += begun
        signals += tracker.takeSignals().count
        elapsed += length
    }
}

/// Memory that is asked for between records.
struct AllocationCount {
    private(set) var reports = 0
    private(set) var inReports: UInt64 = 0
    private(set) var records = 0
    private(set) var withRecords: UInt64 = 0

    /// - Parameter passes: so many times the corpus; those in which no record is due count as steady.
    init(_ presence: Presence, _ batch: HCIPacketBatch, length: Duration, passes: Int) {
        for _ in 0..<passes {
            let events = presence.events
            let before = ingest_allocations()
            presence.take(batch, length: length)
            let allocations = ingest_allocations() - before
            if presence.events == events {
                reports += batch.count
                inReports += allocations
            } else {
                records += presence.events - events
                withRecords += allocations
            }
        }
    }
}

/// A flood of invented beacons beside the corpus: 30,000 of them a second, each heard once.
struct FloodMeasurement {
    /// Nanoseconds of processor time for a report of the flood.
    private(set) var nanoseconds = 0.0
    /// What the process held more after it than before, in bytes.
    private(set) var growth = 0
    private(set) var allocations: UInt64 = 0
    private(set) var started = 0
    static let perSecond = 30_000

    init(_ presence: Presence, _ corpus: HCIPacketBatch, length: Duration, seconds: Int) {
        var random = Generator(state: 0x0DDB_1A5E_5BAD_5EED)
        var times: [Double] = []
        let startedBefore = presence.started
        let held = ingest_allocated_bytes()
        for second in 0..<seconds {
            let batch = Self.batch(&random)
            let before = ingest_allocations()
            let start = Rounds.processorTime()
            presence.take(batch, length: .seconds(1))
            times.append((Rounds.processorTime() - start) / Double(Self.perSecond))
            // The first few begin interactions before it is known for a flood.
            if second > 0 { allocations += ingest_allocations() - before }
            // Those who are here go on to be heard.
            presence.take(corpus, length: length)
        }
        growth = Int(clamping: ingest_allocated_bytes()) - Int(clamping: held)
        started = presence.started - startedBefore
        nanoseconds = times.sorted()[times.count / 2]
    }

    private static func batch(_ random: inout Generator) -> HCIPacketBatch {
        var batch = HCIPacketBatch()
        for index in 0..<perSecond {
            let beacon = BeaconID(
                uuid: Corpus.badges, major: UInt16(truncatingIfNeeded: random.next() >> 20) | 0x8000,
                minor: UInt16(truncatingIfNeeded: random.next() >> 20))
            let packet = Corpus.legacy(
                IBeacon.advertisingData(beacon, measuredPower: -59), random.bytes(6), 0xC0, 0x03)
            batch.append(
                packet, time: Corpus.start + .microseconds(1_000_000 / perSecond * index), adapter: Corpus.adapter)
        }
        return batch
    }
}
