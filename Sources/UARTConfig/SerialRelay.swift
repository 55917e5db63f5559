import BeaconModel
import ModuleDialogues
import SystemIO

/// A relay between a program and a serial port. It gives the program a pseudo-terminal, forwards bytes in both
/// directions, applies the rate that the program sets, and reports all of it. DTR and RTS are not forwarded, because a
/// pseudo-terminal has none.
package final class SerialRelay: Sendable {
    /// Path of the port for the program to open.
    package let portPath: String
    private let wakeup: WakeupPipe
    private let state = LockedValue(State())

    private struct State: Sendable {
        var isStopRequested = false
        var isStopped = false
        var error: (any Error)?
    }

    /// Opens the port and begins. A port that disappears is reopened when it is back.
    ///
    /// - Parameters:
    ///   - link: path at which to create a symbolic link to the pseudo-terminal.
    ///   - tap: called on the relay's thread.
    /// - Throws: `SerialPortError`, `SystemError` or `PortLinkOccupied`.
    package init(port path: String, link: String? = nil, tap: @escaping SerialTap) throws {
        let wakeup = try WakeupPipe()
        self.wakeup = wakeup
        let port = try SerialPort.open(path)
        let terminal = try PseudoTerminal(baud: 115_200)
        portPath = terminal.path
        let portLink = try link.map { try PortLink(at: $0, to: terminal.path) }
        let state = self.state
        let relaying = RelayThread(path: path, port: port, terminal: terminal, wakeup: wakeup, tap: tap)
        do {
            try DedicatedThread.start(name: "relay") {
                var error: (any Error)?
                do {
                    try relaying.run { state.withLock { $0.isStopRequested } }
                } catch let failure {
                    error = failure
                }
                portLink?.remove()
                relaying.close()
                state.withLock { [error] in
                    $0.error = error
                    $0.isStopped = true
                }
            }
        } catch {
            portLink?.remove()
            throw error
        }
    }

    /// Stops the relay, and returns once the ports are released. Safe to call from any thread and several times.
    package func stop() {
        state.withLock { $0.isStopRequested = true }
        wakeup.wake()
        state.wait { $0.isStopped }
    }

    /// Waits until the relay has ended, by `stop` or by an error.
    ///
    /// - Throws: `SerialPortError` or `SystemError`.
    package func waitUntilStopped() async throws {
        let state = self.state
        let error = try await DedicatedThread.run(name: "relay-end") {
            state.wait { $0.isStopped }
            return state.withLock { $0.error }
        }
        if let error { throw error }
    }
}

/// The work of a relay's thread, which alone uses it once it runs.
private final class RelayThread {
    private let path: String
    private var port: SerialPort?
    private var terminal: PseudoTerminal?
    private let wakeup: WakeupPipe
    private let tap: SerialTap
    private var baudRate = 115_200
    /// Bytes from the module that the program has not read.
    private var waiting: [UInt8] = []

    /// Interval at which the rate is checked, because a pseudo-terminal does not report a new rate.
    private static let ratePeriod: Duration = .milliseconds(20)
    /// Maximum number of unread bytes; if a program does not read, further ones are lost.
    private static let mostWaiting = 64 * 1024

    init(
        path: String, port: consuming SerialPort, terminal: consuming PseudoTerminal, wakeup: WakeupPipe,
        tap: @escaping SerialTap
    ) {
        self.path = path
        self.port = consume port
        self.terminal = consume terminal
        self.wakeup = wakeup
        self.tap = tap
    }

    func close() {
        port = nil
        terminal = nil
    }

    func run(until isStopRequested: () -> Bool) throws {
        while !isStopRequested() {
            do throws(SerialPortError) {
                if port == nil { try reopen() }
                try step()
            } catch {
                guard case .vanished = error else { throw error }
                port = nil
                tap(.portVanished)
            }
        }
    }

    private func reopen() throws(SerialPortError) {
        do throws(SerialPortError) {
            port = try SerialPort.open(path)
        } catch {
            switch error {
            // The port's name comes back with its device.
            case .notFound, .vanished, .busy, .notPermitted: return
            default: throw error
            }
        }
        tap(.portReopened)
        if baudRate != 115_200 { try port?.setBaudRate(baudRate) }
    }

    private func step() throws(SerialPortError) {
        let descriptor = port?.withDescriptor { $0 } ?? -1
        let interest: Readiness = waiting.isEmpty ? .readable : [.readable, .writable]
        guard
            let events = terminal?.wait(
                for: interest, wakeup: wakeup, timeout: Self.ratePeriod, other: (descriptor, .readable))
        else { return }
        try followRate()
        if events.readiness.contains(.readable), let bytes = terminal?.read(), !bytes.isEmpty {
            if port == nil {
                tap(.note("\(bytes.count) bytes for the module were lost: the port is disconnected"))
            } else {
                tap(.toModule(bytes))
                try port?.write(bytes)
            }
        }
        if !events.other.isEmpty, let bytes = try port?.read(timeout: .zero, wakeup: wakeup), !bytes.isEmpty {
            tap(.fromModule(bytes))
            if waiting.count + bytes.count <= Self.mostWaiting {
                waiting += bytes
            } else {
                tap(.note("\(bytes.count) bytes from the module were lost: no program reads them"))
            }
        }
        if !waiting.isEmpty { waiting.removeFirst(terminal?.write(waiting) ?? 0) }
    }

    private func followRate() throws(SerialPortError) {
        guard let rate = terminal?.baud, rate > 0, rate != baudRate else { return }
        baudRate = rate
        tap(.baudRate(rate))
        try port?.setBaudRate(rate)
    }
}
