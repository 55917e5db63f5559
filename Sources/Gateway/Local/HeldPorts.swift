import BeaconModel
import CommandSupport
import GatewayCore
import ModuleDialogues

/// Ports that a running gateway holds open, and what it knows of the modules on them.
struct HeldPorts: Sendable {
    private var status: LocalStatus?

    /// Asks the running gateway. Without one, no ports are held.
    ///
    /// - Parameter paths: where its local socket can be.
    static func ask(_ paths: [String]) async -> HeldPorts {
        guard !paths.isEmpty else { return HeldPorts() }
        do {
            return HeldPorts(status: try await LocalClient(paths: paths, configuration: nil).status().status)
        } catch LocalClientError.notRunning {
            return HeldPorts()
        } catch {
            Terminal.note("warning: the running gateway was not asked for its ports: \(error.inOneLine)")
            return HeldPorts()
        }
    }

    private init(status: LocalStatus? = nil) { self.status = status }

    var process: Int32? { status?.process }

    /// Ports, by the kernel's names.
    var devices: [String] { status?.openPorts ?? [] }

    func contains(_ port: SerialPortDescription) -> Bool { devices.contains(where: port.isCalled) }

    func module(on port: SerialPortDescription) -> LocalStatus.Module? {
        status?.modules.first { port.isCalled($0.port) }
    }

    func problem(of port: SerialPortDescription) -> LocalStatus.OtherPort? {
        status?.otherPorts.first { port.isCalled($0.port) }
    }
}
