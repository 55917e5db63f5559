import BeaconModel
import SystemIO

/// Leads the dialogue with the module on one serial port.
public struct ModuleProvisioner: Sendable {
    private let path: String
    private let configuration: BeaconConfiguration

    public init(port path: String, configuration: BeaconConfiguration) {
        self.path = path
        self.configuration = configuration
    }

    /// Makes the module advertise, once. Takes about 3 s, or up to 20 s until it gives up.
    ///
    /// - Parameter progress: called for each step, on a thread of its own.
    /// - Throws: `SerialPortError`, `ProvisioningError`, `SystemError`, or `CancellationError`.
    public func provision(
        progress: @escaping @Sendable (ProvisioningStep) -> Void
    ) async throws -> ProvisionedModule {
        let wakeup = try WakeupPipe()
        let (path, configuration) = (path, configuration)
        return try await withTaskCancellationHandler {
            try await DedicatedThread.run(name: "provision") {
                Result { try Self.lead(path, configuration, wakeup, progress) }
            }.get()
        } onCancel: {
            wakeup.wake()
        }
    }

    private static func lead(
        _ path: String, _ configuration: BeaconConfiguration, _ wakeup: WakeupPipe,
        _ progress: (ProvisioningStep) -> Void
    ) throws -> ProvisionedModule {
        let port = try SerialPort.open(path)
        var dialogue = RS9116Provisioning(configuration: configuration)
        var deadline = ContinuousClock.now
        var actions = dialogue.handle(.opened)
        while true {
            for action in actions {
                switch action {
                case .send(let bytes): try port.write(bytes, wakeup: wakeup)
                case .wait(let duration): deadline = ContinuousClock.now + duration
                case .report(let step): progress(step)
                case .finished(let module): return module
                case .failed(let error): throw error
                }
            }
            let remaining = deadline - ContinuousClock.now
            guard let bytes = try port.read(timeout: max(.zero, remaining), wakeup: wakeup) else {
                throw CancellationError()
            }
            actions = bytes.isEmpty ? [] : dialogue.handle(.bytes(bytes))
            // A device that never stops sending must not keep the deadline from passing.
            if actions.isEmpty, ContinuousClock.now >= deadline { actions = dialogue.handle(.deadline) }
        }
    }
}
