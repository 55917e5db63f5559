package import BeaconModel

/// A dialogue with an RS9116 that settles the driver's assumptions by experiment. It ends with `ProbeEvent.done`.
///
/// It sends the boot loader only the handshake bytes, `U`, and `1`, which loads the firmware. To a module in an unknown
/// state it also sends `at+rsi_fwversion?`, as the driver does. Nothing that it sends outlives a reset, and it leaves
/// the module reset. For about two seconds the module advertises data that is no beacon.
///
/// Whatever is not certain stays open. A `ProbeExchange` matches each answer to its command. A reset counts when the
/// boot loader shows its menu or the firmware has lost its state, never because of silence. Until the boot loader is
/// known to wait, no handshake byte is sent after a reset before the firmware was queried for longer than it takes to
/// start.
public struct ModuleProbe: LineDialogue {
    /// Time after which the probe gives up, because it is searching for the module in vain.
    package static let end: Duration = .seconds(85)
    /// The limit for `TimedDialogue`, which the probe should never reach.
    public static let limit: Duration = .seconds(110)

    /// Maximum start-up time of firmware that starts by itself.
    static let longestStart: Duration = .seconds(9)
    /// Maximum answer time; a slower module is left alone.
    static let slowestBearable: Duration = .seconds(3)
    /// Maximum answer time of a module whose unsolicited messages can be relied on to arrive in time.
    static let slowestPrompt: Duration = .seconds(1)

    package typealias ProbeStep = LineStep<ProbeEvent>

    package enum Task: Equatable {
        /// Switches Bluetooth on, with this transmit power index.
        case bluetooth(power: Int?)
        case trigger(Trigger)
        /// Determines whether and when the boot loader accepts this byte, and boots with it.
        case knock(UInt8, every: Duration)
        case experiments
    }

    package enum Trigger { case softReset, controlLines }

    /// The purpose of an exchange with the firmware.
    package enum Errand: Equatable {
        /// Determines how long the module takes to answer, and its version.
        case measuring
        case address
        case mode(power: Int?)
        case resetting
        /// Determines whether the firmware has restarted.
        case life(Trigger)
        case experiment(ProbeExperiment)
        /// Disconnects the central that has connected.
        case sendingAway(BluetoothAddress)
        /// The steps at the end, in this order.
        case leaving, stopping, lastReset, lastLife
    }

