import Evidence
import InteractionStore
import Localisation
import Matching

/// Some days in a building: walks, air, gateways, stores, answers.
struct ContactsRun {
    private let options: ContactsOptions
    private let name: World.Name
    private let world: World
    private let seed: UInt64
    private let building: Building
    private let faults: Faults
    private let air: Air
    private var stations: [Station]
    private let stores: [InteractionStore]
    /// By loss: what each interaction came to.
    private var interactions: [[InteractionKey: InteractionRecord]]

    private struct InteractionKey: Hashable {
        var gateway: String
        var number: Int64
    }

    /// 2026-11-02T08:00:00Z, a Monday, in seconds since 1970.
    private static let opening: Int64 = 1_793_606_400
    private static let day: Int64 = 86_400
    /// Seconds that are heard before what became known is stored.
    private static let chunk = 900
    /// Seconds after closing in which gateways notice that everybody has gone.
    private static let closing = 1800
    /// Records in a transaction.
    private static let batch = 1000

    /// - Parameter directory: where the stores are made.
    /// - Throws: `StoreError`.
    init(_ options: ContactsOptions, _ name: World.Name = .offices, seed: UInt64, directory: String) throws {
        self.options = options
        self.name = name
        self.seed = seed
        var world = World(name)
        if let shared = options.sharedShadowing { world.radio.sharedShadowing = shared }
        self.world = world
        let building = Building(
            world.plan, desks: world.behaviour.lectures == nil ? options.people : 0,
            floors: max(world.plan.leastFloors, options.floors ?? 1), options.density ?? world.density)
        self.building = building
        let faults = Faults(
            gateways: building.gateways.count, deaf: options.deaf, clockError: options.clockError,
            seconds: options.seconds, seed: seed)
        self.faults = faults
        air = Air(
            building, world.radio, people: options.people, measuredPower: options.measuredPower, seed: seed)
        stations = try building.gateways.indices.map {
            try Station(
                building, gateway: $0, world.radio, people: options.people, losses: options.losses, seed: seed,
                rules: options.records == .none ? nil : options.rules, hasInteractions: options.hasRecords,
                faults: faults, modules: options.modules)
        }
        stores = try options.losses.indices.map { try InteractionStore.open(.sqlite("\(directory)/\($0).sqlite")) }
        interactions = options.losses.map { _ in [:] }
    }

    /// What each share of lost packets leaves.
    ///
    /// - Parameter days: where everybody is; `nil`: as the options say.
    /// - Throws: `StoreError`, or `RecordReader.Defect` when the matcher doesn't take a gateway's record.
    consuming func results(of days: [Walks]? = nil) async throws -> ContactsResults {
        var results = ContactsResults(
            world: name, seed: seed, losses: options.losses.map { LossResult(loss: $0) })
        for day in 0..<(days?.count ?? options.days) {
            let walks = days?[day] ?? walks(of: day)
            try await hear(walks, day)
            let truth = ContactTruth(walks, building)
            let exact = ExactDistances(walks, building)
            for loss in options.losses.indices {
                var evidence = Evidence(truth: truth, exact: exact, minutes: minutes(walks, loss))
                let survey = building.survey(
                    world.radio, spots: options.surveySpots, people: options.people, loss: options.losses[loss],
                    seed: seed)
                let modules = building.moduleLevels(
                    world.radio, people: options.people, loss: options.losses[loss], apart: options.modulePackets,
                    seed: seed)
                evidence.placed = placed(walks, loss, survey: [], modules: [])
                evidence.modules = placed(walks, loss, survey: [], modules: modules)
                evidence.surveyed = placed(walks, loss, survey: survey, modules: modules)
                evidence.placed.map { results.losses[loss].placed.add($0.located, walks, building) }
                evidence.modules.map { results.losses[loss].modules.add($0.located, walks, building) }
                evidence.surveyed.map { results.losses[loss].surveyed.add($0.located, walks, building) }
                if options.hasRecords {
                    evidence.records = try judge(walks, truth, day, loss, &results.losses[loss])
                }
                if options.records != .none {
                    evidence.together = try TogetherAnswers(
                        stores[loss], subjects(), day: Self.opening / Self.day + Int64(day))
                }
                Self.score(evidence, &results.losses[loss])
                if options.dump != nil {
                    let percent = results.losses[loss].percent
                    results.dump += PairDump.lines("\(name.rawValue),\(seed),\(percent),\(day)", evidence)
                }
            }
            for question in Question.allCases where options.hasRecords {
                results.exact[question, default: Score()].add(question, truth, nil, nil) { positive, other in
                    exact.minutes(question, truth, positive, other)
                }
            }
        }
        for loss in options.losses.indices where options.hasRecords {
            for station in stations {
                results.losses[loss].counts = results.losses[loss].counts + station.chains[loss].counts
            }
        }
        return results
    }

