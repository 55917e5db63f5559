/// A comparison of the emulated RS9116 with a recorded session. It compares turn by turn, because the module splits and
/// times its output in its own way.
package struct EmulatorReplay: Sendable {
    package struct Entry: Equatable, Sendable {
        /// Time since the start.
        package var time: Duration
        package var event: Event
        /// Line number in the trace.
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

    /// One exchange: all bytes sent before a response, and all bytes received before the next ones are sent.
    package struct Turn: Equatable, Sendable {
        package var line: Int
        package var sent: [UInt8] = []
        package var recorded: [UInt8] = []
        package var emulated: [UInt8] = []
    }

    package private(set) var turns: [Turn] = []

    /// Turns in which the recording and the emulator differ. In the last turn the emulator may send more, because the
    /// recording did not wait for it.
    package var differences: [Turn] {
        if isSame { return [] }
        return turns.enumerated().filter { index, turn in
            index == turns.count - 1
                ? !turn.emulated.starts(with: turn.recorded) : turn.recorded != turn.emulated
        }.map(\.element)
    }

    /// Whether the conversations are the same apart from turn boundaries. A byte that arrived while the next one was
    /// being sent is assigned to another turn.
    private var isSame: Bool {
        turns.flatMap(\.emulated).starts(with: turns.flatMap(\.recorded))
            && turns.dropLast().flatMap(\.emulated).count <= turns.flatMap(\.recorded).count
    }

    private var module: RS9116Emulator
    private var timers: [(at: Duration, timer: ModuleTimer)] = []
    private var baudRate: Int

    /// - Parameters:
    ///   - options: the options of the emulator; see `Options.init(guessedFrom:)`.
    ///   - baudRate: the initial rate of the line in bit/s.
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
        // Output shortly after the end of the recording is not a difference, whether it appears or not.
        fire(until: (entries.last?.time ?? .zero) + .milliseconds(1), into: turn)
    }

    /// Returns the recorded turns.
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
                // Output before the first command is not an answer.
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
