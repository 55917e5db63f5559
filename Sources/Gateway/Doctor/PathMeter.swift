import BeaconModel
import BlueZScanner
import Diagnostics
import Glibc
import HCI
import SystemIO

/// Measurement of the reception on a path.
enum PathMeter {
    typealias Progress = @Sendable (_ reports: Int, _ elapsed: Duration) -> Void

    /// Maximum number of distinct addresses counted.
    private static let mostSenders = 100_000

    /// Scans for `duration`, then switches scanning off, even when the task is cancelled.
    static func measure(
        _ path: ScanPathKind, _ adapter: Adapter, for duration: Duration, progress: @escaping Progress
    ) async -> PathMeasurement {
        let scanner: AdapterScanner
        do throws(SystemError) {
            scanner = try AdapterScanner(.index(adapter), path: path, endsWhenNotOpened: true)
        } catch {
            return PathMeasurement(path: path, adapter: adapter, outcome: .failed(.system(adapter, error)))
        }
        // A separate task, which is not cancelled: it ends when scanning is off.
        let listening = Task { await listen(to: scanner, adapter, for: duration, progress: progress) }
        let outcome = await withTaskCancellationHandler {
            await listening.value
        } onCancel: {
            scanner.stop()
        }
        return PathMeasurement(path: path, adapter: adapter, outcome: outcome)
    }

    private static func listen(
        to scanner: AdapterScanner, _ adapter: Adapter, for duration: Duration, progress: Progress
    ) async -> PathMeasurement.Outcome {
        var reports = 0
        var senders: Set<BluetoothAddress> = []
        var mode: ScanMode?
        var start: ContinuousClock.Instant?
        var failure: ScannerError?
        // A controller that does not answer must not hold up the doctor.
        let patience = Task {
            try await Task.sleep(for: duration + .seconds(10))
            scanner.stop()
            try await Task.sleep(for: .seconds(5))
            scanner.abandon()
        }
        var end: Task<Void, any Error>?
        defer {
            patience.cancel()
            end?.cancel()
        }
        do {
            for try await event in try scanner.scan() {
                switch event {
                case .state(let state):
                    mode = state.mode
                    if let error = state.error {
                        // For a path that only listens, this is a result and not a failure.
                        if case .nobodyScans = error { continue }
                        failure = failure ?? error
                        scanner.stop()
                    } else if start == nil, state.condition != .starting {
                        start = .now
                        end = Task {
                            try await Task.sleep(for: duration)
                            scanner.stop()
                        }
                    }
                case .packets(let batch):
                    if let start, ContinuousClock.now - start > duration { continue }
                    _ = batch.forEachReport { report, _ in
                        reports += 1
                        if senders.count < mostSenders, report.addressKind != .anonymous {
                            senders.insert(report.address)
                        }
                    }
                    progress(reports, start.map { ContinuousClock.now - $0 } ?? .zero)
                case .silence: progress(reports, start.map { ContinuousClock.now - $0 } ?? .zero)
                }
            }
        } catch let error as ScannerError {
            failure = failure ?? error
        } catch let error as SystemError {
            failure = failure ?? .system(adapter, error)
        } catch {
            failure = failure ?? .notAnswering(adapter, command: "scan")
        }
        if let failure { return .failed(failure) }
        guard let start else { return .failed(.notAnswering(adapter, command: "scan")) }
        return .heard(
            PathMeasurement.Reception(
                reports: reports, senders: senders.count, elapsed: min(duration, ContinuousClock.now - start),
                mode: mode))
    }

    /// Restores adapters to their state, on or off, before they were measured.
    static func restore(_ adapters: [AdapterDescription]) async {
        // A separate task, which is not cancelled: it is most needed after Ctrl-C.
        await Task {
            for adapter in adapters {
                // The previous user of the adapter might still be closing it.
                for _ in 0..<20 {
                    let now = try? Adapters.list().first { $0.adapter == adapter.adapter }
                    if now == nil || now?.isUp == adapter.isUp { break }
                    do throws(ScannerError) { try Adapters.restore(adapter) } catch {}
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
        }.value
    }
}
