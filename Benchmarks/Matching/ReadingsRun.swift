import Evidence
import Glibc
import InteractionStore
import Matching
import RecordContract

/// Readings of large buildings: how fast they are stored and settled, and how long a report takes.
///
/// A floor has ten gateways. Everybody stays in one building. Badges sit in groups that change their place every half hour, so company is dense.
struct ReadingsRun {
    private let store: InteractionStore
    private let location: StoreLocation
    private let badges: Int
    /// In each building.
    private let gateways: Int
    private let buildings: Int
    private let days: Int
    private let hours: Int

    /// 2026-11-02T00:00:00Z.
    private static let start: Int64 = 1_793_577_600
    private static let opening: Int64 = 8 * 3600
    private static let gatewaysPerFloor = 10
    private static let heardBy = 8
    /// Days before the first of which there may be readings too.
    private static let daysBefore: Int64 = 14

    init(_ location: StoreLocation, badges: Int, gateways: Int, days: Int, hours: Int, buildings: Int) throws {
        self.location = location
        self.badges = badges
        self.gateways = gateways
        self.buildings = max(1, buildings)
        self.days = days
        self.hours = hours
        // All days come on one.
        store = try InteractionStore.open(
            location, retention: Int64(days) + Self.daysBefore + 2, dailyQuota: 1_000_000_000_000)
    }

    private var now: Int64 { Self.start + Int64(days + 1) * 86_400 }

    /// Fills the store, and measures all.
    func run() throws {
        var (storing, settling) = (Duration.zero, Duration.zero)
        var (records, badgeMinutes, blocks) = (0, 0, 0)
        var slowest = Duration.zero
        for day in 0..<days {
            for minute in 0..<(hours * 60) {
                let batch = self.records(day: day, minute: minute)
                let start = ContinuousClock.now
                records += try store.store(batch, now: now).stored
                storing += ContinuousClock.now - start
                guard minute % 15 == 14 else { continue }
                let end = Self.start + Int64(day) * 86_400 + Self.opening + Int64(minute + 1) * 60
                let begin = ContinuousClock.now
                let result = try store.settleAllReadings(before: end, now: now)
                let time = ContinuousClock.now - begin
                settling += time
                slowest = max(slowest, time)
                badgeMinutes += result.badgeMinutes
                blocks += result.blocks
            }
        }
        add("readings_badge_minutes", Double(badgeMinutes), "")
        add(
            "readings_store_rate", Double(records) / storing.seconds,
            "records/s of \(badges * Self.heardBy / gateways / buildings) badges")
        add("readings_gateways_kept_up_with", Double(records) / storing.seconds * 60, "gateways of one record a minute")
        add(
            "readings_settled_a_minute", settling.seconds / Double(max(1, blocks * 15)) * 1000,
            "ms a minute of \(badges / buildings) badges")
        add("readings_slowest_block", slowest.seconds * 1000, "ms a quarter of an hour")
        try reports()
    }

    /// Measures reports in what is there.
    func reports() throws {
        // What an earlier run left unsettled.
        _ = try store.settleAllReadings(before: now, now: now)
        try report("readings_report", now)
        try report("readings_report_explained", now, isExplained: true)
        // Two thirds of a quarter that isn't over.
        for minute in 0..<10 { _ = try store.store(self.records(day: days, minute: minute), now: now) }
        try report("readings_report_unsettled", now)
    }

    /// - Parameter isExplained: whether everything that exposures rest on is looked up, as for a health officer, or only
    ///   verdicts and what was missing, as the matcher does it for everybody who is told.
    private func report(_ name: String, _ now: Int64, isExplained: Bool = false) throws {
        guard let policy = Policy.shipped("six-metre-five-minute") else { return }
        var times: [Double] = []
        var (exposed, exposures) = (0, 0)
        for subject in (0..<20).compactMap({ badge($0 * badges / 20) }) {
            let search = ExposureSearch(
                subjects: [.init(identity: subject, since: Self.start - Self.daysBefore * 86_400, until: now)],
                positive: PositiveCase(reportType: .confirmed), policy: policy, isExplained: isExplained)
            let start = ContinuousClock.now
            let found = try search.run(store).exposures
            times.append((ContinuousClock.now - start).seconds * 1000)
            exposures += found.count
            exposed += Set(found.map(\.subject)).count
        }
        times.sort()
        add(name, times[times.count / 2], "ms, median of \(times.count)")
        add("\(name)_slowest", times.last ?? 0, "ms")
        add("\(name)_exposed", Double(exposed) / Double(times.count), "subjects a report")
        add("\(name)_exposures", Double(exposures) / Double(times.count), "a report, of one day each")
    }

    private func badge(_ number: Int) -> SubjectIdentity? {
        SubjectIdentity("badge:b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401/\(number >> 8)/\(number & 255)")
    }

    private func mixed(_ values: Int...) -> UInt64 {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for value in values {
            state = (state ^ UInt64(bitPattern: Int64(value))) &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 29
        }
        return state
    }

    /// What all gateways say of a minute.
    private func records(day: Int, minute: Int) -> [ReceivedRecord] {
        var heard: [[ReadingsRecord.Subject]] = Array(repeating: [], count: gateways * buildings)
        let floors = max(1, gateways / Self.gatewaysPerFloor)
        for number in 0..<badges {
            guard let identity = badge(number) else { continue }
            // Groups of twelve move together.
            let place = mixed(number / 12, day, minute / 30)
            let floor = Int(place % UInt64(floors))
            let first = number * buildings / badges * gateways + floor * Self.gatewaysPerFloor
            let spot =
                Double(place >> 8 & 0xFFFF) / 65_536 * Double(Self.gatewaysPerFloor)
                + Double(mixed(number, day) & 0xFF) / 1024
            let near = max(0, min(Self.gatewaysPerFloor - Self.heardBy, Int(spot) - Self.heardBy / 2))
            for gateway in near..<(near + Self.heardBy) {
                let noise = Double(mixed(number, gateway, minute, day) % 60) / 10 - 3
                let distance = max(0.5, abs(Double(gateway) + 0.5 - spot)) * 8
                let rssi = ((-60 - 25 * log10(distance) + noise) * 10).rounded() / 10
                heard[first + gateway].append(
                    .init(
                        identity: identity, count: Int64(20 + mixed(number, gateway, minute) % 40), rssi: max(-99, rssi)
                    ))
            }
        }
        let start = Self.start + Int64(day) * 86_400 + Self.opening + Int64(minute) * 60
        return heard.indices.map { index in
            let building = "b\(index / gateways)"
            let floor = "\(index % gateways / Self.gatewaysPerFloor)"
            let path = "campus/\(building)/\(floor)/g\(index % Self.gatewaysPerFloor)"
            return .readings(
                ReadingsRecord(
                    position: .init(boot: 1, sequence: UInt64(day * 1440 + minute + 1)), gateway: path, receiver: path,
                    place: PlaceName(
                        key: path, site: "campus", building: building, floor: floor, gateway: path),
                    start: start, end: start + 60, listened: 60, clockIsSynchronized: true, subjects: heard[index]))
        }
    }

    private func add(_ name: String, _ value: Double, _ unit: String) {
        let database =
            switch location {
            case .sqlite: "sqlite"
            case .postgreSQL: "postgresql"
            }
        let text = value < 100 ? "\((value * 1000).rounded() / 1000)" : "\(Int(value.rounded()))"
        print("figure_\(database)_\(name): \(text)\(unit.isEmpty ? "" : " " + unit)")
    }
}
