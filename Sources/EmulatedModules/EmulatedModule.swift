import BeaconModel
import Glibc
package import ModuleEmulator
import SystemIO

/// An emulated module at the end of a pseudo-terminal: for a program that opens it, a module at a serial port.
package final class EmulatedModule: Sendable {
    /// What is on the air, each time it changes, up to the end by `stop`. Keeps the newest 64 for a slow reader.
    package let airChanges: AsyncStream<OnAir>

    private let control: LockedValue<Control>
    private let wakeup: WakeupPipe

    /// An RS9116W.
    ///
    /// - Parameter link: where to put a symbolic link to the port.
    /// - Throws: `SystemError`, or `PortLinkOccupied` when something else than a link is at `link`.
    package convenience init(options: RS9116Emulator.Options = .init(), link: String? = nil) throws {
        try self.init(RS9116Emulator(options: options), link: link)
    }

    /// - Parameter link: where to put a symbolic link to the port.
    /// - Throws: `SystemError`, or `PortLinkOccupied` when something else than a link is at `link`.
    package init(_ emulator: any EmulatedFirmware, link: String? = nil) throws {
        let terminal = try PseudoTerminal(baud: emulator.usualBaud)
        let wakeup = try WakeupPipe()
        let control = LockedValue(Control(air: emulator.air, portPath: terminal.path))
        let (changes, continuation) = AsyncStream.makeStream(of: OnAir.self, bufferingPolicy: .bufferingNewest(64))
        let portLink = try link.map { try PortLink(at: $0, to: terminal.path) }
        let module = ModuleThread(
            emulator: emulator, terminal: terminal, link: portLink, control: control, wakeup: wakeup,
            changes: continuation)
        do {
            try DedicatedThread.start(name: "module-emulator") { module.run() }
        } catch {
            portLink?.remove()
            throw error
        }
        // Last, because a failure after this would run `deinit`, which waits for the thread.
        airChanges = changes
        self.control = control
        self.wakeup = wakeup
    }

    deinit { stop() }

    /// The port to open. It exists until `unplug` or `stop`, and has another path after `plug` and after each time
    /// that it vanished.
    package var portPath: String { control.withLock { $0.portPath } }

    /// What is on the air now; nothing after `stop`. From any thread.
    package var currentAir: OnAir { control.withLock { $0.air } }

    /// Presses the RESET button. From any thread.
    package func pressReset() { request(.reset) }

    /// A phone connects, if the module is connectable. Returns once that has happened. From any thread.
    ///
    /// - Returns: whether the module said anything, or changed what is on the air.
    @discardableResult
    package func centralConnects() -> Bool { perform(.connect)?.hadEffect ?? false }

    /// The phone, if there is one, ends its connection. Returns once that has happened. From any thread.
    ///
    /// - Returns: whether the module said anything, or changed what is on the air.
    @discardableResult
    package func centralDisconnects() -> Bool { perform(.disconnect)?.hadEffect ?? false }

    /// Somebody types at a terminal on the same line, reads the answers and leaves. Returns once that has happened.
    /// From any thread.
    package func type(_ text: String) { perform(.type(Array(text.utf8))) }

    /// The radio receives somebody's advertisement. From any thread; more than 256 at once are lost.
    ///
    /// - Parameter rssi: in dBm.
    package func hear(_ air: OnAir, rssi: Int8) { request(.hear(air, rssi: rssi)) }

    /// Pulls the plug: the port and its link are gone, and the module has no power. Returns once that has happened.
    /// From any thread.
    package func unplug() { perform(.unplug) }

    /// Plugs the module in, at another port; does nothing to one that is plugged in. Returns once the port is there.
    /// From any thread.
    ///
    /// - Parameter link: where to put a symbolic link to the port.
    /// - Throws: `SystemError`, after `stop` too, or `PortLinkOccupied`. The module stays unplugged.
    package func plug(link: String? = nil) throws {
        guard let result = perform(.plug(link: link)) else {
            throw SystemError("plug a module in that was stopped", errorNumber: ENODEV)
        }
        if let error = result.error { throw error }
    }

    /// The bytes of a firmware image that a host has burnt; `nil` when there is none of that number (0 to 15). From
    /// any thread.
    package func receivedImage(_ number: Int) -> [UInt8]? { perform(.readImage(number))?.image }

    /// Takes the port and the link away, and returns once they are gone. May be called again, from any thread.
    package func stop() {
        control.withLock { $0.stopIsRequested = true }
        wakeup.wake()
        control.wait { $0.isStopped }
    }

    private func request(_ request: Control.Request) {
        control.withLock { $0.enqueue(request, ticket: nil) }
        wakeup.wake()
    }

    /// - Returns: `nil` after `stop`.
    @discardableResult
    private func perform(_ request: Control.Request) -> Control.Result? {
        let ticket = control.withLock { control in
            control.lastTicket += 1
            control.enqueue(request, ticket: control.lastTicket)
            return control.lastTicket
        }
        wakeup.wake()
        control.wait { $0.results[ticket] != nil || $0.isStopped }
        return control.withLock { $0.results.removeValue(forKey: ticket) }
    }
}

extension EmulatedModule {
    /// What the thread and its owner tell each other.
    struct Control: Sendable {
        var air: OnAir
        var portPath: String
        var requests: [(request: Request, ticket: Int?)] = []
        /// What became of the requests with a ticket.
        var results: [Int: Result] = [:]
        var lastTicket = 0
        var stopIsRequested = false
        var isStopped = false

        init(air: OnAir, portPath: String) {
            self.air = air
            self.portPath = portPath
        }

        /// Requests that somebody waits for are bounded by their number of threads.
        mutating func enqueue(_ request: Request, ticket: Int?) {
            guard ticket != nil || requests.count < 256 else { return }
            requests.append((request, ticket))
        }

        package enum Request: Sendable {
            case reset, connect, disconnect, unplug
            case type([UInt8])
            case hear(OnAir, rssi: Int8)
            case plug(link: String?)
            case readImage(Int)
        }

        package struct Result: Sendable {
            var hadEffect = false
            var image: [UInt8]?
            var error: (any Error)?
        }
    }
}
