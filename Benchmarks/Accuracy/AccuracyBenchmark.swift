import Glibc

/// Distance, contact and presence on public recordings with ground truth, beside simple estimators.
///
///     AccuracyBenchmark DIRECTORY
///
/// Prints what was read, a table for each data set, and then a line for each figure. Nothing passes or fails. Data sets
/// and files that aren't there are left out.
@main
struct AccuracyBenchmark {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            let usage = "usage: AccuracyBenchmark DIRECTORY\n"
            _ = usage.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            exit(EX_USAGE)
        }
        let directory = CommandLine.arguments[1]
        guard DataDirectory.exists(directory) else {
            print("skipped: there is no directory \(directory) of recordings")
            return
        }
        run(directory)
    }

    private static func run(_ directory: String) {
        var log = ReadingLog()
        var figures = Figures()
        let distances = readings(directory, &log)
        let contacts = DP3TReader.read(directory, &log)
        for line in log.lines + log.skipped { print(line) }
        for reading in distances where !reading.windows.isEmpty {
            let report = DistanceReport(reading)
            print("\n" + report.text)
            report.add(to: &figures)
        }
        for visits in distances.compactMap(\.visits) {
            let report = VisitReport(visits)
            print("\n" + report.text)
            report.add(to: &figures)
        }
        var streams = distances.filter { !$0.streams.isEmpty }.map { ($0.dataSet, $0.streams) }
        let pairs = contacts.flatMap(ContactWindow.windows)
        for (dataSet, recordings) in Dictionary(grouping: contacts, by: \.dataSet).sorted(by: { $0.key < $1.key }) {
            let windows = pairs.filter { $0.dataSet == dataSet }
            let others = pairs.filter { $0.dataSet != dataSet }
            if windows.isEmpty {
                print("\nskipped: \(dataSet): no pair's distance is known for most of any five minutes")
            } else {
                let report = ContactReport(dataSet, windows, others: others)
                print("\n" + report.text)
                report.add(to: &figures)
            }
            streams.append((dataSet, recordings.flatMap(DP3TReader.streams)))
        }
        for (dataSet, streams) in streams {
            let report = PresenceReport(dataSet, streams)
            print("\n" + report.text)
            report.add(to: &figures)
        }
        print()
        for line in figures.lines { print(line) }
    }

    /// Data sets of which there is nothing are said to be skipped.
    private static func readings(_ directory: String, _ log: inout ReadingLog) -> [DistanceReading] {
        let readers: [(name: String, read: (String, inout ReadingLog) -> [DistanceReading])] = [
            ("pact-*", PACTReader.read), ("rss-humanhuman", HumanHumanReader.read), ("uji-ble", UJIReader.read),
            ("kolakowski-flat", KolakowskiReader.read),
        ]
        return readers.flatMap { name, read in
            let readings = read(directory, &log)
            if readings.isEmpty { log.skip("\(directory)/\(name)", "nothing to be read") }
            return readings
        }
    }
}
