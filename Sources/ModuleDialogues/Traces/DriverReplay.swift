import BeaconModel

/// Replays a recorded session against the current driver. The driver receives the module's bytes at the recorded times,
/// and its output is compared with the recorded output.
///
/// Times that differ by less than `slack` count as equal, and the recorded order applies. Where that is not enough,
/// because the recording machine was busy or a person typed, only the order is compared.
public struct DriverReplay: Sendable {
    /// The first difference between the recording and the driver.
    public struct Difference: Equatable, Sendable {
        /// Line number in the trace.
        public var line: Int
        /// Time since the start of the trace.
        public var time: Duration
        /// Bytes sent in the recording; empty when none were.
        public var recorded: [UInt8]
        /// Bytes sent by the driver; empty when it waits.
        public var driver: [UInt8]
    }

    /// The end of the driver's dialogue.
    public enum End: Equatable, Sendable {
        /// The driver provisioned the module.
        case provisioned(ProvisionedModule)
        /// The trace does not show what the module should advertise; the driver only identified the module.
        case identified(ModuleIdentity)
        /// The driver failed.
        case failed(ProvisioningError)
        /// The trace had nothing to replay.
        case nothing
    }

    /// Number of bytes from the driver that were compared and are equal.
    public private(set) var comparedBytes = 0
    /// The first difference between the trace and what the driver does.
    public private(set) var difference: Difference?
    /// How the driver's dialogue ended.
    public private(set) var end = End.nothing
    /// The steps that the driver reported.
    public private(set) var steps: [ProvisioningStep] = []
    /// The first place where the order is the same but the driver's time differs by more than `slack`.
    public private(set) var timeDifference: Difference?
    /// Bytes that the driver sends after the end of the trace, because the recording was cut off.
    public private(set) var continuation: [UInt8] = []
    /// The configuration that the module was told to advertise; `nil` when there was none.
    public private(set) var wanted: BeaconConfiguration?

    private var profile: RS9116Profile
    private var entries: [SerialTrace.Entry]
    private var dialogue: TimedModuleDialogue?
    private var pending: [UInt8] = []
    private var pendingSince: Duration = .zero
    private var isBeyondTrace = false
    private var runs = 0

    private var slack = Self.slack
    private static let slack: Duration = .milliseconds(500)
    /// Maximum number of runs of the program in one trace; each run searches the rest of the trace.
    private static let mostRuns = 100

    /// Replays a trace.
    ///
    /// - Parameter profile: what the driver knew about the module when the trace was recorded.
    public init(_ trace: SerialTrace, profile: RS9116Profile = RS9116Profile()) {
        self.profile = profile
        entries = trace.pieces
        let blank = self
        run()
        guard let difference else { return }
        var inOrder = blank
        // Longer than any wait of the driver.
        inOrder.slack = .seconds(1_000_000_000)
        inOrder.run()
        if let other = inOrder.difference, other.line <= difference.line { return }
        self = inOrder
        timeDifference = difference
    }

    private mutating func run() {
        var (before, beforeThat) = (self, self)
        for index in entries.indices {
            (beforeThat, before) = (before, self)
            replay(entries[index], at: index)
            guard difference != nil, before.difference == nil, index > 0, entries[index - 1].isFromModule,
                !entries[index].isFromModule
            else { continue }
            // The program may have sent before it read bytes that the recorder had already read.
            var swapped = beforeThat
            swapped.replay(entries[index], at: index)
            swapped.replay(entries[index - 1], at: index - 1, now: entries[index].time)
            if swapped.difference == nil { self = swapped }
        }
        if difference == nil, !pending.isEmpty {
            // The recording never shows these bytes sent, although the module continued to send.
            if let last = entries.last(where: { $0.isFromModule }), pendingSince <= last.time - Self.slack {
                difference = Difference(line: last.line, time: pendingSince, recorded: [], driver: pending)
            } else {
                continuation = pending
            }
        }
        isBeyondTrace = true
        pending = []
        if case .provisioned = end { return }
        while let due = dialogue?.nextDeadline, dialogue?.isOver == false {
            carryOut(dialogue?.advance(to: due), at: due)
            if case .provisioned = end { return }
        }
    }

