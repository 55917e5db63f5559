package import BeaconModel

/// Experiments with an RS9116 that settle what the driver assumes: a dialogue that ends with `.probe(.done)`.
///
/// To the boot loader it says nothing but the handshake bytes, `U`, and `1`, which loads the firmware; to a module in
/// an unknown state also `at+rsi_fwversion?`, as the driver does. Nothing that it sends outlives a reset, and it
/// leaves the module reset. For two seconds or so the module advertises data that is nobody's beacon.
///
/// What isn't certain stays open. Each answer is held to its command by a `ProbeExchange`. A reset is believed when the
/// boot loader shows its menu or the firmware has lost its state, never for silence. No handshake byte is sent after
/// a reset before the firmware was asked for longer than it takes to start, until the boot loader is known to wait.
public struct ModuleProbe: ModuleDialogue {
    /// What isn't over after this is given up: the module is being looked for, in vain.
    package static let end: Duration = .seconds(85)
    /// For `TimedDialogue`, which is never to come to it.
    public static let limit: Duration = .seconds(110)

    /// Firmware that starts by itself is up after this.
    static let longestStart: Duration = .seconds(9)
    /// A module that takes longer to answer is left alone.
    static let slowestBearable: Duration = .seconds(3)
    /// A module that takes longer to answer may say what it says by itself just as late.
    static let slowestPrompt: Duration = .seconds(1)

    package enum Task: Equatable {
        /// Bluetooth on; with this index of transmit power.
        case bluetooth(power: Int?)
        case trigger(Trigger)
        /// Finds out whether the boot loader takes this byte, and from when on, and boots by it.
        case knock(UInt8, every: Duration)
        case experiments
    }

    package enum Trigger { case softReset, controlLines }

    /// What an exchange with the firmware is for.
    package enum Errand: Equatable {
        /// How long it takes to answer, and what it says of its version.
        case measuring
        case address
        case mode(power: Int?)
        case resetting
        /// Whether it is the same life as before.
        case life(Trigger)
        case experiment(ProbeExperiment)
        /// The central that has connected.
        case sendingAway(BluetoothAddress)
        /// At the end, in this order.
        case leaving, stopping, lastReset, lastLife
    }

    package enum Stage: Equatable {
        // The session speaks to the module.
        case attaching, booting, recovering
        // The probe does.
        /// Outstanding answers come.
        case draining(Errand)
        case exchanging(Errand)
        case awaitingBluetooth
        /// A short while between a reset and the first handshake byte.
        case resting
        /// Whether there is firmware, until then; after a trigger, or because the module stopped answering.
        case asking(Trigger?, until: Duration)
        case knocking(UInt8, every: Duration, triesLeft: Int)
        /// The answer to the last handshake byte may be late.
        case listening(UInt8)
        /// At the end, whether there is firmware.
        case verifying(until: Duration)
        case over
    }

    package var session = RS9116Session(profile: RS9116Profile())
    package var stage = Stage.attaching
    package var plan: [Task] = [
        .bluetooth(power: nil), .trigger(.softReset), .knock(0x7C, every: .milliseconds(200)), .bluetooth(power: 30),
        .experiments, .trigger(.controlLines), .trigger(.softReset), .knock(0x1C, every: .milliseconds(200)),
        .trigger(.softReset), .knock(0, every: .milliseconds(100)),
    ]
    package var report = ProbeReport()
    package var evidence = ProbeEvidence()
    package var answers: [ProbeExperiment: RS9116Session.Answer] = [:]
    package var now: Duration = .zero
    package var start: Duration = .zero
    /// Of what is being found out.
    package var sentAt: Duration = .zero
    package var heardAt: Duration?
    package var heard: [UInt8] = []
    /// Further bytes aren't the answer to what is being found out.
    var isHearing = true

    // What the line owes.
    package var parser = ModuleReplyParser()
    package var exchange = ProbeExchange(.firmwareVersion, version: "")
    /// Commands without an answer so far; at most so many answers may still come.
    package var outstanding = 0
    /// Handshake bytes went to what may be firmware: the next line is spoilt.
    var isLineSpoilt = false
    /// The longest time from a command to its answer.
    package var slowest: Duration = .zero
    var versionSentAt: Duration = .zero
    var mixups = 0

