import Evidence
import Glibc
import InteractionStore
import Matching
import RecordContract
import TestValues

/// Readings of badges that stand about on two floors, each with receivers in a row, 5 m apart.
struct SyntheticReadings {
    var receivers = 4
    var badges = 12
    var minutes = 40
    /// After so many minutes, in the mean, a badge goes somewhere else; `nil`: never.
    var staying: UInt64?
    /// Whether badges are at equal distances on both floors at first, and not anywhere: near every receiver there are some.
    var areSpread = false
    /// 2026-11-02T09:00:00Z, the beginning of a block.
    static let morning: Int64 = 1_793_610_000

    static func badge(_ number: Int) -> SubjectIdentity? {
        SubjectIdentity("badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1/\(number)")
    }

    static func path(_ floor: Int, _ receiver: Int) -> String { "s/b/\(floor)/g\(receiver)" }

    /// One record a minute of each receiver, in the order of time.
    func records(_ random: inout SeededGenerator) -> [ReadingsRecord] {
        var spots = (0..<badges).map { badge in
            areSpread
                ? (floor: badge % 2, x: Double(badge / 2 * 40) / Double(badges))
                : (floor: Int(random.next() % 2), x: Double(random.next() % 200) / 10)
        }
        var records: [ReadingsRecord] = []
        for minute in 0..<minutes {
            for badge in spots.indices {
                guard let staying, random.next() % staying == 0 else { continue }
                spots[badge] = (Int(random.next() % 2), Double(random.next() % 200) / 10)
            }
            for floor in 0..<2 {
                for receiver in 0..<receivers {
                    let subjects = spots.indices.compactMap { badge -> ReadingsRecord.Subject? in
                        guard spots[badge].floor == floor, let identity = Self.badge(badge) else { return nil }
                        let distance = max(1, hypot(spots[badge].x - 5 * Double(receiver), 1.2))
                        let noise = Double(random.next() % 60) / 10 - 3
                        let rssi = ((-62 - 25 * log10(distance) + noise) * 10).rounded() / 10
                        return .init(identity: identity, count: Int64(20 + random.next() % 40), rssi: rssi)
                    }
                    records.append(record(floor, receiver, minute, subjects))
                }
            }
        }
        return records
    }

    /// Everybody is heard anywhere, so that floors and buildings compete for them; one gateway has
    /// twenty remote receivers.
    static func ofTwoBuildings(
        badges: Int, minutes: Int64, _ random: inout SeededGenerator
    ) -> [ReadingsRecord] {
        let remote = (0..<20).map { ("s/c/0/g0", "s/c/0/g0/e\($0)") }
        let gateways = ["s/b/0/g0", "s/b/0/g1", "s/b/1/g0", "s/b/1/g1", "s/b/2/g0", "s/c/0/g0", "s/c/1/g0", "s/c/1/g1"]
        var sequences: [String: UInt64] = [:]
        var records: [ReadingsRecord] = []
        for minute in 0..<minutes {
            for (gateway, receiver) in gateways.map({ ($0, $0) }) + remote where random.next() % 4 > 0 {
                let subjects = (0..<badges).compactMap { number -> ReadingsRecord.Subject? in
                    guard random.next() % 3 > 0, let identity = badge(number) else { return nil }
                    // In steps, so that there are ties.
                    return .init(identity: identity, count: 50, rssi: -90 + 6 * Double(random.next() % 8))
                }
                sequences[gateway, default: 0] += 1
                let levels = gateway.split(separator: "/").map(String.init)
                let start = morning + 60 * minute
                records.append(
                    ReadingsRecord(
                        position: .init(boot: 1, sequence: sequences[gateway] ?? 0), gateway: gateway,
                        receiver: receiver,
                        place: PlaceName(
                            key: receiver, site: levels[0], building: levels[1], floor: levels[2], gateway: receiver),
                        start: start, end: start + 60, listened: 60, clockIsSynchronized: true, subjects: subjects))
            }
        }
        return records
    }

    func record(
        _ floor: Int, _ receiver: Int, _ minute: Int, _ subjects: [ReadingsRecord.Subject], boot: UInt64 = 1,
        listened: Double = 60
    ) -> ReadingsRecord {
        let path = Self.path(floor, receiver)
        let start = Self.morning + 60 * Int64(minute)
        return ReadingsRecord(
            position: .init(boot: boot, sequence: UInt64(minute + 1)), gateway: path, receiver: path,
            place: PlaceName(
                key: path, site: "s", building: "b", floor: "\(floor)", gateway: path, room: "room \(receiver)"),
            start: start, end: start + 60, listened: listened, clockIsSynchronized: true, subjects: subjects)
    }
}

extension InteractionStore {
    /// All minutes together, by the names of both, with their levels.
    func allCompany(_ badges: Int) throws -> [String: [Int64: UInt8]] {
        let names = (0..<badges).compactMap(SyntheticReadings.badge)
        let numbers = try numbers(of: names)
        let byNumber = Dictionary(uniqueKeysWithValues: numbers.map { ($0.value, $0.key) })
        var all: [String: [Int64: UInt8]] = [:]
        for name in names {
            guard let number = numbers[name] else { continue }
            let company = try company(of: [.init(subject: number, since: 0, until: 4_000_000_000)])
            for (other, minutes) in company.minutes {
                all["\(name) \(byNumber[other]?.description ?? "?")"] = Dictionary(
                    uniqueKeysWithValues: minutes.minutes(from: .none).map { ($0.start, $0.level.rawValue) })
            }
        }
        return all
    }
}