    package enum Stage: Equatable {
        // In these stages the session controls the exchange with the module.
        case attaching, booting, recovering
        // In the following stages the probe does.
        /// Waiting for outstanding answers.
        case draining(Errand)
        case exchanging(Errand)
        case awaitingBluetooth
        /// A short pause between a reset and the first handshake byte.
        case resting
        /// Querying until the given time whether firmware runs, after a trigger or because the module stopped
        /// answering.
        case asking(Trigger?, until: Duration)
        case knocking(UInt8, every: Duration, triesLeft: Int)
        /// Waiting for a late answer to the last handshake byte.
        case listening(UInt8)
        /// Querying at the end whether firmware runs.
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
    /// Time at which the current experiment began.
    package var sentAt: Duration = .zero
    package var heardAt: Duration?
    package var heard: [UInt8] = []
    /// Whether received bytes still belong to the answer of the current experiment.
    var isHearing = true

    // State of the line.
    package var parser = ModuleReplyParser()
    package var exchange = ProbeExchange(.firmwareVersion, version: "")
    /// Number of unanswered commands, which is the maximum number of answers that may still arrive.
    package var outstanding = 0
    /// Whether handshake bytes may have gone to firmware, so that the next line is spoilt.
    var isLineSpoilt = false
    /// Longest time from a command to its answer.
    package var slowest: Duration = .zero
    var versionSentAt: Duration = .zero
    var mixups = 0

    // Knowledge about the module.
    package var versions: [String] = []
    /// The version, once the module has given it twice.
    package var version = ""
    package var measurements = 0
    package var addresses: [BluetoothAddress] = []
    package var handshake: UInt8?
    var isBluetoothOn = false
    var bluetoothLoadedAt: Duration?
    /// Whether the module may be advertising the probe's data.
    package var mayAdvertise = false
    /// Whether a central has connected or disconnected since the current experiment began.
    package var wasConnected = false
    package var central: BluetoothAddress?
    package var connections = 0

    // State of resets.
    /// Whether the module was reset and does not answer, so that its boot loader can be addressed.
    package var isSilent = false
    var wasBluetoothOn = false
    /// The trigger that will have led to the boot loader's menu, should it appear.
    var pendingTrigger: Trigger?
    /// The module's answer to `at+rsi_reset`.
    var replyToReset: [UInt8] = []
    var resetAnswer = RS9116Session.Answer.none
    /// The byte that brought the greeting; `nil` if another byte was sent as well.
    var greetedBy: UInt8?
    /// Whether an earlier answer already showed that the firmware was not reset.
    var isLifeConfirmed = false
    var isPulseRepeated = false
    /// Whether 0x7C was sent since the last reset without an answer.
    var isIgnored7C = false
    var knockedAt: Duration = .zero

    /// Whether the firmware is being loaded and has not yet reported it.
    var isLoading = false
    /// Whether `bt_loaded` was missing and it is still unknown if Bluetooth is on.
    var isUnannounced = false
    var vanishings = 0
    /// Number of consecutive refusals of the current experiment's command.
    package var refusals = 0
    package var repeated: Set<ProbeExperiment> = []
    var recoveries = 0

    static let mostHeard = 4096
    static let mostOutstanding = 1000
    static let mostMixups = 3
    static let mostRecoveries = 2
    static let refusalsToBelieve = 3

    /// Creates a probe that has asked nothing.
    public init() {}

    public mutating func handle(_ input: LineInput<Never>, now: Duration) -> [LineStep<ProbeEvent>] {
        self.now = now
        switch input {
        case .opened:
            if stage == .attaching {
                start = now
                sentAt = now
                return [.trying("find the module")] + follow(session.open())
            }
            // A USB port of the module itself disappears with each reset. The times continue.
            vanishings += 1
            return []
        case .bytes(let bytes): return received(bytes)
        case .deadline:
            if stage != .attaching, stage != .over, now - start > Self.end { return giveUp() }
            return isSessionInCharge ? follow(session.deadline()) : elapsed()
        case .leave: return [.output(.finished)]
        }
    }

    var isSessionInCharge: Bool {
        switch stage {
        case .attaching, .booting, .recovering: true
        default: false
        }
    }

    // MARK: Bytes

    package mutating func received(_ bytes: [UInt8]) -> [ProbeStep] {
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

    package mutating func follow(_ outputs: [RS9116Session.Output]) -> [ProbeStep] {
        var actions: [ProbeStep] = []
        for output in outputs {
            switch output {
            case .failed(let error): actions += failed(error)
            case .step(let step): actions += reached(step)
            case .line(let action):
                if case .send(let bytes) = action, bytes.last == UInt8(ascii: "\n") { outstanding += 1 }
                actions.append(.line(action))
            case .menu: actions += menuShown()
            case .ready(let isFresh): actions += ready(isFresh: isFresh)
            case .answer, .bluetoothLoaded, .rested, .report, .event, .bootText: break
            }
        }
        return actions
    }

    // MARK: Findings

    /// Begins a new measurement: bytes received from now on belong to the current command.
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
        // A repeated experiment replaces the earlier finding.
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

    /// Whether the module answers so promptly that a message which is late can be taken as not sent.
    var isPrompt: Bool { slowest < Self.slowestPrompt }

    // MARK: The plan

    /// Time reserved for resetting the module at the end.
    package var reserve: Duration {
        .seconds(8) + slowest * 6 + (report.profile[.bootLoaderWaits] == true ? .zero : Self.longestStart)
    }

    var isTimeLeft: Bool { now - start < Self.end - reserve }

    package mutating func next() -> [ProbeStep] {
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
            // 0x7C is tried twice before it counts as not accepted.
            let isOpen = report.profile[.handshakeWith7C] == nil
            return knock(byte == 0 ? handshake ?? 0x7C : isOpen ? 0x7C : byte, period)
        case .experiments:
            guard isBluetoothOn else { return next() }
            answers = [:]
            return tryOut(ProbeExperiment.allCases.first)
        }
    }

    package mutating func failed(_ error: ProvisioningError) -> [ProbeStep] {
        if stage == .attaching || stage == .over {
            stage = .over
            return [.output(.failed(error))]
        }
        find("the rest", sent: "", "not tried: " + error.what)
        return done(.unknown(mayAdvertise: mayAdvertise))
    }

    package mutating func reached(_ step: ProvisioningStep) -> [ProbeStep] {
        switch step {
        case .handshake(let byte):
            if stage == .attaching { handshake = byte }
            // A second greeting since the same reset may be the answer to another byte.
            if greetedBy != byte { greetedBy = nil }
        case .firmwareLoaded:
            forgetLine()
            isLoading = false
            find("Loading Done", sent: "1", took: now - sentAt, "said", (.loadingAnnounced, true))
        case .bootWarning(let text): find("boot loader warns", sent: "", text)
        default: break
        }
        return [.output(.reached(step))]
    }

    /// Discards the state of everything sent before.
    mutating func forgetLine() {
        outstanding = 0
        isLineSpoilt = false
        parser = ModuleReplyParser()
    }
}