    // What is known of the module.
    package var versions: [String] = []
    /// As the module says it, and has said it twice.
    package var version = ""
    package var measurements = 0
    package var addresses: [BluetoothAddress] = []
    package var handshake: UInt8?
    var isBluetoothOn = false
    var bluetoothLoadedAt: Duration?
    /// The probe's data may be on the air.
    package var mayAdvertise = false
    /// Somebody has connected or disconnected since the current experiment began.
    package var wasConnected = false
    package var central: BluetoothAddress?
    package var connections = 0

    // Resets.
    /// The module was told to reset, nobody answers, and its boot loader can be spoken to.
    package var isSilent = false
    var wasBluetoothOn = false
    /// What the boot loader's menu will have been reached by.
    var pendingTrigger: Trigger?
    /// What the module said to `at+rsi_reset`.
    var replyToReset: [UInt8] = []
    var resetAnswer = RS9116Session.Answer.none
    /// The byte that brought the greeting, as long as no other was sent.
    var greetedBy: UInt8?
    /// It was seen already that the firmware runs on.
    var isLifeConfirmed = false
    var isPulseRepeated = false
    /// 0x7C was sent before in the same life, and nothing came.
    var isIgnored7C = false
    var knockedAt: Duration = .zero

    /// The firmware is being loaded, and it hasn't said that it is.
    var isLoading = false
    /// `bt_loaded` wasn't said; whether Bluetooth is on all the same isn't known yet.
    var isUnannounced = false
    var vanishings = 0
    /// How often in a row the command of this experiment was refused before.
    package var refusals = 0
    package var repeated: Set<ProbeExperiment> = []
    var recoveries = 0

    static let mostHeard = 4096
    static let mostOutstanding = 1000
    static let mostMixups = 3
    static let mostRecoveries = 2
    static let refusalsToBelieve = 3

    public init() {}

    public mutating func handle(_ input: DialogueInput) -> [DialogueAction] { handle(input, now: now) }

