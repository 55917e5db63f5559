import BeaconModel
import IngestC
import Proximity

/// Reports a second of one core through decoding and presence, beside the same decoding in C, and in a flood.
///
/// `--data` prints the advertising data instead, a line of hexadecimal digits each, for decoders in other languages;
/// `--capture` writes the corpus 500 times as a btsnoop capture to standard output.
@main
struct IngestBenchmark {
    private static let count = 4096

    static func main() {
        let corpus = Corpus(count: count)
        switch CommandLine.arguments.dropFirst().first {
        case "--data":
            for data in corpus.data { print(data.map(hexadecimal).joined()) }
        case "--capture": corpus.writeCapture(times: 500)
        default: measure(corpus)
        }
    }

    private static func measure(_ corpus: Corpus) {
        let decoders = Decoders(corpus)
        guard decoders.agree, Decoders(Corpus(count: 100_000).damaged).agree else {
            print("Swift and C decode different things")
            return
        }
        var sink: UInt64 = 0
        let decode = Rounds.nanoseconds(
            41, units: count, repetitions: 50,
            [
                { sink &+= decoders.packetsInC().sum }, { sink &+= decoders.packetsInSwift().sum },
                { sink &+= decoders.dataInC().sum }, { sink &+= decoders.dataInSwift().sum },
            ])

        let presence = Presence()
        let batch = corpus.batch
        let signals = Presence(hasSignals: true)
        for presence in [presence, signals] {
            for _ in 0..<40 { presence.take(batch, length: corpus.length) }
        }
        let paths = Rounds.nanoseconds(
            21, units: count, repetitions: 10,
            [
                { presence.take(batch, length: corpus.length) }, { signals.take(batch, length: corpus.length) },
            ])
        let path = paths[0]
        let allocations = AllocationCount(presence, batch, length: corpus.length, passes: 200)
        let flood = FloodMeasurement(presence, batch, length: corpus.length, seconds: 20)

        let perReport = Double(allocations.inReports) / Double(max(1, allocations.reports))
        print(
            """
            Swift and C read the same in the mix and in 100,000 damaged packets.
            \(count) reports, a fixed mix; medians of processor time (sum \(String(sink, radix: 16)))

                                                      C -O2      Swift    ratio   target
            HCI packet to identity, a report      \(ns(decode[0]))  \(ns(decode[1]))   \(number(decode[1] / decode[0], 2))   at most 1.5
            advertising data to identity          \(ns(decode[2]))  \(ns(decode[3]))   \(number(decode[3] / decode[2], 2))
            HCI packet to interaction                         \(ns(path))   \(number(path / decode[0], 2))   at most 1000 ns
              with signals                                    \(ns(paths[1]))   \(number(paths[1] / decode[0], 2))
              of a flood of invented beacons                  \(ns(flood.nanoseconds))   \(number(flood.nanoseconds / decode[0], 2))

            allocations between records   \(allocations.inReports) in \(allocations.reports) reports
            allocations with records      \(allocations.withRecords) in \(allocations.records) records
            in the flood                  \(flood.started) interactions began, \(flood.growth) bytes more are held after it

            decode_ratio_to_c: \(number(decode[1] / decode[0], 3))
            data_decode_ratio_to_c: \(number(decode[3] / decode[2], 3))
            decode_ns: \(number(decode[1], 2))
            data_decode_ns: \(number(decode[3], 2))
            path_reports_per_second: \(Int(1e9 / path))
            core_percent_at_2600_reports: \(number(path * 2600 / 1e7, 3))
            allocations_per_report: \(allocations.inReports == 0 ? "0" : number(perReport, 5))
            path_with_signals_ns: \(number(paths[1], 1))
            flood_ns_per_report: \(number(flood.nanoseconds, 1))
            flood_core_percent_at_30000_reports: \(number(flood.nanoseconds * 30_000 / 1e7, 2))
            flood_growth_bytes: \(flood.growth)
            flood_allocations: \(flood.allocations)
            flood_interactions_started: \(flood.started)
            """)
    }

    private static func ns(_ value: Double) -> String {
        let text = number(value, 1)
        return String(repeating: " ", count: max(0, 6 - text.count)) + text + " ns"
    }

    private static func number(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((value * scale).rounded())
        let fraction = String(scaled % Int(scale))
        return "\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
