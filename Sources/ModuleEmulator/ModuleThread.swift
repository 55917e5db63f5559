import BeaconModel
import SystemIO

/// The thread of an `EmulatedModule`; used by nobody else once it runs.
final class ModuleThread {
    /// More output than this waits for no client: a module has no buffer to speak of.
    private static let outputLimit = 64 * 1024

    private var emulator: RS9116Emulator
    private var terminal: PseudoTerminal?
    private let link: PortLink?
    private let control: LockedValue<EmulatedModule.Control>
    private let wakeup: WakeupPipe
    private let changes: AsyncStream<OnAir>.Continuation
    private var timers = TimerQueue()
    /// Chunks that the client hasn't taken, and their bytes.
    private var output: [[UInt8]] = []
    private var outputBytes = 0
    private var air: OnAir

    init(
        emulator: RS9116Emulator, terminal: consuming PseudoTerminal, link: PortLink?,
        control: LockedValue<EmulatedModule.Control>, wakeup: WakeupPipe, changes: AsyncStream<OnAir>.Continuation
    ) {
        self.emulator = emulator
        self.terminal = consume terminal
        self.link = link
        self.control = control
        self.wakeup = wakeup
        self.changes = changes
        air = emulator.air
    }

    func run() {
        while step() {}
        link?.remove()
        terminal = nil
        emulator.reset()
        publish(emulator.air)
        changes.finish()
        control.withLock { $0.isStopped = true }
    }

    /// - Returns: whether to go on.
    private func step() -> Bool {
        let interest: Readiness = output.isEmpty ? .readable : [.readable, .writable]
        guard let events = terminal?.wait(for: interest, wakeup: wakeup, timeout: timers.wait) else { return false }
        if events.isWoken {
            wakeup.drain()
            let (reset, stop) = control.withLock { control in
                defer { control.resetIsPressed = false }
                return (control.resetIsPressed, control.stopIsRequested)
            }
            if stop { return false }
            if reset { pressReset() }
        }
        while let timer = timers.next() { carryOut(emulator.fire(timer)) }
        if events.readiness.contains(.readable) {
            // One byte after the other, so that no state on the air is skipped.
            for byte in terminal?.read() ?? [] { carryOut(emulator.receive(CollectionOfOne(byte))) }
        }
        if events.readiness.contains(.writable) { writeChunk() }
        return events.readiness.isDisjoint(with: [.error, .hangUp, .invalid])
    }

    private func pressReset() {
        timers.removeAll()
        emulator.reset()
        publish(emulator.air)
    }

    private func carryOut(_ outputs: [RS9116Emulator.Output]) {
        // Whoever reads a reply must find its effect.
        publish(emulator.air)
        for output in outputs {
            switch output {
            case .send(let bytes):
                guard outputBytes + bytes.count <= Self.outputLimit else { continue }
                self.output.append(bytes)
                outputBytes += bytes.count
            case .schedule(let timer, let delay):
                timers.schedule(timer, after: delay)
            }
        }
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

    private func publish(_ air: OnAir) {
        guard air != self.air else { return }
        self.air = air
        control.withLock { $0.air = air }
        changes.yield(air)
    }
}
