/// What the emulated RS9116 says to a recorded session, beside what the module said: turn by turn, because the module's
/// pieces and times are its own.
package struct EmulatorReplay: Sendable {
    package struct Entry: Equatable, Sendable {
        /// Since the start.
        package var time: Duration
        package var event: Event
        /// Of the trace.
        package var line: Int

        package init(time: Duration, event: Event, line: Int) {
            self.time = time
            self.event = event
            self.line = line
        }
    }

    package enum Event: Equatable, Sendable {
        case toModule([UInt8])
        case fromModule([UInt8])
        case baudRate(Int)
        case portVanished
        case portReopened
    }

    /// What was sent until something came, and what came until something was sent.
    package struct Turn: Equatable, Sendable {
        package var line: Int
        package var sent: [UInt8] = []
        package var recorded: [UInt8] = []
        package var emulated: [UInt8] = []
    }

    package private(set) var turns: [Turn] = []

    /// The turns in which they differ. In the last one the emulator may say more: nobody waited for it.
    package var differences: [Turn] {
        if isSame { return [] }
        return turns.enumerated().filter { index, turn in
            index == turns.count - 1
                ? !turn.emulated.starts(with: turn.recorded) : turn.recorded != turn.emulated
        }.map(\.element)
    }

    /// A byte that came while the next one was being sent belongs to another turn; it is the same conversation.
    private var isSame: Bool {
        turns.flatMap(\.emulated).starts(with: turns.flatMap(\.recorded))
            && turns.dropLast().flatMap(\.emulated).count <= turns.flatMap(\.recorded).count
    }

    private var module: RS9116Emulator
    private var timers: [(at: Duration, timer: ModuleTimer)] = []
    private var baudRate: Int

    /// - Parameters:
    ///   - options: of the emulator; see `Options.init(guessedFrom:)`.
    ///   - baudRate: of the line at the start.
    package init(_ entries: [Entry], options: RS9116Emulator.Options, baudRate: Int = 115_200) {
        module = RS9116Emulator(options: options)
        self.baudRate = baudRate
        turns = Self.turns(of: entries)
        var turn = -1
        var isAnswered = true
        for entry in entries {
            fire(until: entry.time, into: turn)
            switch entry.event {
            case .toModule(let bytes):
                if isAnswered { turn += 1 }
                isAnswered = false
                carryOut(module.receive(bytes, baud: self.baudRate), at: entry.time, into: turn)
            case .fromModule: if turn >= 0 { isAnswered = true }
            case .baudRate(let rate): self.baudRate = rate
            case .portVanished: break
            case .portReopened: self.baudRate = 115_200
            }
        }
        // What the module says a little later than the recording ended is no difference, nor is that it doesn't.
        fire(until: (entries.last?.time ?? .zero) + .milliseconds(1), into: turn)
    }

    /// What was recorded.
    package static func turns(of entries: [Entry]) -> [Turn] {
        var turns: [Turn] = []
        var isAnswered = true
        for entry in entries {
            switch entry.event {
            case .toModule(let bytes):
                if isAnswered { turns.append(Turn(line: entry.line)) }
                isAnswered = false
                turns[turns.count - 1].sent += bytes
            case .fromModule(let bytes):
                // What came before anything was sent answers nothing.
                guard !turns.isEmpty else { continue }
                isAnswered = true
                turns[turns.count - 1].recorded += bytes
            case .baudRate, .portVanished, .portReopened: break
            }
        }
        return turns
    }

    private mutating func fire(until time: Duration, into turn: Int) {
        while let next = timers.indices.min(by: { timers[$0].at < timers[$1].at }), timers[next].at <= time {
            let (at, timer) = timers.remove(at: next)
            carryOut(module.fire(timer), at: at, into: turn)
        }
    }

    private mutating func carryOut(_ outputs: [ModuleOutput], at time: Duration, into turn: Int) {
        for output in outputs {
            switch output {
            case .send(let bytes): if turns.indices.contains(turn) { turns[turn].emulated += bytes }
            case .schedule(let timer, let delay): timers.append((time + delay, timer))
            }
        }
    }
}