    private func minutes(_ walks: Walks, _ loss: Int) -> MinuteComparison {
        let deafness = faults.deafness
        return MinuteComparison(
            stations.map { $0.tallies[loss] }, people: options.people, minutes: Self.minutes(walks),
            gateways: building.gateways.map { ($0.x, $0.y, Double($0.floor) * building.plan.floorHeight) }
        ) { gateway, minute in
            // Who is deaf for a part of the minute says so for all of it.
            guard let deafness = deafness[gateway], deafness.isKnown else { return false }
            return deafness.seconds.overlaps((60 * minute)..<(60 * minute + 60))
        }
    }

    private func placed(_ walks: Walks, _ loss: Int, survey: [SurveyReading], modules: [MutualLevel])
        -> PlacedStays
    {
        let deafness = faults.deafness
        return PlacedStays(
            stations.map { $0.tallies[loss] }, building, survey: survey, modules: modules,
            people: options.people, minutes: Self.minutes(walks)
        ) { gateway, minute in
            guard let deafness = deafness[gateway], deafness.isKnown else { return false }
            return deafness.seconds.overlaps((60 * minute)..<(60 * minute + 60))
        }
    }

    /// Those in which somebody can be heard.
    private static func minutes(_ walks: Walks) -> Int { (walks.seconds + 59) / 60 }

    private static func score(_ evidence: Evidence, _ result: inout LossResult) {
        for question in PairQuestion.allCases {
            for method in Method.allCases {
                var score = result.methods[question]?[method] ?? MethodScore()
                for other in 0..<evidence.truth.people {
                    for one in 0..<other {
                        guard let verdict = evidence.verdict(method, question, one, other) else { continue }
                        score.add(verdict, isContact: question.isContact(evidence.truth[one, other]))
                    }
                }
                if score.pairs > 0 { result.methods[question, default: [:]][method] = score }
            }
        }
    }

    private func walks(of day: Int) -> Walks {
        var random = SplitMix(seed: seed, .agenda, day)
        let agenda = Agenda(
            building, world.behaviour, people: options.people, seconds: options.seconds,
            sociability: options.sociability, isSpread: options.floors != nil, &random)
        return Walks(agenda, in: building, seconds: options.seconds, seed: random.next())
    }

