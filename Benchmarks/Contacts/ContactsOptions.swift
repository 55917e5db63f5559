import Proximity

/// What runs are made of.
struct ContactsOptions: Sendable {
    /// Each world is run with each seed.
    var worlds: [World.Name] = [.offices]
    var seeds: [UInt64] = [1]
    var people = 120
    /// At least so many, and people all over them; `nil`: as many as there have to be.
    var floors: Int?
    /// How often people meet beside what is usual in their world.
    var sociability = 1.0
    /// Where gateways hang; `nil`: as the world has it.
    var density: Density?
    /// The share of the shadowing that links from one room to one gateway have in common; `nil`: as the world has it.
    var sharedShadowing: Double?
    var days = 1
    /// For how many hours of each day the building is open.
    var hours = 9
    /// Spots of each room at which a survey stands for half a minute.
    var surveySpots = 5
    /// Seconds between two advertisements of a module that gateways learn from.
    var modulePackets = 3.0
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
    /// So many gateways hear nothing for one to four hours of each day; every second one says so.
    var deaf = 0
    /// Seconds by which gateways' clocks are ahead or behind, at most.
    var clockError = 0.0
    /// How modules listen.
    var modules = ModuleListening()
    /// Which records gateways make, by which the matcher judges. Without any only the benchmark's own minutes are measured.
    var records = Records.all

    enum Records: String, Sendable {
        case all = "yes"
        case readings
        case none = "no"
    }

    /// Whether there are interactions.
    var hasRecords: Bool { records == .all }
    /// Where a line for each two people of each day goes.
    var dump: String?

    static let usage = """
        usage: ContactsBenchmark [--world offices|halls|thin-walls|all, or several with commas] [--seeds 1,2,3]
                                 [--people 2...1000] [--floors 1...50] [--sociability 0...4]
                                 [--gateways every-room|every-second-room|one-per-floor|one-per-floor-and-modules]
                                 [--module-seconds 1...60] [--module-reports 1...1000] [--shared-shadowing 0...1]
                                 [--days 1...14] [--hours 1...14] [--interval 0.1...10]
                                 [--measured-power -100...-20] [--preset NAME] [--longest 1...30]
                                 [--update-interval 1...3600]
                                 [--least-minutes 1...60] [--losses 0,30,60,80,90]
                                 [--survey-spots 1...40] [--module-packets 0.1...10]
                                 [--deaf 0...1000] [--clock-error 0...600] [--records yes|readings|no] [--dump FILE]

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
        func number(_ range: ClosedRange<Double>) -> Double? {
            Double(value).flatMap { range.contains($0) ? $0 : nil }
        }
        switch name {
        case "--world":
            return set(\.worlds, value == "all" ? World.Name.allCases : Self.list(value) { World.Name(rawValue: $0) })
        case "--seed", "--seeds": return set(\.seeds, Self.list(value) { UInt64($0) })
        case "--people": return set(\.people, whole(2...1000))
        case "--floors": return set(\.floors, whole(1...50).map(Optional.some))
        case "--sociability": return set(\.sociability, number(0...4))
        case "--gateways": return set(\.density, Density(rawValue: value).map(Optional.some))
        case "--module-seconds": return set(\.modules.seconds, whole(1...60))
        case "--module-reports": return set(\.modules.reports, whole(1...1000))
        case "--shared-shadowing": return set(\.sharedShadowing, number(0...1).map(Optional.some))
        case "--days": return set(\.days, whole(1...14))
        case "--hours": return set(\.hours, whole(1...14))
        case "--interval": return set(\.interval, number(0.1...10))
        case "--measured-power": return set(\.measuredPower, whole(-100 ... -20).map { Int8($0) })
        case "--preset": return set(\.preset, DistanceModel.presets.first { $0.name == value }?.name)
        case "--update-interval": return set(\.updateInterval, whole(1...3600))
        case "--longest": return set(\.longest, whole(1...30))
        case "--least-minutes": return set(\.leastMinutes, whole(1...60).map(Optional.some))
        case "--module-packets": return set(\.modulePackets, number(0.1...10))
        case "--survey-spots": return set(\.surveySpots, whole(1...40))
        case "--losses":
            return set(
                \.losses,
                Self.list(value) { Int($0).flatMap { (0...99).contains($0) ? Double($0) / 100 : nil } })
        case "--deaf": return set(\.deaf, whole(0...1000))
        case "--clock-error": return set(\.clockError, number(0...600))
        case "--records": return set(\.records, Records(rawValue: value))
        case "--dump": return set(\.dump, value.isEmpty ? nil : .some(value))
        default: return false
        }
    }

    /// `nil` of none, or when one of them isn't a value.
    private static func list<Value>(_ text: String, _ value: (String) -> Value?) -> [Value]? {
        let values = text.split(separator: ",").map { value(String($0)) }
        return values.isEmpty || values.contains { $0 == nil } ? nil : values.compactMap { $0 }
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
        rules.readingsInterval = .seconds(60)
        return rules
    }

    var seconds: Int { hours * 3600 }

    /// For the head of the output, in the form in which they are given.
    var text: String {
        let shares = losses.map { "\(Int(($0 * 100).rounded()))" }.joined(separator: ",")
        return "--world \(worlds.map(\.rawValue).joined(separator: ",")) "
            + "--seeds \(seeds.map { "\($0)" }.joined(separator: ",")) --people \(people) "
            + (floors.map { "--floors \($0) " } ?? "") + (sociability == 1 ? "" : "--sociability \(sociability) ")
            + (density.map { "--gateways \($0.rawValue) " } ?? "")
            + (density == .modules ? "--module-seconds \(modules.seconds) --module-reports \(modules.reports) " : "")
            + (sharedShadowing.map { "--shared-shadowing \($0) " } ?? "")
            + "--days \(days) --hours \(hours) --interval \(interval) "
            + "--measured-power \(measuredPower) --preset \(preset) --longest \(longest) --update-interval \(updateInterval) "
            + (leastMinutes.map { "--least-minutes \($0) " } ?? "") + "--losses \(shares)"
            + (deaf == 0 ? "" : " --deaf \(deaf)") + (clockError == 0 ? "" : " --clock-error \(clockError)")
            + (records == .all ? "" : " --records \(records.rawValue)")
    }
}
