import BeaconModel
import ModuleEmulator

@testable import ModuleDialogues

/// Driver and emulator on a line without wires: time is a number, so that minutes pass in microseconds.
struct EmulatedSerialLine {
    var module: any EmulatedFirmware
    private var dialogue: TestedDialogue
    private let assignment: BeaconConfiguration?
    private(set) var now: Duration = .zero
    private var timers: [(at: Duration, timer: ModuleTimer)] = []
    /// On their way to the driver.
    private var underway: [[UInt8]] = []
    /// When a port that went away with its module's reset is back; `nil` while it is there.
    private var portIsBackAt: Duration?
    private var resets = 0
    private var isOpen = false
    /// Whether DTR and RTS are wired to the module's reset.
    var controlLinesReset = false

    private(set) var steps: [ProvisioningStep] = []
    private(set) var losses: [ModuleLoss] = []
    private(set) var identity: ModuleIdentity?
    private(set) var provisionings: [ProvisionedModule] = []
    private(set) var failure: ProvisioningError?
    private(set) var sent: [[UInt8]] = []
    private(set) var heard: [[UInt8]] = []
    private(set) var receptions: [ModuleReception] = []
    private(set) var listenings: [(at: Duration, what: ModuleListening)] = []
    /// Since when the air is what it is, and how long the module was silent on it at most since it was provisioned.
    private var silentSince: Duration?
    private(set) var longestSilence: Duration = .zero
    private(set) var isFinished = false
    /// Whether a module that only listens has begun to.
    private(set) var isReceiving = false
    private(set) var probed: ProbeReport?
    /// All that crossed the line.
    private(set) var entries: [SerialTrace.Entry] = []
    /// Told of each byte before the module gets it.
    var watch: ((any EmulatedFirmware, UInt8) -> Void)?
    private(set) var baudRate = 115_200

    var air: OnAir { module.air }

    init(
        _ module: any EmulatedFirmware, kind: ModuleKind = .rs9116, assignment: BeaconConfiguration?,
        expected: BeaconConfiguration? = nil,
        profile: RS9116Profile = RS9116Profile(), pace: ModuleKind.Pace = .init()
    ) {
        self.init(
            module, dialogue: kind.dialogue(expected: expected, profile: profile, pace: pace), assignment: assignment)
    }

    init(
        _ module: any EmulatedFirmware, dialogue: any ModuleDialogue, assignment: BeaconConfiguration? = nil
    ) {
        self.module = module
        self.assignment = assignment
        self.dialogue = .module(TimedDialogue(dialogue))
    }

    /// A line for a module that only listens.
    init(receiving module: RS9116Emulator) {
        self.module = module
        assignment = nil
        dialogue = .receiver(TimedDialogue(RS9116ReceiverDialogue()))
    }

    /// A line for a probe.
    init(probing module: RS9116Emulator) {
        self.module = module
        assignment = nil
        dialogue = .probe(TimedDialogue(ModuleProbe(), limit: ModuleProbe.limit))
    }

    /// Opens the port and runs until the module is provisioned, the dialogue is over, or an hour has passed.
    mutating func run() {
        run(until: .seconds(3600)) { !$0.provisionings.isEmpty }
    }

    mutating func tell(_ input: LineInput<ModuleRequest>) { perform(dialogue.handle(input, now: now)) }

    mutating func stopReceiving() { perform(dialogue.stopReceiving(now: now)) }

    /// Lets time pass until `limit`, or until `isDone`.
    mutating func run(until limit: Duration, _ isDone: (EmulatedSerialLine) -> Bool = { _ in false }) {
        if !isOpen {
            isOpen = true
            perform(dialogue.handle(.opened, now: now))
        }
        while !dialogue.isOver, !isDone(self) {
            noteAir()
            if !underway.isEmpty {
                let bytes = underway.removeFirst()
                heard.append(bytes)
                note(.fromModule(bytes))
                perform(dialogue.handle(.bytes(bytes), now: now))
                continue
            }
            let timer = timers.indices.min { timers[$0].at < timers[$1].at }
            if let back = portIsBackAt, back <= min(dialogue.nextDeadline ?? limit, limit) {
                portIsBackAt = nil
                now = max(now, back)
                perform(dialogue.handle(.opened, now: now))
                continue
            }
            let deadline = dialogue.nextDeadline ?? limit
            if let timer, timers[timer].at <= min(deadline, limit) {
                let (time, timer) = timers.remove(at: timer)
                now = max(now, time)
                perform(module.fire(timer))
            } else {
                guard deadline < limit else {
                    now = limit
                    return
                }
                now = max(now, deadline)
                perform(dialogue.advance(to: now))
            }
        }
    }

