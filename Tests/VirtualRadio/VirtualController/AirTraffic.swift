import FoundationEssentials

/// What emulated modules have on the air, as `beacon-gateway emulate` tells it: a line of JSON for each change.
struct AirTraffic {
    /// A line as the emulator prints it when there are several modules.
    private struct Line: Decodable {
        var module: Int
        var address: String
        var advertising: Bool
        var type: Int?
        var intervalMs: Double?
        var data: String?
    }

    private struct Station {
        var advertisement: Advertisement
        var interval: Int
        var nextAt: Int
    }

    /// More often than this the processor of an emulated machine can't follow.
    private static let shortestInterval = 50
    private static let longestInterval = 60_000
    private static let mostModules = 64

    private var stations: [Int: Station] = [:]

    /// In milliseconds, as `monotonicMilliseconds` counts them; `nil` when nobody transmits.
    var nextAt: Int? { stations.values.map(\.nextAt).min() }

    /// Follows one line; says for the log what it meant, or why it was ignored.
    mutating func take(_ line: String, at now: Int) -> String {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)),
            (1...Self.mostModules).contains(line.module)
        else { return "ignored what isn't a module's line: \(line.prefix(200).filter { $0.isASCII })" }
        guard line.advertising else {
            stations[line.module] = nil
            return "module \(line.module) is silent"
        }
        guard let type = line.type, let kind = Self.kinds[type], let address = Address(type: 0, text: line.address),
            let data = [UInt8](hexadecimal: line.data ?? ""), data.count <= Advertisement.longestLegacyData
        else { return "ignored an impossible advertisement of module \(line.module)" }
        let milliseconds = line.intervalMs ?? 0
        let interval = milliseconds < Double(Self.longestInterval) ? Int(max(0, milliseconds)) : Self.longestInterval
        stations[line.module] = Station(
            advertisement: Advertisement(
                address: address, kind: kind, rssi: Int8(clamping: -50 - 3 * line.module),
                data: kind == .directed ? [] : data),
            interval: max(Self.shortestInterval, interval), nextAt: now)
        return "module \(line.module) advertises: \(line.address), type \(type), every \(interval) ms"
    }

    /// Whose turn it is. What is late by more than its interval is left out.
    mutating func due(at now: Int) -> [Advertisement] {
        var due: [Advertisement] = []
        for (module, station) in stations.sorted(by: { $0.key < $1.key }) where station.nextAt <= now {
            due.append(station.advertisement)
            let next = station.nextAt + station.interval
            stations[module]?.nextAt = next > now ? next : now + station.interval
        }
        return due
    }

    /// The types of RS9116's `at+rsibt_advertise`.
    private static let kinds: [Int: Advertisement.Kind] = [
        128: .connectable, 129: .directed, 130: .scannable, 131: .nonconnectable, 132: .directed,
    ]
}
