import Advertisement
import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
import HCI
import SystemIO

/// Feeds packets from captures or an adapter to an evaluation.
struct EvaluationTask: Sendable {
    private(set) var evaluation: Evaluation
    private var reader = ReportReader()

    init(_ schedule: EvaluationSchedule) { evaluation = Evaluation(schedule) }

    /// Reads a schedule file.
    static func schedule(_ path: String) throws -> EvaluationSchedule {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: EvaluationSchedule.longestFile)
        } catch {
            throw UnreadableSchedule(error: error)
        }
        return try EvaluationSchedule.parse(bytes, path: path)
    }

    /// Feeds captures to the evaluation, in the order of their first packets.
    ///
    /// - Throws: `CaptureError` at a damaged record, after everything before it in that file was processed.
    mutating func take(captures paths: [String]) throws(CaptureError) {
        var files: [(path: String, first: Timestamp)] = []
        for path in paths {
            var file = try BTSnoopFile(path: path)
            if let first = try file.next(limit: 1)?.firstTime { files.append((path, first)) }
        }
        for (path, _) in files.sorted(by: { $0.first < $1.first }) {
            var file = try BTSnoopFile(path: path)
            // A recording that continues in another file misses nothing between the files.
            evaluation.pause(tolerating: evaluation.schedule.requiredWindow)
            reader = ReportReader()
            while let batch = try file.next(limit: 256) { take(batch) }
        }
    }

    private mutating func take(_ batch: HCIPacketBatch) {
        if let first = batch.firstTime { evaluation.listen(at: first) }
        var reader = reader
        _ = reader.forEachAdvertisement(in: batch) { report, data in
            evaluation.observe(
                subject: AdvertisingData.decode(data).identity?.subject(address: nil),
                address: report.addressKind == .anonymous ? nil : report.address, rssi: report.rssi, at: report.time)
        }
        if let last = batch.lastTime { evaluation.listen(at: last) }
        self.reader = reader
    }

    /// Feeds the adapter's packets to the evaluation until the schedule is over or the scanner is stopped. Scanning is
    /// off when this returns.
    ///
    /// - Parameter tell: receives the progress, at most once a second.
    /// - Throws: `ScannerError`.
    mutating func take(_ scanner: AdapterScanner, tell: (String) -> Void) async throws {
        var iterator = try scanner.scan().makeAsyncIterator()
        var toldAt: Timestamp?
        do {
            while let event = try await iterator.next() {
                if case .state(let state) = event, state.mode != nil, let error = state.error {
                    Terminal.note("\(error.inOneLine); waiting for it to return")
                }
                guard let now = take(event) else { continue }
                if toldAt.map({ now < $0 || now - $0 >= .seconds(1) }) ?? true {
                    tell(progress(at: now))
                    toldAt = now
                }
                if let end = evaluation.end, now >= end { scanner.stop() }
            }
        } catch {
            // Whatever ended the scan, the controller must not continue scanning.
            scanner.stop()
            while (try? await iterator.next()) != nil {}
            throw error
        }
    }

    /// Handles a scanner event.
    ///
    /// - Returns: the current time, if the event has one.
    mutating func take(_ event: AdapterScanner.Event) -> Timestamp? {
        switch event {
        case .state(let state):
            // Not listening since the last packet. The next event shows that the receiver listens again.
            if state.condition == .deaf { evaluation.pause() }
            return nil
        case .packets(let batch):
            if batch.droppedPackets > 0 { evaluation.pause() }
            take(batch)
            return batch.lastTime
        case .silence(let now, let heardUntil):
            if let heardUntil { evaluation.listen(at: heardUntil) }
            return now
        }
    }

    /// Returns the progress line: time, end of the schedule and number of reports.
    private func progress(at time: Timestamp) -> String {
        let now = EvaluationWords.offset(time, from: evaluation.start)
        let end = evaluation.end.map { "until " + EvaluationWords.offset($0, from: evaluation.start) }
        return "listening  \(now) \(end ?? "until Ctrl-C"), \(EvaluationWords.plural(evaluation.reports, "report"))"
    }
}
