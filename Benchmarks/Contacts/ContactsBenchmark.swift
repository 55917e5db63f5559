import Glibc

/// People who walk about in buildings, with contacts that are known, and what the gateways and the matcher find of them.
///
///     ContactsBenchmark [--world NAME] [--seeds N,N] [--people N] [--days N] ...
///
/// Prints its options, tables, and then a line for each figure. Equal options give equal output. Nothing passes or fails.
@main
struct ContactsBenchmark {
    static func main() async throws {
        guard let options = ContactsOptions(Array(CommandLine.arguments.dropFirst())) else {
            _ = ContactsOptions.usage.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            exit(EX_USAGE)
        }
        print("options: \(options.text)")
        var dump = try options.dump.map { try DumpFile($0) }
        try dump?.write([PairDump.header])
        var runs: [ContactsResults] = []
        for world in options.worlds {
            for seed in options.seeds {
                let directory = try StoreDirectory()
                defer { directory.remove() }
                var results = try await ContactsRun(options, world, seed: seed, directory: directory.path).results()
                try dump?.write(results.dump)
                results.dump = []
                runs.append(results)
            }
        }
        let methods = MethodsReport(runs, losses: options.losses)
        print(methods.text)
        // Of several runs, only what is compared.
        let single = runs.count == 1 && options.hasRecords ? runs.first.map { ContactsReport($0) } : nil
        if let single { print(single.text) }
        for line in (single?.figures ?? []) + methods.figures { print(line) }
    }
}