    private mutating func hear(_ walks: Walks, _ day: Int) async throws {
        let opening = Self.opening + Int64(day) * Self.day
        var sending = Sending(
            people: options.people, interval: options.interval, seed: seed &+ UInt64(day))
        for station in stations.indices {
            stations[station].begin(people: options.people, minutes: Self.minutes(walks))
        }
        for start in stride(from: 0, to: walks.seconds + Self.closing, by: Self.chunk) {
            let seconds = start..<(start + Self.chunk)
            let transmissions = sending.events(until: seconds.upperBound, walks)
            let before = stations
            let air = air
            stations = []
            let after = try await withThrowingTaskGroup(of: (Int, Station, [[ReceivedRecord]]).self) { group in
                for (index, station) in before.enumerated() {
                    group.addTask {
                        var station = station
                        let records = try station.hear(
                            transmissions, seconds: seconds, walks, air, opening: opening)
                        return (index, station, records)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
            }
            stations = after.map(\.1)
            for loss in options.losses.indices where options.records != .none {
                let records = after.flatMap { $0.2[loss] }
                try store(records, loss, now: opening + Int64(seconds.upperBound))
            }
        }
    }

    private mutating func store(_ records: [ReceivedRecord], _ loss: Int, now: Int64) throws {
        for start in stride(from: 0, to: records.count, by: Self.batch) {
            _ = try stores[loss].store(
                Array(records[start..<min(start + Self.batch, records.count)]), now: now)
        }
        for case .interaction(let record) in records {
            interactions[loss][InteractionKey(gateway: record.gateway, number: record.number)] = record
        }
    }

    private func subjects() throws -> [SubjectIdentity] {
        try (0..<options.people).map { person in
            guard let subject = SubjectIdentity(kind: SubjectIdentity.badge, id: "\(GatewayChain.badge(person))") else {
                throw ContactsFailure.notASubject(person)
            }
            return subject
        }
    }

    private mutating func judge(
        _ walks: Walks, _ truth: ContactTruth, _ day: Int, _ loss: Int, _ result: inout LossResult
    ) throws -> Evidence.Records {
        let opening = Self.opening + Int64(day) * Self.day
        let subjects = try subjects()
        let persons = Dictionary(uniqueKeysWithValues: zip(subjects, 0..<options.people))
        let gateways = Dictionary(
            uniqueKeysWithValues: building.gateways.enumerated().map { index, gateway in
                ("campus/main/\(gateway.floor)/room-\(gateway.number)", index)
            })
        var stays: [CoLocation.Stay] = []
        for record in interactions[loss].values {
            guard let person = persons[record.subject], let gateway = gateways[record.gateway] else { continue }
            stays.append(
                CoLocation.Stay(
                    person: person, gateway: gateway, start: record.start, end: record.end, rssi: record.rssi ?? -127))
            result.distances.add(record, person: person, gateway: gateway, walks, building, opening: opening)
        }
        result.interactions += stays.count
        interactions[loss] = [:]
        let together = CoLocation(stays, people: options.people)
        let nearest = CoLocation(CoLocation.nearest(stays), people: options.people)
        var shipped: [PairQuestion: MatcherAnswers] = [:]
        for name in Set(Question.allCases.map(\.policy)).sorted() {
            guard var policy = Policy.shipped(name) else { throw ContactsFailure.noPolicy(name) }
            if let minutes = options.leastMinutes, policy.contact.nearness == .sumOfDistances {
                policy.contact.leastMinutes = Double(minutes)
                policy.contact.period = .day
            }
            let answers = try MatcherAnswers(
                stores[loss], policy, subjects, day: opening / Self.day)
            for question in Question.allCases where question.policy == name {
                result.scores[question, default: Score()].add(question, truth, together, nearest) { positive, other in
                    guard let answer = answers.answer(positive, other) else { return nil }
                    return question == .twoMetresThirty ? answer.minutes : Double(answer.sharedSeconds) / 60
                }
            }
            result.ranges[name, default: RangeCheck()].add(answers, walks, building, opening: opening)
            if policy.contact.nearness == .sumOfDistances {
                shipped[.sixMetresFive] = answers
            } else {
                shipped[.twoMetresThirty] = answers
                policy.contact.leastMinutes = Double(PairQuestion.twoMetresFifteen.minutes)
                shipped[.twoMetresFifteen] = try MatcherAnswers(stores[loss], policy, subjects, day: opening / Self.day)
            }
        }
        return Evidence.Records(coLocation: together, nearest: nearest, shipped: shipped)
    }
}

/// What can't be.
enum ContactsFailure: Error {
    case noPolicy(String)
    case notASubject(Int)
}