    private mutating func replay(_ entry: SerialTrace.Entry, at index: Int, now: Duration? = nil) {
        let now = now ?? entry.time
        switch entry.event {
        case .toModule(let bytes):
            // The recording was cut off in the middle of the commands that would show the configuration.
            if case .identified = end, bytes.starts(with: "at+rsibt_set".utf8) { isBeyondTrace = true }
            if isBeyondTrace { return }
            if isOver(at: now) { begin(at: index) }
            if difference == nil, !isBeyondTrace { compare(bytes, entry) }
        case .fromModule(let bytes):
            guard dialogue != nil else { return }
            advance(before: entry)
            carryOut(dialogue?.handle(.bytes(bytes), now: now), at: now)
        case .portReopened: carryOut(dialogue?.handle(.opened, now: now), at: now)
        case .baudRate, .controlLinesPulsed, .portVanished, .note: break
        }
    }

    /// Whether bytes sent now belong to another run of the program.
    private func isOver(at time: Duration) -> Bool {
        guard let dialogue, !dialogue.isOver else { return true }
        guard case .provisioned = end, let due = dialogue.nextDeadline else { return false }
        return due > time + Self.slack
    }

    /// Begins a dialogue such that its first bytes are due when those of the trace were sent.
    private mutating func begin(at index: Int) {
        guard difference == nil else { return }
        runs += 1
        guard runs <= Self.mostRuns else {
            isBeyondTrace = true
            return
        }
        pending = []
        wanted = BeaconConfiguration(sentIn: entries[index...])
        let new = TimedModuleDialogue(ModuleKind.rs9116.dialogue(expected: wanted, profile: profile))
        var trial = new
        var lead: Duration = .zero
        var actions = trial.handle(.opened, now: .zero)
        while !actions.contains(where: \.isSend), let due = trial.nextDeadline, !trial.isOver {
            lead = due
            actions = trial.advance(to: due)
        }
        dialogue = new
        let start = entries[index].time - lead
        carryOut(dialogue?.handle(.opened, now: start), at: start)
    }

    /// Advances past deadlines well before `entry`, at which the recording shows nothing sent.
    private mutating func advance(before entry: SerialTrace.Entry) {
        while pending.isEmpty || difference != nil, let due = dialogue?.nextDeadline, dialogue?.isOver == false,
            due <= entry.time - slack
        { carryOut(dialogue?.advance(to: due), at: due) }
        guard difference == nil, !pending.isEmpty, pendingSince <= entry.time - slack else { return }
        difference = Difference(line: entry.line, time: pendingSince, recorded: [], driver: pending)
    }

    private mutating func compare(_ bytes: [UInt8], _ entry: SerialTrace.Entry) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if pending.isEmpty {
                guard let due = dialogue?.nextDeadline, dialogue?.isOver == false, due <= entry.time + slack else {
                    difference = Difference(line: entry.line, time: entry.time, recorded: Array(rest), driver: [])
                    return
                }
                // Deadlines near the entry use the recorded time. An earlier deadline, at which the driver may do
                // something other than send, keeps its own.
                let time = due < entry.time - slack ? due : max(due, entry.time)
                carryOut(dialogue?.advance(to: time), at: time)
                continue
            }
            let count = min(rest.count, pending.count)
            guard rest.prefix(count).elementsEqual(pending.prefix(count)) else {
                difference = Difference(line: entry.line, time: entry.time, recorded: Array(rest), driver: pending)
                return
            }
            rest = rest.dropFirst(count)
            pending.removeFirst(count)
            comparedBytes += count
        }
    }

    private mutating func carryOut(_ steps: [ModuleStep]?, at time: Duration) {
        for step in steps ?? [] {
            switch step {
            case .line(.send(let bytes)):
                if isBeyondTrace {
                    if continuation.isEmpty { continuation = bytes }
                    continue
                }
                if pending.isEmpty { pendingSince = time }
                pending += bytes
            case .output(.report(let step)): if self.steps.count < 1000 { self.steps.append(step) }
            case .output(.changed(.identified(let identity))):
                if wanted == nil { end = .identified(identity) }
                carryOut(dialogue?.handle(.request(.assigned(wanted)), now: time), at: time)
            case .output(.changed(.provisioned(let module))): end = .provisioned(module)
            case .output(.changed(.failed(let error))): end = .failed(error)
            case .line(.setBaudRate), .line(.pulseControlLines), .line(.wait), .output(.changed(.lost)),
                .output(.changed(.listening)), .output(.received), .output(.finished):
                break
            }
        }
        if difference != nil { pending = [] }
    }
}

extension SerialTrace.Entry {
    fileprivate var isFromModule: Bool {
        if case .fromModule = event { true } else { false }
    }
}

extension ModuleStep {
    fileprivate var isSend: Bool {
        if case .line(.send) = self { true } else { false }
    }
}
