import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
import HCI
import SystemIO

/// A recording from its first packet to what is said of it at the end.
struct RecordingTask: Sendable {
    var names: RecordingNames
    /// Bytes of one file at most.
    var maximumSize: Int
    /// The capture that is recorded again; `nil` for an adapter.
    var replay: String?
    var isPseudonymous: Bool
    var isInteractive: Bool

    /// Records a capture again.
    ///
    /// - Throws: `CaptureError` at a damaged record, after everything before it was recorded; `RecordingError`.
    func record(capture path: String) throws {
        var source = try BTSnoopFile(path: path)
        var recording = try begin()
        do {
            while let batch = try source.next(limit: 256) { try recording.record(batch) }
        } catch {
            try? say(recording.summary)
            throw error
        }
        try say(recording.summary)
    }

    /// Records what an adapter hears, until its scanner is stopped; scanning is off when this returns.
    ///
    /// - Throws: `ScannerError`, after saying what was recorded before; `RecordingError`.
    func record(_ scanner: AdapterScanner) async throws {
        // What is in the way is said before the radio is touched, and nothing is put aside for a radio that isn't there.
        try RecordingFiles(names: names).check(source: nil, mustBeNew: isPseudonymous)
        var recording: Recording?
        let counter = LiveLines(isInteractive: isInteractive)
        var drawnAt: ContinuousClock.Instant?
        var iterator = try scanner.scan().makeAsyncIterator()
        do {
            while let event = try await iterator.next() {
                switch event {
                case .state(let state):
                    // One that can't be opened at all ends the recording before it has begun.
                    guard state.mode != nil else { break }
                    if let error = state.error { Terminal.note("\(error.inOneLine); waiting until it is back") }
                    if recording == nil { recording = try begin() }
                case .packets(let batch): try recording?.record(batch)
                case .silence: break
                }
                if isInteractive, let summary = recording?.summary, drawnAt.map({ .now - $0 >= .seconds(1) }) ?? true {
                    counter.set("counter", summary.line)
                    drawnAt = .now
                }
            }
        } catch {
            // Whatever ended the recording, the controller must not go on scanning.
            scanner.stop()
            while (try? await iterator.next()) != nil {}
            if let summary = recording?.summary { try? say(summary) }
            throw error
        }
        if let summary = recording?.summary { try say(summary) }
    }

    private func begin() throws(RecordingError) -> Recording {
        let recording = try Recording(
            names: names, maximumSize: maximumSize, source: replay,
            pseudonymisation: isPseudonymous ? Pseudonymisation() : nil)
        if let removed = recording.removedAtFirst { Terminal.note("removed \(removed), the oldest earlier recording") }
        if let kept = recording.keptAtFirst { Terminal.note("kept the earlier recording as \(kept)") }
        return recording
    }

    private func say(_ summary: RecordingSummary) throws(OutputClosed) {
        for line in summary.lines(names: names) { try Terminal.print(line) }
    }
}
