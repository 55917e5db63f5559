import BeaconModel
import SystemIO

/// An `RS9116Emulator` at the end of a pseudo-terminal: for a program that opens it, a module at a serial port.
public final class EmulatedModule: Sendable {
    /// The port to open; it exists until `stop`.
    public let portPath: String
    /// What is on the air, each time it changes, up to the end by `stop`. Keeps the newest 64 for a slow reader.
    public let airChanges: AsyncStream<OnAir>

    private let control: LockedValue<Control>
    private let wakeup: WakeupPipe

    /// - Parameter link: where to put a symbolic link to the port.
    /// - Throws: `SystemError`, or `PortLinkOccupied` when something else than a link is at `link`.
    public init(options: RS9116Emulator.Options = .init(), link: String? = nil) throws {
        let emulator = RS9116Emulator(options: options)
        let terminal = try PseudoTerminal()
        let wakeup = try WakeupPipe()
        let control = LockedValue(Control(air: emulator.air))
        let (changes, continuation) = AsyncStream.makeStream(of: OnAir.self, bufferingPolicy: .bufferingNewest(64))
        let portPath = terminal.path
        let portLink = try link.map { try PortLink(at: $0, to: portPath) }
        let module = ModuleThread(
            emulator: emulator, terminal: terminal, link: portLink, control: control, wakeup: wakeup,
            changes: continuation)
        do {
            try DedicatedThread.start(name: "rs9116-emulator") { module.run() }
        } catch {
            portLink?.remove()
            throw error
        }
        // Last, because a failure after this would run `deinit`, which waits for the thread.
        self.portPath = portPath
        airChanges = changes
        self.control = control
        self.wakeup = wakeup
    }

    deinit { stop() }

    /// What is on the air now; nothing after `stop`. From any thread.
    public var currentAir: OnAir { control.withLock { $0.air } }

    /// Presses the RESET button. From any thread.
    public func pressReset() {
        control.withLock { $0.resetIsPressed = true }
        wakeup.wake()
    }

    /// Takes the port and the link away, and returns once they are gone. May be called again, from any thread.
    public func stop() {
        control.withLock { $0.stopIsRequested = true }
        wakeup.wake()
        control.wait { $0.isStopped }
    }

    /// What the thread and its owner tell each other.
    struct Control: Sendable {
        var air: OnAir
        var resetIsPressed = false
        var stopIsRequested = false
        var isStopped = false
    }
}
