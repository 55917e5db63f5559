import Glibc

/// Rooms and positions on recordings with ground truth, beside simpler methods.
///
///     PlacesBenchmark DIRECTORY
///
/// Prints a table for each recording, and then a line for each figure. No figure passes or fails. The directory can be
/// a folder in the neutral format, and can hold such folders, the public recordings that have a converter, or both.
///
/// A folder with a mistake is not judged: the mistake is printed on standard error, and the status is 65 after the
/// other folders were judged.
@main
struct PlacesBenchmark {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            fail("usage: PlacesBenchmark DIRECTORY", status: EX_USAGE)
        }
        let directory = CommandLine.arguments[1]
        let (recordings, mistakes) = read(directory)
        for mistake in mistakes { complain(mistake.text) }
        guard !recordings.isEmpty else {
            guard mistakes.isEmpty else { exit(EX_DATAERR) }
            print("skipped: there are no recordings of places in \(directory)")
            return
        }
        var figures: [String] = []
        for recording in recordings {
            let judgement = Judgement(recording)
            print(PlacesReport.text(judgement) + "\n")
            figures += PlacesReport.figures(judgement)
        }
        let cost = CostMeasure()
        figures += PlacesReport.figures(cost)
        for line in figures { print(line) }
        if !mistakes.isEmpty { exit(EX_DATAERR) }
    }

    /// Reads all recordings of a directory, and what is wrong with folders that cannot be read.
    private static func read(_ directory: String) -> ([Recording], [RecordingFolder.Mistake]) {
        var recordings: [Recording] = []
        var mistakes: [RecordingFolder.Mistake] = []
        // The directory itself can be a recording.
        let own = directory.split(separator: "/").last.map(String.init) ?? "recording"
        for (folder, name) in [(directory, own)] + TextFile.folders(directory).map({ ("\(directory)/\($0)", $0) }) {
            do throws(RecordingFolder.Mistake) {
                if let recording = try RecordingFolder.read(folder, name: name) { recordings.append(recording) }
            } catch {
                mistakes.append(error)
            }
        }
        recordings += FlatConverter.recordings(directory)
        recordings += LibraryConverter.recordings(directory)
        return (recordings, mistakes)
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        complain(text)
        exit(status)
    }

    /// Writes a line to standard error.
    private static func complain(_ text: String) {
        let line = text + "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
