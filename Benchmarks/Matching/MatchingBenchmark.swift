import Glibc
import InteractionStore
import MQTTBridge
import Matching

/// Loads a population into a store, and measures what people wait for.
///
///     MatchingBenchmark LOCATION INTERACTIONS            into an empty store
///     MatchingBenchmark LOCATION INTERACTIONS WRITERS    more of it by so many at once, as so many matchers do it
@main
struct MatchingBenchmark {
    static func main() async throws {
        guard (3...4).contains(CommandLine.arguments.count), let location = StoreLocation(CommandLine.arguments[1]),
            let count = Int(CommandLine.arguments[2])
        else {
            print("usage: MatchingBenchmark LOCATION INTERACTIONS [WRITERS]")
            exit(64)
        }
        if let writers = CommandLine.arguments.dropFirst(3).first.flatMap({ Int($0) }) {
            return try await WritersRun(location: location, interactions: count, writers: writers).run()
        }
        let store = try InteractionStore.open(location)
        var run = MatchingRun(store: store, population: Population(interactions: count))
        try run.load()
        try run.match()
        run.report(location)
    }
}
