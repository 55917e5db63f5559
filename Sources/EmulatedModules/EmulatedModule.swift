import BeaconModel
import Glibc
package import ModuleEmulator
import SystemIO

/// An emulated module on a pseudo-terminal. For a program that opens it, it behaves like a module on a serial port.
package final class EmulatedModule: Sendable {
    /// Changes to the transmitted data, until `stop`. Keeps the newest 64 for a slow reader.
    package let airChanges: AsyncStream<OnAir>

    private let control: LockedValue<Control>
    private let wakeup: WakeupPipe

    /// Creates an emulated RS9116W.
    ///
    /// - Parameter link: the path of a symbolic link to create to the port.
    /// - Throws: `SystemError`, or `PortLinkOccupied` when `link` exists and is not a symbolic link.
    package convenience init(options: RS9116Emulator.Options = .init(), link: String? = nil) throws {
        try self.init(RS9116Emulator(options: options), link: link)
    }

    /// - Parameter link: the path of a symbolic link to create to the port.
    /// - Throws: `SystemError`, or `PortLinkOccupied` when `link` exists and is not a symbolic link.
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
        // This must come last. A failure after it would run `deinit`, which waits for the thread.
        airChanges = changes
        self.control = control
        self.wakeup = wakeup
    }

    deinit { stop() }

    /// Path of the port to open. The port exists until `unplug` or `stop`. Its path changes after `plug` and each time
    /// the port has vanished.
    package var portPath: String { control.withLock { $0.portPath } }

    /// Data being transmitted now; nothing after `stop`. Safe to call from any thread.
    package var currentAir: OnAir { control.withLock { $0.air } }

    /// Presses the RESET button. Safe to call from any thread.
    package func pressReset() { request(.reset) }

    /// Connects a phone, if the module is connectable. Returns once that has happened. Safe to call from any thread.
    ///
    /// - Returns: whether the module sent output or changed the transmitted data.
    @discardableResult
    package func centralConnects() -> Bool { perform(.connect)?.hadEffect ?? false }

    /// Disconnects the phone, if one is connected. Returns once that has happened. Safe to call from any thread.
    ///
    /// - Returns: whether the module sent output or changed the transmitted data.
    @discardableResult
    package func centralDisconnects() -> Bool { perform(.disconnect)?.hadEffect ?? false }

    /// Simulates a user who types at a terminal on the same line, reads the answers and leaves. Returns once that has
    /// happened. Safe to call from any thread.
    package func type(_ text: String) { perform(.type(Array(text.utf8))) }

    /// Delivers an advertisement to the radio. Safe to call from any thread. When 256 requests are queued, further ones
    /// are lost.
    ///
    /// - Parameter rssi: the signal strength in dBm.
    package func hear(_ air: OnAir, rssi: Int8) { request(.hear(air, rssi: rssi)) }

    /// Unplugs the module: the port and its link disappear, and the module has no power. Returns once that has
    /// happened. Safe to call from any thread.
    package func unplug() { perform(.unplug) }

    /// Plugs the module in at another port. Does nothing if it is already plugged in. Returns once the port exists.
    /// Safe to call from any thread.
    ///
    /// - Parameter link: the path of a symbolic link to create to the port.
    /// - Throws: `SystemError`, also after `stop`, or `PortLinkOccupied`. The module then stays unplugged.
    package func plug(link: String? = nil) throws {
        guard let result = perform(.plug(link: link)) else {
            throw SystemError("plug in a module that was stopped", errorNumber: ENODEV)
        }
        if let error = result.error { throw error }
    }

    /// Returns the bytes of a firmware image written by a host, or `nil` when there is none with that number (0 to 15).
    /// Safe to call from any thread.
    package func receivedImage(_ number: Int) -> [UInt8]? { perform(.readImage(number))?.image }

    /// Removes the port and the link, and returns once they are gone. Can be called repeatedly. Safe to call from any
    /// thread.
    package func stop() {
        control.withLock { $0.stopIsRequested = true }
        wakeup.wake()
        control.wait { $0.isStopped }
    }

    private func request(_ request: Control.Request) {
        control.withLock { $0.enqueue(request, ticket: nil) }
        wakeup.wake()
    }

    /// Performs a request and waits for its result.
    ///
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
    /// State shared by the thread and its owner.
    struct Control: Sendable {
        var air: OnAir
        var portPath: String
        var requests: [(request: Request, ticket: Int?)] = []
        /// Results of the requests with a ticket.
        var results: [Int: Result] = [:]
        var lastTicket = 0
        var stopIsRequested = false
        var isStopped = false

        init(air: OnAir, portPath: String) {
            self.air = air
            self.portPath = portPath
        }

        /// Queues a request. Requests with a ticket are bounded by the number of waiting threads; others are limited to
        /// 256.
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
