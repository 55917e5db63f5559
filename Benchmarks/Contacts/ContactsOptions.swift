import Proximity

/// What a run is made of.
struct ContactsOptions: Sendable {
    var seed: UInt64 = 1
    var people = 120
    var days = 1
    /// For how many hours of each day the building is open.
    var hours = 9
    /// Between two advertisements of a badge, in seconds.
    var interval = 1.0
    /// What badges say that is received of them at 1 m, in dBm.
    var measuredPower: Int8 = -59
    /// How gateways make distances of RSSI.
    var preset = "general"
    /// Seconds between two records of an interaction that goes on. The program's default is 30; the last record of an
    /// interaction takes the place of those before it, so that verdicts are the same, and a run takes a third of the time.
    var updateInterval = 300
    /// After how many minutes gateways close an interaction and continue it.
    var longest = 30
    /// Minutes of a day in the place of `six-metre-five-minute`'s own rule, which is content with a moment; `nil`: as shipped.
    var leastMinutes: Int?
    /// Shares of the packets that are lost beside those that are too weak.
    var losses = [0, 0.3, 0.6, 0.8, 0.9]

    static let usage = """
        usage: ContactsBenchmark [--seed N] [--people 2...1000] [--days 1...14] [--hours 1...14] [--interval 0.1...10]
                                 [--measured-power -100...-20] [--preset NAME] [--longest 1...30]
                                 [--update-interval 1...3600]
                                 [--least-minutes 1...60] [--losses 0,30,60,80,90]

        """

    init() {}

    /// - Returns: `nil` when the arguments aren't those of `usage`.
    init?(_ arguments: [String]) {
        guard arguments.count.isMultiple(of: 2) else { return nil }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard take(arguments[index], arguments[index + 1]) else { return nil }
        }
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        func whole(_ range: ClosedRange<Int>) -> Int? { Int(value).flatMap { range.contains($0) ? $0 : nil } }
        switch name {
        case "--seed": return set(\.seed, UInt64(value))
        case "--people": return set(\.people, whole(2...1000))
        case "--days": return set(\.days, whole(1...14))
        case "--hours": return set(\.hours, whole(1...14))
        case "--interval": return set(\.interval, Double(value).flatMap { (0.1...10).contains($0) ? $0 : nil })
        case "--measured-power": return set(\.measuredPower, whole(-100 ... -20).map { Int8($0) })
        case "--preset": return set(\.preset, DistanceModel.presets.first { $0.name == value }?.name)
        case "--update-interval": return set(\.updateInterval, whole(1...3600))
        case "--longest": return set(\.longest, whole(1...30))
        case "--least-minutes": return set(\.leastMinutes, whole(1...60).map(Optional.some))
        case "--losses":
            let shares = value.split(separator: ",").map { Int($0) }
            guard !shares.isEmpty, shares.allSatisfy({ $0.map { (0...99).contains($0) } ?? false }) else {
                return false
            }
            losses = shares.compactMap { $0.map { Double($0) / 100 } }
            return true
        default: return false
        }
    }

    private mutating func set<Value>(_ key: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
        guard let value else { return false }
        self[keyPath: key] = value
        return true
    }

    /// The program's own, but for what is asked.
    var rules: InteractionRules {
        var rules = InteractionRules()
        if let preset = DistanceModel.presets.first(where: { $0.name == preset }) {
            rules.distance.beacons = preset.model
        }
        rules.longest = .seconds(60 * longest)
        rules.updateInterval = .seconds(updateInterval)
        return rules
    }

    var seconds: Int { hours * 3600 }

    /// For the head of the output, in the form in which they are given.
    var text: String {
        let shares = losses.map { "\(Int(($0 * 100).rounded()))" }.joined(separator: ",")
        return "--seed \(seed) --people \(people) --days \(days) --hours \(hours) --interval \(interval) "
            + "--measured-power \(measuredPower) --preset \(preset) --longest \(longest) --update-interval \(updateInterval) "
            + (leastMinutes.map { "--least-minutes \($0) " } ?? "") + "--losses \(shares)"
    }
}