    public mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction] {
        self.now = now
        switch input {
        case .opened:
            if stage == .attaching {
                start = now
                sentAt = now
                return [.probe(.trying("find the module"))] + follow(session.open())
            }
            // A port of its own goes with each reset; the times go on.
            vanishings += 1
            return []
        case .bytes(let bytes): return received(bytes)
        case .deadline:
            if stage != .attaching, stage != .over, now - start > Self.end { return giveUp() }
            return isSessionInCharge ? follow(session.deadline()) : elapsed()
        case .assigned, .listen, .check, .provisionAgain, .identify: return []
        case .leave: return [.finished]
        }
    }

    var isSessionInCharge: Bool {
        switch stage {
        case .attaching, .booting, .recovering: true
        default: false
        }
    }

    // MARK: Bytes

    package mutating func received(_ bytes: [UInt8]) -> [DialogueAction] {
        if heardAt == nil { heardAt = now }
        if isHearing, heard.count < Self.mostHeard { heard += bytes }
        let replies = parser.receive(bytes)
        for reply in replies { note(reply) }
        if isSessionInCharge { return follow(session.receive(bytes)) }
        let hasAnswer = replies.contains { $0.isAnswer }
        switch stage {
        case .draining(let errand):
            guard hasAnswer else { return [] }
            return outstanding == 0 ? transmit(errand) : [.wait(max(quiet, .seconds(2)))]
        case .exchanging(let errand):
            for reply in replies {
                let isFirst = exchange.answer == nil
                let outcome = exchange.received(reply)
                if isFirst, exchange.answer != nil {
                    slowest = max(slowest, now - sentAt)
                    isHearing = false
                }
                if outcome != .pending { return came(outcome, errand) }
            }
            return []
        case .awaitingBluetooth: return bluetoothLoadedAt == nil ? [] : announced(true)
        case .asking(let trigger, _): return hasAnswer ? firmwareSpeaks(replies, trigger) : []
        case .knocking(let byte, _, _), .listening(let byte):
            if hasAnswer {
                isLineSpoilt = true
                return firmwareSpeaks(replies, pendingTrigger)
            }
            return bytes.contains(RS9116BootLoader.greeting) ? greeted(by: byte) : []
        case .verifying: return hasAnswer ? verified(replies) : []
        case .resting, .over, .attaching, .booting, .recovering: return []
        }
    }

    package mutating func note(_ reply: ModuleReply) {
        switch reply {
        case .ok, .error: outstanding = max(0, outstanding - 1)
        case .bluetoothLoaded: bluetoothLoadedAt = bluetoothLoadedAt ?? now
        case .event(let text) where text.uppercased().contains("CONNECTED"):
            wasConnected = true
            central = text.split { $0 == "," || $0 == "=" || $0 == " " }.lazy.compactMap { BluetoothAddress($0) }.first
        case .report, .event, .text: break
        }
    }

    package mutating func follow(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
        var actions: [DialogueAction] = []
        for output in outputs {
            switch output {
            case .action(.failed(let error)): actions += failed(error)
            case .action(.report(let step)): actions += reached(step)
            case .action(let action):
                if case .send(let bytes) = action, bytes.last == UInt8(ascii: "\n") { outstanding += 1 }
                actions.append(action)
            case .menu: actions += menuShown()
            case .ready(let isFresh): actions += ready(isFresh: isFresh)
            case .answer, .bluetoothLoaded, .rested, .report, .event, .bootText: break
            }
        }
        return actions
    }

    // MARK: Findings

    /// What comes from now on belongs to what is being sent now.
    package mutating func begin() {
        sentAt = now
        heardAt = nil
        heard = []
        isHearing = true
    }

    package mutating func find(
        _ question: String, sent: String, came: [UInt8]? = nil, took: Duration? = nil, _ conclusion: String,
        _ settled: (RS9116Assumption, Bool)? = nil
    ) {
        let time = took ?? (heardAt ?? now) - sentAt
        let finding = ProbeFinding(
            question: question, sent: Printable.escaped(sent.utf8),
            came: Printable.escaped((came ?? heard).prefix(200)),
            milliseconds: Int(min(max(time.inSeconds, 0), 1000) * 1000), conclusion: ProbeFinding.words(conclusion),
            settles: settled?.0, holds: settled?.1)
        // What is tried again is known better.
        if let index = report.findings.firstIndex(where: { $0.question == question }) {
            report.findings[index] = finding
        } else {
            report.findings.append(finding)
        }
        if let settled { settle(settled.0, settled.1) }
    }

    package mutating func settle(_ assumption: RS9116Assumption, _ holds: Bool) {
        evidence.add(assumption, holds: holds)
        report.profile = evidence.profile
        session.profile = report.profile
    }

    /// Whether what doesn't come in time would have come by then.
    var isPrompt: Bool { slowest < Self.slowestPrompt }

    // MARK: The plan

    /// How long leaving the module takes.
    package var reserve: Duration {
        .seconds(8) + slowest * 6 + (report.profile[.bootLoaderWaits] == true ? .zero : Self.longestStart)
    }

    var isTimeLeft: Bool { now - start < Self.end - reserve }

    package mutating func next() -> [DialogueAction] {
        guard slowest <= Self.slowestBearable else {
            return leave("the module takes \(Int(slowest.inSeconds.rounded(.up))) s to answer")
        }
        guard isTimeLeft else { return leave("there was no time for the rest") }
        guard !plan.isEmpty else { return leave(nil) }
        let task = plan.removeFirst()
        switch task {
        case .bluetooth(let power): return bluetooth(power)
        case .trigger(let trigger): return pull(trigger)
        case .knock(let byte, let period):
            // Twice, before it is said of it that it isn't taken.
            let isOpen = report.profile[.handshakeWith7C] == nil
            return knock(byte == 0 ? handshake ?? 0x7C : isOpen ? 0x7C : byte, period)
        case .experiments:
            guard isBluetoothOn else { return next() }
            answers = [:]
            return tryOut(ProbeExperiment.allCases.first)
        }
    }

    package mutating func failed(_ error: ProvisioningError) -> [DialogueAction] {
        if stage == .attaching || stage == .over {
            stage = .over
            return [.failed(error)]
        }
        find("the rest", sent: "", "not tried: " + error.what)
        return done(.unknown(mayAdvertise: mayAdvertise))
    }

    package mutating func reached(_ step: ProvisioningStep) -> [DialogueAction] {
        switch step {
        case .handshake(let byte):
            if stage == .attaching { handshake = byte }
            // A second greeting in the same life may be another byte's.
            if greetedBy != byte { greetedBy = nil }
        case .firmwareLoaded:
            forgetLine()
            isLoading = false
            find("Loading Done", sent: "1", took: now - sentAt, "said", (.loadingAnnounced, true))
        case .bootWarning(let text): find("boot loader warns", sent: "", text)
        default: break
        }
        return [.report(step)]
    }

    /// Whatever was sent before is lost.
    mutating func forgetLine() {
        outstanding = 0
        isLineSpoilt = false
        parser = ModuleReplyParser()
    }
}
