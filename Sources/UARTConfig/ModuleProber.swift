package import ModuleDialogues
import SystemIO

/// Runs a `ModuleProbe` on one serial port.
package struct ModuleProber: Sendable {
    private let path: String

    package init(port path: String) { self.path = path }

    /// Runs the probe. It takes half a minute, at most a minute and a half.
    ///
    /// - Parameters:
    ///   - tap: receives all events of the line.
    ///   - progress: called with a description of each experiment.
    /// - Throws: `SerialPortError`, `ProvisioningError` when no module can be found, `SystemError`, or
    ///   `CancellationError`.
    package func probe(tap: SerialTap? = nil, progress: (String) -> Void) async throws -> ProbeReport {
        let link = try LineLink(port: path, dialogue: ModuleProbe(), limit: ModuleProbe.limit, tap: tap)
        return try await withTaskCancellationHandler {
            var report: ProbeReport?
            for try await event in link.events {
                switch event {
                case .trying(let trial): progress(trial.words)
                case .done(let found): report = found
                case .failed(let error): throw error
                case .reached, .finished: break
                }
            }
            guard let report else { throw CancellationError() }
            return report
        } onCancel: {
            link.close()
        }
    }
}
