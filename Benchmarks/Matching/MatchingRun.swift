import Evidence
import Glibc
import InteractionStore
import Matching
import RecordContract

/// One database from empty to all answers.
struct MatchingRun {
    private let store: InteractionStore
    private let location: StoreLocation
    private var population: Population
    private let policy: Policy
    private let now = Population.start + Int64(Population.days) * 86_400
    private var figures: [(name: String, value: Double, unit: String)] = []

    /// Records in a transaction: what a broker sends to a matcher before it waits.
    static let batch = 2000
    private static let rounds = 5

    init(_ store: InteractionStore, _ location: StoreLocation, interactions: Int) {
        self.store = store
        self.location = location
        population = Population(interactions: interactions)
        guard let policy = Policy.shipped("six-metre-five-minute") else { preconditionFailure("a shipped policy") }
        self.policy = policy
    }

    /// Stores everything, as many records in a transaction as a matcher has at hand when much comes, and the last tenth as live: the indices are as large as they get.
    mutating func load() throws {
        for building in 0..<Population.buildings {
            _ = try store.settle("campus/b\(building)/f/g", below: .init(boot: 1, sequence: 1), now: 0)
        }
        var (all, live) = (Duration.zero, Duration.zero)
        var (stored, storedLive) = (0, 0)
        while true {
            let records = population.next(Self.batch)
            if records.isEmpty { break }
            let start = ContinuousClock.now
            let count = try store.store(records, now: now).stored
            let time = ContinuousClock.now - start
            all += time
            stored += count
            if stored > population.count / 10 * 9 {
                live += time
                storedLive += count
            }
        }
        add("loaded_interactions", Double(stored), "")
        add("load_rate", Double(stored) / all.seconds, "records/s")
        add("live_rate", Double(storedLive) / live.seconds, "records/s")
        addMemory("load_memory")
    }

    /// The time of one positive report to all its exposures, and of all reports at once.
    mutating func match() throws {
        let numbers = try store.numbers(of: population.positives).values.sorted()
        let fixed = try store.fixedSubjects()
        var single: [Double] = []
        var together: [Double] = []
        var exposures = 0
        for _ in 0..<Self.rounds {
            for number in numbers {
                let start = ContinuousClock.now
                let found = try store.encounters(of: [positive(number)], rule: policy.contact)
                _ = assessed(found, own: number, fixed)
                single.append((ContinuousClock.now - start).seconds * 1000)
            }
            let start = ContinuousClock.now
            let found = try store.encounters(of: numbers.map(positive), rule: policy.contact)
            exposures = Dictionary(grouping: found) { $0.positive.subject }
                .reduce(0) { $0 + assessed($1.value, own: $1.key, fixed).count }
            together.append((ContinuousClock.now - start).seconds)
        }
        single.sort()
        add("one_report_median", single[single.count / 2], "ms")
        add("one_report_worst_of_100", single[single.count * 99 / 100], "ms")
        add("all_reports", together.sorted()[Self.rounds / 2], "s")
        add("exposures", Double(exposures), "")
        addMemory("match_memory")
    }

    private mutating func addMemory(_ name: String) {
        var usage = rusage()
        // RUSAGE_SELF.
        getrusage(0, &usage)
        add(name, Double(usage.ru_maxrss) / 1024, "MB")
    }

    private func positive(_ number: Int64) -> SubjectPeriod {
        .init(subject: number, since: Population.start, until: now)
    }

    private func assessed(_ encounters: [Encounter], own: Int64, _ fixed: Set<Int64>) -> [Exposure] {
        Assessment(policy: policy, positive: PositiveCase(reportType: .confirmed), own: [own], fixed: fixed)
            .exposures(encounters)
    }

    /// Every exposure with all that its explanation has, by names, which are the same in every database.
    func list() throws {
        let fixed = try store.fixedSubjects()
        for (positive, number) in try store.numbers(of: population.positives).sorted(by: { $0.key < $1.key }) {
            let found = try store.encounters(of: [self.positive(number)], rule: policy.contact)
            let exposures = assessed(found, own: number, fixed)
            let subjects = try store.subjects(Set(exposures.map(\.subject)))
            let places = try store.places(Set(exposures.flatMap { $0.explanation.windows.map(\.place) + [$0.place] }))
            for exposure in exposures {
                let windows = exposure.explanation.windows.map { window in
                    let distances = window.distances
                    return "\(places[window.place]?.key ?? "?") \(window.start) \(window.end) \(window.minutes) "
                        + (distances.map {
                            "\($0.distance) \($0.positiveDistance) \($0.range) \($0.probability) \($0.apart)"
                        } ?? "-")
                }
                print(
                    positive, subjects[exposure.subject]?.description ?? "?", places[exposure.place]?.key ?? "?",
                    exposure.start, exposure.end, exposure.minutes, exposure.range.map(String.init(describing:)) ?? "-",
                    exposure.probability, windows)
            }
        }
    }

    private mutating func add(_ name: String, _ value: Double, _ unit: String) {
        figures.append((name, value, unit))
    }

    /// A line for each figure.
    func report() {
        let database =
            switch location {
            case .sqlite: "sqlite"
            case .postgreSQL: "postgresql"
            }
        for (name, value, unit) in figures {
            let text = value < 100 ? "\((value * 1000).rounded() / 1000)" : "\(Int(value.rounded()))"
            print("figure_\(database)_\(name): \(text)\(unit.isEmpty ? "" : " " + unit)")
        }
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
