import Evidence
import Glibc
import InteractionStore
import Matching
import RecordContract

/// People and beacons of a campus, and whom each beacon heard in 14 days. The same seed gives the same.
struct Population {
    static let buildings = 100
    static let beaconsPerBuilding = 100
    static let people = 200_000
    static let positives = 500
    static let days = 14
    /// 2026-10-19T00:00:00Z, in seconds since 1970.
    static let start: Int64 = 1_792_368_000

    private var random: SplitMix
    private let home: [Int]
    /// Cumulated popularity of a building's beacons, 1 for the last: the canteen is busier than an office.
    private let popularity: [Double]
    private let places: [PlaceName]
    private let subjects: [SubjectIdentity]
    let count: Int
    private var made: Int
    private let end: Int
    private let boot: UInt64
    /// Of the last record, by building.
    private var sequences = Array(repeating: UInt64(0), count: Population.buildings)

    /// - Parameter later: makes so many that follow the others, after those days.
    init(interactions: Int, later: Int = 0, seed: UInt64 = 42) {
        var random = SplitMix(state: seed)
        home = (0..<Self.people).map { _ in Int(random.next() % UInt64(Self.buildings)) }
        let weights = (1...Self.beaconsPerBuilding).map { 1 / Double($0).squareRoot() }
        let total = weights.reduce(0, +)
        var sum = 0.0
        popularity = weights.map { weight in
            sum += weight / total
            return sum
        }
        places = (0..<Self.buildings * Self.beaconsPerBuilding).map { index in
            let building = index / Self.beaconsPerBuilding
            let beacon = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/\(building)/\(index % Self.beaconsPerBuilding)"
            return PlaceName(
                key: beacon, site: "campus", building: "b\(building)", floor: "f", gateway: "campus/b\(building)/f/g",
                beacon: beacon)
        }
        subjects = (0..<Self.people).compactMap { SubjectIdentity(kind: "phone", id: "person-\($0)") }
        self.random = random
        count = interactions
        made = later > 0 ? interactions : 0
        end = interactions + later
        boot = later > 0 ? 2 : 1
    }

    /// Who reports positive.
    var positives: [SubjectIdentity] {
        (0..<Self.positives).map { subjects[$0 * (Self.people / Self.positives)] }
    }

    /// So many of the next interactions; fewer at the end.
    mutating func next(_ limit: Int) -> [ReceivedRecord] {
        (0..<min(limit, end - made)).map { _ in
            defer { made += 1 }
            return .interaction(interaction(made))
        }
    }

    /// In seconds since 1970.
    static func start(of record: ReceivedRecord) -> Int64 {
        guard case .interaction(let interaction) = record else { return 0 }
        return interaction.start
    }

    /// Of the gateway.
    static func building(of record: ReceivedRecord) -> Int {
        guard case .interaction(let interaction) = record else { return 0 }
        return Int(interaction.place.building.dropFirst()) ?? 0
    }

    /// Seconds of a time in days, of which each has most of its interactions around half past one: normal, with a standard
    /// deviation of three hours. Interactions begin in the order of time.
    private static func second(of days: Double) -> Int64 {
        let share = (days - days.rounded(.down)) * Double(quantiles.count - 1)
        let index = min(Int(share), quantiles.count - 2)
        let deviation = quantiles[index] + (quantiles[index + 1] - quantiles[index]) * (share - Double(index))
        return Int64(days) * 86_400 + Int64(min(max(13.5 * 3600 + deviation * 3 * 3600, 0), 86_399))
    }

    /// Of the standard normal distribution, at equal distances; found by halving.
    private static let quantiles: [Double] = (0...4096).map { index in
        let share = Double(index) / 4096
        var (lower, upper) = (-4.5, 4.5)
        for _ in 0..<60 {
            let middle = (lower + upper) / 2
            if 0.5 * (1 + erf(middle / 2.0.squareRoot())) < share { lower = middle } else { upper = middle }
        }
        return lower
    }

    private mutating func interaction(_ index: Int) -> InteractionRecord {
        let person = Int(random.next() % UInt64(Self.people))
        let building = random.unit() < 0.9 ? home[person] : Int(random.next() % UInt64(Self.buildings))
        let share = random.unit()
        let beacon = popularity.firstIndex { share < $0 } ?? 0
        let start = Self.start + Self.second(of: Double(index) / Double(count) * Double(Self.days))
        let length = Int64(min(-log(1 - random.unit()) * 600, 3600)) + 5
        // Median 3 m, log-normal.
        let metres = min(max(exp(1.1 + 0.7 * random.normal()), 0.1), 30)
        let centimetres = Int64((metres * 100).rounded())
        let place = places[building * Self.beaconsPerBuilding + beacon]
        sequences[building] += 1
        return InteractionRecord(
            position: RecordPosition(boot: boot, sequence: sequences[building]), gateway: place.gateway,
            origin: place.gateway + "/1", number: Int64(index), place: place, subject: subjects[person], start: start,
            end: start + length, state: .departed, samples: length * 8, rssi: -65,
            distance: .init(centimetres: centimetres, lower: centimetres * 2 / 3, upper: centimetres * 3 / 2),
            within3m: 800, within6m: 950, seconds3m: length / 2, seconds6m: length)
    }
}

struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// By Box and Muller.
    mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }
}
