import Glibc

/// Rooms and positions on recordings with ground truth, beside simpler methods.
///
///     PlacesBenchmark DIRECTORY
///
/// Prints a table for each recording, and then a line for each figure. Nothing passes or fails. The directory can hold
/// folders in the neutral format, the public recordings that have a converter, or both.
@main
struct PlacesBenchmark {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            fail("usage: PlacesBenchmark DIRECTORY", status: EX_USAGE)
        }
        let directory = CommandLine.arguments[1]
        let recordings: [Recording]
        do {
            recordings = try read(directory)
        } catch {
            fail(error.text, status: EX_DATAERR)
        }
        guard !recordings.isEmpty else {
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
    }

    private static func read(_ directory: String) throws(RecordingFolder.Mistake) -> [Recording] {
        var recordings: [Recording] = []
        // The directory itself can be a recording.
        let own = directory.split(separator: "/").last.map(String.init) ?? "recording"
        for (folder, name) in [(directory, own)] + TextFile.folders(directory).map({ ("\(directory)/\($0)", $0) }) {
            if let recording = try RecordingFolder.read(folder, name: name) { recordings.append(recording) }
        }
        return recordings + FlatConverter.recordings(directory) + LibraryConverter.recordings(directory)
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        let line = text + "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(status)
    }
}
