package import ModuleDialogues
import SystemIO

/// Runs the dialogue with the module on one serial port, once.
package struct ModuleProvisioner: Sendable {
    private let path: String
    private let kind: ModuleKind
    private let configuration: BeaconConfiguration
    private let profile: RS9116Profile
    private let tap: SerialTap?

    /// Creates a provisioner for a port.
    ///
    /// - Parameters:
    ///   - profile: what is known about an RS9116.
    ///   - tap: receives all events of the line.
    package init(
        port path: String, kind: ModuleKind = .rs9116, configuration: BeaconConfiguration,
        profile: RS9116Profile = RS9116Profile(), tap: SerialTap? = nil
    ) {
        self.path = path
        self.kind = kind
        self.configuration = configuration
        self.profile = profile
        self.tap = tap
    }

    /// Makes the module advertise, once. Takes about 3 s, or up to half a minute until it gives up.
    ///
    /// - Parameter progress: called for each step.
    /// - Throws: `SerialPortError`, `ProvisioningError`, `SystemError`, or `CancellationError`.
    package func provision(progress: (ProvisioningStep) -> Void) async throws -> ProvisionedModule {
        let dialogue = kind.dialogue(expected: configuration, profile: profile)
        let link = try ModuleLink(port: path, dialogue: dialogue, tap: tap)
        return try await withTaskCancellationHandler {
            var provisioned: ProvisionedModule?
            // Read to the end, when the port is closed.
            for try await event in link.events {
                switch event {
                case .report(let step): if provisioned == nil { progress(step) }
                case .changed(.identified): link.post(.assigned(configuration))
                case .changed(.provisioned(let module)):
                    provisioned = provisioned ?? module
                    link.close()
                case .changed(.failed(let error)): throw error
                case .changed, .received, .finished: break
                }
            }
            guard let provisioned else { throw CancellationError() }
            return provisioned
        } onCancel: {
            link.close()
        }
    }
}
