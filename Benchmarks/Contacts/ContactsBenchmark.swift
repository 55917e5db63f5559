import Glibc

/// People who walk about in a building, with contacts that are known, and what the gateways and the matcher find of them.
///
///     ContactsBenchmark [--seed N] [--people N] [--days N] ...
///
/// Prints its options, a table, and then a line for each figure. Equal options give equal output. Nothing passes or fails.
@main
struct ContactsBenchmark {
    static func main() async throws {
        guard let options = ContactsOptions(Array(CommandLine.arguments.dropFirst())) else {
            _ = ContactsOptions.usage.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            exit(EX_USAGE)
        }
        print("options: \(options.text)")
        let directory = try StoreDirectory()
        defer { directory.remove() }
        let results = try await ContactsRun(options, directory: directory.path).results()
        let report = ContactsReport(results)
        print(report.text)
        for line in report.figures { print(line) }
    }
}
