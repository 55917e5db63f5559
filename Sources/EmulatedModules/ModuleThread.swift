import BeaconModel
import ModuleEmulator
import SystemIO

/// The thread of an `EmulatedModule`. Accessed only by that thread once it runs.
final class ModuleThread {
    /// Maximum number of bytes of output that wait for a client. A real module has hardly any buffer.
    private static let outputLimit = 64 * 1024

    private var emulator: any EmulatedFirmware
    private var terminal: PseudoTerminal?
    private var link: PortLink?
    private let control: LockedValue<EmulatedModule.Control>
    private let wakeup: WakeupPipe
    private let changes: AsyncStream<OnAir>.Continuation
    private var isPlugged = true
    private var timers = TimerQueue()
    /// Output chunks that the client has not read, and their total length in bytes.
    private var output: [[UInt8]] = []
    private var outputBytes = 0
    private var air: OnAir
    /// Number of resets that the port has followed.
    private var resetCount: Int
    /// Time at which a port that vanished at a reset returns.
    private var portReturn: ContinuousClock.Instant?

    init(
        emulator: any EmulatedFirmware, terminal: consuming PseudoTerminal, link: PortLink?,
        control: LockedValue<EmulatedModule.Control>, wakeup: WakeupPipe, changes: AsyncStream<OnAir>.Continuation
    ) {
        self.emulator = emulator
        self.terminal = consume terminal
        self.link = link
        self.control = control
        self.wakeup = wakeup
        self.changes = changes
        air = emulator.air
        resetCount = emulator.resetCount
    }

    func run() {
        while step() {}
        unplug()
        changes.finish()
        control.withLock { $0.isStopped = true }
    }

    /// Runs one iteration.
    ///
    /// - Returns: whether to continue.
    private func step() -> Bool {
        guard let events = wait() else { return false }
        if let baud = terminal?.baud { emulator.hostBaud = baud }
        if events.isWoken {
            wakeup.drain()
            let (requests, stop) = control.withLock { control in
                defer { control.requests = [] }
                return (control.requests, control.stopIsRequested)
            }
            if stop { return false }
            for (request, ticket) in requests {
                let result = carryOut(request)
                if let ticket { control.withLock { $0.results[ticket] = result } }
            }
        }
        // Input from the host comes before timers that are due: a late thread must not mistake its own delay for
        // silence of the host. Bytes are processed one at a time, so that no state of the transmitted data is skipped.
        let now = ContinuousClock.now
        for byte in terminal?.read() ?? [] { carryOut(emulator.receive([byte], baud: emulator.hostBaud)) }
        while let timer = timers.next(at: now) { carryOut(emulator.fire(timer)) }
        if let portReturn, portReturn <= .now { returnPort() }
        if events.readiness.contains(.writable) { writeChunk() }
        return events.readiness.isDisjoint(with: [.error, .hangUp, .invalid])
    }

    private func wait() -> PseudoTerminal.Events? {
        let untilReturn = portReturn.map { max(.zero, $0 - .now) }
        let timeout = [timers.wait, untilReturn].compactMap(\.self).min()
        let interest: Readiness = output.isEmpty ? .readable : [.readable, .writable]
        if terminal != nil { return terminal?.wait(for: interest, wakeup: wakeup, timeout: timeout) }
        guard
            let ready = try? waitUntilReady(wakeup.readEnd, for: .readable, wakeup: nil, timeout: timeout).readiness
        else { return nil }
        return PseudoTerminal.Events(readiness: [], isWoken: !ready.isEmpty)
    }

    private func carryOut(_ request: EmulatedModule.Control.Request) -> EmulatedModule.Control.Result {
        var result = EmulatedModule.Control.Result()
        switch request {
        case .plug(let link):
            do { try plug(link) } catch { result.error = error }
        case .readImage(let number): result.image = emulator.flashImage(number)
        case _ where !isPlugged: break
        case .unplug: unplug()
        case .reset:
            emulator.reset()
            carryOut([])
        case .connect: result.hadEffect = carryOut(emulator.centralConnects())
        case .disconnect: result.hadEffect = carryOut(emulator.centralDisconnects())
        case .type(let bytes):
            // The typing user reads the answers, so they are not sent to the client.
            for byte in bytes {
                carryOut(
                    emulator.receive([byte], baud: emulator.hostBaud).filter {
                        if case .send = $0 { false } else { true }
                    })
            }
        case .hear(let air, let rssi): carryOut(emulator.hear(air, rssi: rssi))
        }
        return result
    }

    /// Carries out the emulator's outputs.
    ///
    /// - Returns: whether there was any effect.
    @discardableResult
    private func carryOut(_ outputs: [ModuleOutput]) -> Bool {
        if emulator.resetCount != resetCount { follow(reset: emulator.resetCount) }
        // A client that reads a reply must find its effect.
        let airChanged = publish()
        for output in outputs {
            switch output {
            case .send(let bytes):
                guard terminal != nil, outputBytes + bytes.count <= Self.outputLimit else { continue }
                self.output.append(bytes)
                outputBytes += bytes.count
            case .schedule(let timer, let delay):
                timers.schedule(timer, after: delay)
            }
        }
        return airChanged || !outputs.isEmpty
    }

    private func writeChunk() {
        guard let chunk = output.first else { return }
        let count = terminal?.write(chunk) ?? 0
        outputBytes -= count
        if count < chunk.count {
            output[0].removeFirst(count)
        } else {
            output.removeFirst()
        }
    }

    /// Publishes the transmitted data if it has changed.
    ///
    /// - Returns: whether it has changed.
    @discardableResult
    private func publish() -> Bool {
        let air = isPlugged ? emulator.air : .silent(address: emulator.air.address)
        guard air != self.air else { return false }
        self.air = air
        control.withLock { $0.air = air }
        changes.yield(air)
        return true
    }
}

// Appearance and removal of the port.
extension ModuleThread {
    private func follow(reset count: Int) {
        resetCount = count
        timers.removeAll()
        guard let absence = emulator.portAbsenceAfterReset else { return }
        removePort()
        portReturn = .now + min(max(absence, .zero), .seconds(3600))
    }

    /// Restores the port after a reset, with the same link. Without the link if creating it fails; not at all if no
    /// pseudo-terminal is available.
    private func returnPort() {
        portReturn = nil
        guard let terminal = try? PseudoTerminal(baud: emulator.usualBaud) else { return }
        let path = terminal.path
        self.terminal = consume terminal
        control.withLock { $0.portPath = path }
        if let old = link { link = (try? PortLink(at: old.path, to: path)) ?? old }
    }

    private func removePort() {
        link?.remove()
        terminal = nil
        output = []
        outputBytes = 0
    }

    private func unplug() {
        removePort()
        isPlugged = false
        portReturn = nil
        link = nil
        timers.removeAll()
        emulator.reset()
        resetCount = emulator.resetCount
        publish()
    }

    private func plug(_ path: String?) throws {
        guard !isPlugged else { return }
        let terminal = try PseudoTerminal(baud: emulator.usualBaud)
        let portPath = terminal.path
        link = try path.map { try PortLink(at: $0, to: portPath) }
        self.terminal = consume terminal
        isPlugged = true
        control.withLock { $0.portPath = portPath }
        publish()
    }
}
