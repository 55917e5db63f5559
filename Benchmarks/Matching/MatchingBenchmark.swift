import Glibc
import InteractionStore
import Matching

/// Loads a population into a store, and measures what people wait for.
///
///     MatchingBenchmark load LOCATION INTERACTIONS            into an empty store
///     MatchingBenchmark match LOCATION INTERACTIONS           in what was loaded
///     MatchingBenchmark list LOCATION INTERACTIONS            all exposures, by names, a line for each
///     MatchingBenchmark readings LOCATION BADGES GATEWAYS DAYS HOURS [BUILDINGS]   of minutes, into an empty store
///     MatchingBenchmark reports LOCATION BADGES GATEWAYS DAYS HOURS [BUILDINGS]    in what is there, and in the days before
///     MatchingBenchmark records GATEWAY COUNT                 as gateway number GATEWAY publishes them, after their topic
///     MatchingBenchmark write LOCATION INTERACTIONS WRITERS   more of it by so many at once, as so many matchers do it
@main
struct MatchingBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.count == 3, arguments[1] == "records", let gateway = UInt16(arguments[2]),
            let count = UInt64(arguments[3]), count > 0
        {
            return LiveRecords.print(count, gateway: gateway)
        }
        if (6...7).contains(arguments.count), ["readings", "reports"].contains(arguments[1]),
            let location = StoreLocation(arguments[2])
        {
            let numbers = arguments[3...].compactMap { Int($0) }.filter { $0 > 0 }
            guard numbers.count == arguments.count - 2, numbers[1] >= 10 else { return usage() }
            let run = try ReadingsRun(
                location, badges: numbers[0], gateways: numbers[1], days: numbers[2], hours: numbers[3],
                buildings: numbers.count == 5 ? numbers[4] : 1)
            return arguments[1] == "readings" ? try run.run() : try run.reports()
        }
        guard (3...4).contains(arguments.count), let location = StoreLocation(arguments[2]),
            let count = Int(arguments[3])
        else { return usage() }
        switch (arguments[1], arguments.count == 4 ? Int(arguments[4]) : nil) {
        case ("load", nil):
            var run = MatchingRun(try InteractionStore.open(location), location, interactions: count)
            try run.load()
            run.report()
        case ("match", nil):
            var run = MatchingRun(try InteractionStore.open(location), location, interactions: count)
            try run.match()
            run.report()
        case ("list", nil):
            try MatchingRun(try InteractionStore.open(location), location, interactions: count).list()
        case ("write", let writers?):
            try await WritersRun(location: location, interactions: count, writers: writers).run()
        default: usage()
        }
    }

    private static func usage() {
        print(
            "usage: MatchingBenchmark load|match|list|write LOCATION INTERACTIONS [WRITERS]\n"
                + "       MatchingBenchmark readings|reports LOCATION BADGES GATEWAYS DAYS HOURS [BUILDINGS]")
        exit(64)
    }
}
