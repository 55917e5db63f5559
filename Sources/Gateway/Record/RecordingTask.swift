import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
import HCI
import SystemIO

/// Recording from its first packet to its closing summary.
struct RecordingTask: Sendable {
    var names: RecordingNames
    /// Maximum size of one file, in bytes.
    var maximumSize: Int
    /// Capture to record again; `nil` for an adapter.
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

    /// Records what an adapter receives until its scanner is stopped. Scanning is off when this returns.
    ///
    /// - Throws: `ScannerError`, after printing the summary of what was recorded; `RecordingError`.
    func record(_ scanner: AdapterScanner) async throws {
        // Report a file that is in the way before touching the radio, and rename nothing for a radio that is absent.
        try RecordingFiles(names: names).check(source: nil, mustBeNew: isPseudonymous)
        var recording: Recording?
        let counter = LiveLines(isInteractive: isInteractive)
        var drawnAt: ContinuousClock.Instant?
        var iterator = try scanner.scan().makeAsyncIterator()
        do {
            while let event = try await iterator.next() {
                switch event {
                case .state(let state):
                    // An adapter that cannot be opened at all ends the recording before it has begun.
                    guard state.mode != nil else { break }
                    if let error = state.error { Terminal.note("\(error.inOneLine); waiting for it to return") }
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
            // Whatever ended the recording, the controller must not continue scanning.
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
