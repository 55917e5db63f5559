package import ModuleDialogues
import SystemIO

/// Leads a `ModuleProbe` on one serial port.
package struct ModuleProber: Sendable {
    private let path: String

    package init(port path: String) { self.path = path }

    /// Takes half a minute, a minute and a half at most.
    ///
    /// - Parameters:
    ///   - tap: told of all that happens on the line.
    ///   - progress: told what is being tried.
    /// - Throws: `SerialPortError`, `ProvisioningError` when there is no module to be found, `SystemError`, or
    ///   `CancellationError`.
    package func probe(tap: ModuleLink.Tap? = nil, progress: (String) -> Void) async throws -> ProbeReport {
        let link = try ModuleLink(port: path, dialogue: ModuleProbe(), limit: ModuleProbe.limit, tap: tap)
        return try await withTaskCancellationHandler {
            var report: ProbeReport?
            for try await event in link.events {
                switch event {
                case .probe(.trying(let what)): progress(what)
                case .probe(.done(let found)): report = found
                case .failed(let error): throw error
                default: break
                }
            }
            guard let report else { throw CancellationError() }
            return report
        } onCancel: {
            link.close()
        }
    }
}
