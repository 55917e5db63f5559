import Glibc
import InteractionStore
import MQTTBridge
import Matching

/// Loads a population into a store, and measures what people wait for.
///
///     MatchingBenchmark LOCATION INTERACTIONS
@main
struct MatchingBenchmark {
    static func main() throws {
        guard CommandLine.arguments.count == 3, let location = StoreLocation(CommandLine.arguments[1]),
            let count = Int(CommandLine.arguments[2])
        else {
            print("usage: MatchingBenchmark LOCATION INTERACTIONS")
            exit(64)
        }
        let store = try InteractionStore.open(location)
        var run = MatchingRun(store: store, population: Population(interactions: count))
        try run.load()
        try run.match()
        run.report(location)
    }
}
