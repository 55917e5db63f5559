package import BeaconModel
import GatewayCore
import OperatorText
import Proximity

/// Table that `scan` shows in a terminal: the subjects that are present, and totals of what was received. Pure.
package struct ScanTable {
    private var tracker: InteractionTracker
    private var latestRSSI: [Subject: RSSI] = [:]
    private var samplesBefore: [UInt64: UInt64] = [:]
    private var shownAt: Timestamp?
    private var reports: UInt64 = 0
    private var others: UInt64 = 0
    /// Counters of recognised kinds that are not tracked.
    private var unfollowed = KindCounts()

    /// Line width with full UUIDs.
    private static let fullWidth = 120

    /// Creates an empty table.
    ///
    /// - Parameter silence: subjects that are silent for longer are no longer shown.
    package init(silence: Duration) {
        var rules = InteractionRules()
        rules.silence = .fixed(silence)
        rules.longest = .seconds(1_000_000_000)
        tracker = InteractionTracker(rules: rules)
    }

    package mutating func add(_ report: AdvertisingReport, _ identity: AdvertisedIdentity?) {
        reports += 1
        guard let identity else {
            others += 1
            return
        }
        let sighting = Sighting(report: report, identity: identity)
        guard let subject = sighting.subject else {
            unfollowed[identity.kind] += 1
            return
        }
        for event in tracker.observe(sighting) where event.kind == .ended {
            latestRSSI[event.interaction.subject] = nil
        }
        // Bounded: no more subjects than the tracker tracks.
        if latestRSSI[subject] != nil || latestRSSI.count < tracker.count { latestRSSI[subject] = report.rssi }
    }

    package mutating func advance(to time: Timestamp) {
        for event in tracker.advance(to: time) { latestRSSI[event.interaction.subject] = nil }
    }

    /// Returns the table as of `now`, with at most `limit` beacons, in lines of `width` characters. Rates are measured
    /// since the last call; at the first call, over the time in which the beacon was heard.
    package mutating func lines(now: Timestamp, limit: Int, width: Int) -> [String] {
        let present = tracker.present
        let elapsed = shownAt.map { (now - $0).inSeconds }
        var table = TextTable([
            ("BEACON", .left), ("RSSI", .right), ("DISTANCE", .right), ("90 % BETWEEN", .right), ("PROXIMITY", .left),
            ("PER S", .right), ("AGE", .right),
        ])
        for interaction in present.prefix(limit) {
            let rate = reportsPerSecond(interaction, elapsed).map { Format.fixed($0, 1) } ?? "-"
            table.add([
                width < Self.fullWidth ? interaction.subject.shortLabel : interaction.subject.label,
                latestRSSI[interaction.subject].map { "\($0.dBm) dBm" } ?? "-",
                interaction.distance.map { "\(Format.fixed($0.metres, 1)) m" } ?? "-",
                interaction.distance.map { "\(Format.fixed($0.lower, 1)) - \(Format.fixed($0.upper, 1)) m" } ?? "-",
                interaction.proximity.name, rate,
                "\(Format.fixed(max(0, (now - interaction.lastSeenAt).inSeconds), 0)) s",
            ])
        }
        samplesBefore = Dictionary(uniqueKeysWithValues: present.map { ($0.number, $0.samples) })
        shownAt = now
        var lines = table.lines
        if present.count > limit { lines.append("and \(present.count - limit) more") }
        lines.append("")
        if !unfollowed.present.isEmpty {
            let kinds = unfollowed.present.map { "\($0.count) \($0.kind.label)" }
            lines.append("recognised, but not tracked: " + kinds.joined(separator: ", "))
        }
        lines.append("\(reports) reports, \(others) of unknown kinds (shown with --all in a pipe)")
        return lines
    }

    /// Returns the rate of reports of a subject; `nil` when no time has passed.
    ///
    /// - Parameter elapsed: seconds since the table was last drawn; `nil` at the first call.
    private func reportsPerSecond(_ interaction: Interaction, _ elapsed: Double?) -> Double? {
        if let elapsed {
            let before = samplesBefore[interaction.number] ?? 0
            return elapsed > 0 ? Double(interaction.samples - min(before, interaction.samples)) / elapsed : nil
        }
        let heard = (interaction.lastSeenAt - interaction.startedAt).inSeconds
        return heard > 0 ? Double(interaction.samples - 1) / heard : nil
    }
}

extension Subject {
    /// Label for a table.
    package var label: String {
        switch self {
        case .beacon(let beacon): "\(beacon)"
        case .exposureNotification(let identifier): "exposure notification \(identifier.description.prefix(8))..."
        case .contactApp(let app, let address): "\(AdvertisedIdentity.Kind(app).label) \(address)"
        case .contactUser(let app, let code): "\(AdvertisedIdentity.Kind(app).label) user \(String(code, radix: 16))"
        }
    }

    /// Label for a narrow table.
    var shortLabel: String {
        switch self {
        case .beacon(let beacon): "\(beacon.uuid.description.prefix(4))../\(beacon.major)/\(beacon.minor)"
        case .exposureNotification(let identifier): "phone \(identifier.description.prefix(8))..."
        case .contactApp(_, let address): "phone \(address.description.suffix(8))"
        case .contactUser(_, let code): "phone \(String(code, radix: 16).prefix(8))..."
        }
    }
}

extension AdvertisedIdentity.Kind {
    /// Label for use in a sentence.
    package var label: String {
        switch self {
        case .iBeacon: "iBeacon"
        case .altBeacon: "AltBeacon"
        case .eddystoneUID: "Eddystone-UID"
        case .eddystoneURL: "Eddystone-URL"
        case .eddystoneTLM: "Eddystone-TLM"
        case .eddystoneEID: "Eddystone-EID"
        case .exposureNotification: "exposure notification"
        case .bleProximity: "BLE-Proximity"
        case .further: "Further"
        case .c19x: "C19X"
        case .herald: "Herald"
        case .appleOverflow: "Apple overflow area"
        case .appleDevice: "Apple device"
        }
    }
}