    private mutating func noteAir() {
        guard !provisionings.isEmpty, !module.air.advertising else {
            silentSince = nil
            return
        }
        silentSince = silentSince ?? now
        longestSilence = max(longestSilence, now - (silentSince ?? now))
    }

    /// How long the module is known to have listened.
    var listened: Duration {
        var (known, since): (Duration, Duration?) = (.zero, nil)
        for (time, what) in listenings {
            switch what {
            case .begun: since = time
            case .confirmed, .paused:
                known += since.map { time - $0 } ?? .zero
                since = what == .paused ? nil : time
            case .ended: since = nil
            case .unreadable: break
            }
        }
        return known
    }

    mutating func disturb(_ body: (inout any EmulatedFirmware) -> [ModuleOutput]) { perform(body(&module)) }

    private mutating func note(_ event: SerialEvent) { entries.append(SerialTrace.Entry(time: now, event: event)) }

    /// As it comes back from its file.
    func trace() throws -> SerialTrace {
        let header = SerialTrace.Header(version: "0.1.0", started: "2020-11-15T12:00:00.000Z", port: "/dev/ttyUSB0")
        return try SerialTrace(Array(SerialTrace(header: header, entries: entries).text.utf8))
    }

    private mutating func perform(_ steps: [LineStep<TestedDialogue.Output>]) {
        for step in steps {
            switch step {
            case .line(.send(let bytes)):
                sent.append(bytes)
                note(.toModule(bytes))
                guard portIsBackAt == nil else { break }
                if let watch {
                    for byte in bytes {
                        watch(module, byte)
                        perform(module.receive([byte], baud: baudRate))
                    }
                } else {
                    perform(module.receive(bytes, baud: baudRate))
                }
            case .line(.setBaudRate(let rate)):
                baudRate = rate
                note(.baudRate(rate))
            case .line(.pulseControlLines): if controlLinesReset { module.reset() }
            case .line(.wait): break
            case .output(.module(let event)): take(event)
            case .output(.receiver(let output)): take(output)
            case .output(.probe(let event)): take(event)
            }
        }
    }

    private mutating func take(_ event: ModuleDialogueEvent) {
        switch event {
        case .report(let step): steps.append(step)
        case .received(let reception): receptions.append(reception)
        case .finished: isFinished = true
        case .changed(.identified(let identity)):
            self.identity = identity
            perform(dialogue.handle(.assigned(assignment), now: now))
        case .changed(.provisioned(let module)): provisionings.append(module)
        case .changed(.lost(let loss)): losses.append(loss)
        case .changed(.listening(let what)): listenings.append((now, what))
        case .changed(.failed(let error)): failure = error
        }
    }

    private mutating func take(_ output: RS9116ReceiverDialogue.Output) {
        switch output {
        case .report(let step): steps.append(step)
        case .address(let address): steps.append(.address(address))
        case .listening: isReceiving = true
        case .stillListening: break
        case .received(let reception): receptions.append(reception)
        case .finished: isFinished = true
        case .failed(let error): failure = error
        }
    }

    private mutating func take(_ event: ProbeEvent) {
        switch event {
        case .trying: break
        case .reached(let step): steps.append(step)
        case .done(let report): probed = report
        case .finished: isFinished = true
        case .failed(let error): failure = error
        }
    }

    private mutating func perform(_ outputs: [ModuleOutput]) {
        for output in outputs {
            switch output {
            case .schedule(let timer, let delay): timers.append((now + delay, timer))
            // The module's answer reaches the driver after what the driver does now.
            case .send(let bytes): if portIsBackAt == nil { underway.append(bytes) }
            }
        }
        if module.resetCount != resets {
            resets = module.resetCount
            if let absence = module.portAbsenceAfterReset { portIsBackAt = now + absence }
        }
    }
}
