import BeaconModel

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
    typealias ProbeStep = LineStep<ProbeEvent>

    /// Time after which the probe gives up, because it is searching for the module in vain.
    package static let end: Duration = .seconds(85)
    /// The limit for `TimedDialogue`, which the probe should never reach.
    public static let limit: Duration = .seconds(110)

    /// Maximum start-up time of firmware that starts by itself.
    static let longestStart: Duration = .seconds(9)
    /// Maximum answer time; a slower module is left alone.
    static let slowestBearable: Duration = .seconds(3)

    /// Who exchanges bytes with the module, and for what.
    enum Stage {
        /// The session finds the module, or loads its firmware.
        ///
        /// - Parameter isLoading: whether the firmware is being loaded and has not yet reported it.
        case session(SessionPurpose, isLoading: Bool)
        // In the following stages the probe itself does.
        /// Waiting for outstanding answers.
        case draining(ProbeErrand)
        case exchanging(ProbeErrand, ProbeExchange)
        case awaitingBluetooth
        /// A short pause between a reset and the first handshake byte.
        case resting
        /// Querying until the given time whether firmware runs, after a reset or because the module stopped answering.
        case asking(ProbeReset?, until: Duration)
        case handshaking(ProbeHandshakeSeries)
        /// Waiting for a late answer to the last handshake byte.
        case listening(ProbeHandshakeSeries)
        /// Querying at the end whether firmware runs.
        case verifying(until: Duration)
        case over
    }

    enum SessionPurpose {
        case attaching, booting, recovering
    }

    var session = RS9116Session(profile: RS9116Profile())
    var stage = Stage.session(.attaching, isLoading: false)
    var plan = ProbeTask.all
    var findings = ProbeFindings()
    /// Answers to the experiments with commands.
    var answers: [ProbeExperiment: RS9116Session.Answer] = [:]
    var line = ProbeLine()
    var identity = ProbeIdentity()
    var bluetooth = ProbeBluetooth()
    var handshakes = ProbeHandshakes()
    var reset = ProbeResetTrial()
    /// Whether the module was reset and does not answer, so that its boot loader can be addressed.
    var isSilent = false
    private var start: Duration = .zero
    private var vanishings = 0
    /// Number of consecutive refusals of the current experiment's command.
    private var refusals = 0
    private var mixups = 0
    private var recoveries = 0
    private var isPulseRepeated = false
    var repeated: Set<ProbeExperiment> = []

    private static let mostMixups = 3
    private static let mostRecoveries = 2
    private static let refusalsToBelieve = 3

    /// Creates a probe that has asked nothing.
    public init() {}

    public mutating func handle(_ input: LineInput<Never>, now: Duration) -> [LineStep<ProbeEvent>] {
        switch input {
        case .opened:
            if case .session(.attaching, _) = stage {
                start = now
                line.restartTime(at: now)
                return [.trying(.findModule)] + follow(session.open(), now)
            }
            // A USB port of the module itself disappears with each reset. The times continue.
            vanishings += 1
            return []
        case .bytes(let bytes): return received(bytes, now)
        case .deadline: return elapsed(now)
        case .leave: return [.output(.finished)]
        }
    }

    // MARK: Bytes and deadlines

    private mutating func received(_ bytes: [UInt8], _ now: Duration) -> [ProbeStep] {
        let replies = line.receive(bytes, at: now)
        for reply in replies { bluetooth.note(reply, at: now) }
        let hasAnswer = replies.contains { $0.isAnswer }
        switch stage {
        case .session: return follow(session.receive(bytes), now)
        case .draining(let errand):
            guard hasAnswer else { return [] }
            return line.outstanding == 0 ? transmit(errand, now) : [.wait(max(quiet, .seconds(2)))]
        case .exchanging(let errand, let exchange): return exchanged(replies, errand, exchange, now)
        case .awaitingBluetooth: return bluetooth.loadedAt == nil ? [] : announced(true, now)
        case .asking(let reset, _): return hasAnswer ? firmwareSpeaks(replies, reset, now) : []
        case .handshaking(let series), .listening(let series):
            if hasAnswer {
                line.isSpoilt = true
                return firmwareSpeaks(replies, reset.pending, now)
            }
            return bytes.contains(RS9116BootLoader.greeting) ? greeted(by: series, now) : []
        case .verifying: return hasAnswer ? verified(replies, now) : []
        case .resting, .over: return []
        }
    }

    private mutating func elapsed(_ now: Duration) -> [ProbeStep] {
        switch stage {
        case .session(.attaching, _), .over: break
        default: if now - start > Self.end { return giveUp(now) }
        }
        switch stage {
        case .session: return follow(session.deadline(), now)
        case .draining(let errand): return transmit(errand, now)
        case .exchanging(let errand, var exchange): return came(exchange.deadline(), errand, exchange, now)
        case .awaitingBluetooth: return announced(false, now)
        case .resting:
            isSilent = true
            return next(now)
        case .asking(let reset, let until): return askAgain(reset, until, now)
        case .handshaking(let series): return repeatHandshake(series, now)
        case .listening(let series): return notGreeted(by: series.byte, now)
        case .verifying(let until):
            guard now < until else { return verified(nil, now) }
            return [.line(line.say(.firmwareVersion, at: now)), .wait(min(.seconds(1), until - now))]
        case .over: return []
        }
    }

    mutating func follow(_ outputs: [RS9116Session.Output], _ now: Duration) -> [ProbeStep] {
        var steps: [ProbeStep] = []
        for output in outputs {
            switch output {
            case .failed(let error): steps += failed(error, now)
            case .step(let step): steps += reached(step, now)
            case .line(let action):
                if case .send(let bytes) = action, bytes.last == UInt8(ascii: "\n") { line.saidLine() }
                steps.append(.line(action))
            case .menu: steps += menuShown(now)
            case .ready(let isFresh): steps += ready(isFresh: isFresh, now)
            case .answer, .bluetoothLoaded, .rested, .report, .event, .bootText: break
            }
        }
        return steps
    }

    private mutating func failed(_ error: ProvisioningError, _ now: Duration) -> [ProbeStep] {
        switch stage {
        case .session(.attaching, _), .over:
            stage = .over
            return [.output(.failed(error))]
        default:
            find(.rest, line.measurement("", at: now), .notTried(.failure(error)))
            return done(.unknown(mayAdvertise: bluetooth.mayAdvertise), now)
        }
    }

    // MARK: Findings

    var profile: RS9116Profile { findings.profile }

    mutating func find(
        _ question: ProbeQuestion, _ measurement: ProbeFindings.Measurement, _ conclusion: ProbeConclusion,
        settles: ProbeFindings.Settlement? = nil
    ) {
        findings.add(question, measurement, conclusion, settles: settles)
        session.profile = findings.profile
    }

    mutating func settle(_ settlement: ProbeFindings.Settlement) {
        findings.settle(settlement)
        session.profile = findings.profile
    }

    /// A measurement of nothing but the time.
    func silence(_ now: Duration) -> ProbeFindings.Measurement {
        var measurement = line.measurement("", at: now)
        measurement.came = []
        return measurement
    }

    /// Whether a refusal must be confirmed before it counts: a command that was damaged in transit is refused, too.
    mutating func isDoubtful(_ answer: RS9116Session.Answer) -> Bool {
        guard case .error(let code) = answer, code.cure == .none, refusals + 1 < Self.refusalsToBelieve else {
            refusals = 0
            return false
        }
        refusals += 1
        return true
    }

    // MARK: The plan

    /// Time reserved for resetting the module at the end.
    private var reserve: Duration {
        .seconds(8) + line.slowest * 6 + (profile[.bootLoaderWaits] == true ? .zero : Self.longestStart)
    }

    func isTimeLeft(_ now: Duration) -> Bool { now - start < Self.end - reserve }

    mutating func next(_ now: Duration) -> [ProbeStep] {
        guard line.slowest <= Self.slowestBearable else {
            return leave(.slow(seconds: Int(line.slowest.inSeconds.rounded(.up))), now)
        }
        guard isTimeLeft(now) else { return leave(.noTime, now) }
        guard !plan.isEmpty else { return leave(nil, now) }
        switch plan.removeFirst() {
        case .bluetooth(let power): return switchOn(power, now)
        case .reset(let reset): return pull(reset, now)
        case .handshake(.acceptance(let byte)):
            // 0x7C is tried twice before it counts as not accepted.
            let isOpen = profile[.handshakeWith7C] == nil
            return sendHandshake(isOpen ? 0x7C : byte, for: .acceptance, now)
        case .handshake(.time): return sendHandshake(handshakes.known ?? 0x7C, for: .time, now)
        case .commands:
            guard bluetooth.isOn else { return next(now) }
            answers = [:]
            return tryOut(ProbeExperiment.allCases.first, now)
        }
    }

    /// Counts a loss of the module, after which the experiments start over once. Findings are kept until they are
    /// replaced.
    ///
    /// - Returns: whether the module may be searched for again.
    mutating func countLoss(repeatsExperiments: Bool) -> Bool {
        recoveries += 1
        if repeatsExperiments, recoveries == 1 { plan = ProbeTask.again + plan }
        return recoveries <= Self.mostRecoveries
    }

    /// Repeats the pulse on the control lines once, for certainty.
    mutating func repeatPulse() {
        guard !isPulseRepeated else { return }
        isPulseRepeated = true
        plan = ProbeTask.secondPulse + plan
    }

    /// Counts an exchange whose answers make no sense.
    ///
    /// - Returns: whether it may be repeated.
    mutating func countMixup() -> Bool {
        mixups += 1
        guard mixups >= Self.mostMixups else { return true }
        mixups = 0
        return false
    }

    mutating func forgiveMixups() { mixups = 0 }

    mutating func forgiveRefusals() { refusals = 0 }

    mutating func done(_ left: ProbeLeaving, _ now: Duration) -> [ProbeStep] {
        stage = .over
        if vanishings > 0 { find(.port, silence(now), .portVanished(times: vanishings)) }
        find(.left, .init(), .left(left))
        let report = ProbeReport(
            address: identity.address, firmware: identity.firmware, findings: findings.inWords, profile: profile,
            left: left)
        return [.output(.done(report)), .output(.finished)]
    }
}
