import BeaconModel

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
    private static let end: Duration = .seconds(85)
    /// For `TimedDialogue`, which is never to come to it.
    public static let limit: Duration = .seconds(110)

    /// Firmware that starts by itself is up after this.
    private static let longestStart: Duration = .seconds(9)
    /// A module that takes longer to answer is left alone.
    private static let slowestBearable: Duration = .seconds(3)
    /// A module that takes longer to answer may say what it says by itself just as late.
    private static let slowestPrompt: Duration = .seconds(1)

    enum Task: Equatable {
        /// Bluetooth on; with this index of transmit power.
        case bluetooth(power: Int?)
        case trigger(Trigger)
        /// Finds out whether the boot loader takes this byte, and from when on, and boots by it.
        case knock(UInt8, every: Duration)
        case experiments
    }

    enum Trigger { case softReset, controlLines }

    /// What an exchange with the firmware is for.
    private enum Errand: Equatable {
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

    private enum Stage: Equatable {
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

    private var session = RS9116Session(profile: RS9116Profile())
    private var stage = Stage.attaching
    private var plan: [Task] = [
        .bluetooth(power: nil), .trigger(.softReset), .knock(0x7C, every: .milliseconds(200)), .bluetooth(power: 30),
        .experiments, .trigger(.controlLines), .trigger(.softReset), .knock(0x1C, every: .milliseconds(200)),
        .trigger(.softReset), .knock(0, every: .milliseconds(100)),
    ]
    private var report = ProbeReport()
    private var evidence = ProbeEvidence()
    private var answers: [ProbeExperiment: RS9116Session.Answer] = [:]
    private var now: Duration = .zero
    private var start: Duration = .zero
    /// Of what is being found out.
    private var sentAt: Duration = .zero
    private var heardAt: Duration?
    private var heard: [UInt8] = []
    /// Further bytes aren't the answer to what is being found out.
    private var isHearing = true

    // What the line owes.
    private var parser = ModuleReplyParser()
    private var exchange = ProbeExchange(.firmwareVersion, version: "")
    /// Commands without an answer so far; at most so many answers may still come.
    private var outstanding = 0
    /// Handshake bytes went to what may be firmware: the next line is spoilt.
    private var isLineSpoilt = false
    /// The longest time from a command to its answer.
    private var slowest: Duration = .zero
    private var versionSentAt: Duration = .zero
    private var mixups = 0

    // What is known of the module.
    private var versions: [String] = []
    /// As the module says it, and has said it twice.
    private var version = ""
    private var measurements = 0
    private var addresses: [BluetoothAddress] = []
    private var handshake: UInt8?
    private var isBluetoothOn = false
    private var bluetoothLoadedAt: Duration?
    /// The probe's data may be on the air.
    private var mayAdvertise = false
    /// Somebody has connected or disconnected since the current experiment began.
    private var wasConnected = false
    private var central: BluetoothAddress?
    private var connections = 0

    // Resets.
    /// The module was told to reset, nobody answers, and its boot loader can be spoken to.
    private var isSilent = false
    private var wasBluetoothOn = false
    /// What the boot loader's menu will have been reached by.
    private var pendingTrigger: Trigger?
    /// What the module said to `at+rsi_reset`.
    private var replyToReset: [UInt8] = []
    private var resetAnswer = RS9116Session.Answer.none
    /// The byte that brought the greeting, as long as no other was sent.
    private var greetedBy: UInt8?
    /// It was seen already that the firmware runs on.
    private var isLifeConfirmed = false
    private var isPulseRepeated = false
    /// 0x7C was sent before in the same life, and nothing came.
    private var isIgnored7C = false
    private var knockedAt: Duration = .zero

    /// The firmware is being loaded, and it hasn't said that it is.
    private var isLoading = false
    /// `bt_loaded` wasn't said; whether Bluetooth is on all the same isn't known yet.
    private var isUnannounced = false
    private var vanishings = 0
    /// How often in a row the command of this experiment was refused before.
    private var refusals = 0
    private var repeated: Set<ProbeExperiment> = []
    private var recoveries = 0

    private static let mostHeard = 4096
    private static let mostOutstanding = 1000
    private static let mostMixups = 3
    private static let mostRecoveries = 2
    private static let refusalsToBelieve = 3

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
        case .assigned, .check, .provisionAgain, .identify: return []
        }
    }

    private var isSessionInCharge: Bool {
        switch stage {
        case .attaching, .booting, .recovering: true
        default: false
        }
    }

    // MARK: Bytes

    private mutating func received(_ bytes: [UInt8]) -> [DialogueAction] {
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

    private mutating func note(_ reply: ModuleReply) {
        switch reply {
        case .ok, .error: outstanding = max(0, outstanding - 1)
        case .bluetoothLoaded: bluetoothLoadedAt = bluetoothLoadedAt ?? now
        case .event(let text) where text.uppercased().contains("CONNECTED"):
            wasConnected = true
            central = text.split { $0 == "," || $0 == "=" || $0 == " " }.lazy.compactMap { BluetoothAddress($0) }.first
        case .event, .text: break
        }
    }

    private mutating func follow(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
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
            case .answer, .bluetoothLoaded, .rested, .event, .bootText: break
            }
        }
        return actions
    }

    // MARK: Findings

    /// What comes from now on belongs to what is being sent now.
    private mutating func begin() {
        sentAt = now
        heardAt = nil
        heard = []
        isHearing = true
    }

    private mutating func find(
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

    private mutating func settle(_ assumption: RS9116Assumption, _ holds: Bool) {
        evidence.add(assumption, holds: holds)
        report.profile = evidence.profile
        session.profile = report.profile
    }

    /// Whether what doesn't come in time would have come by then.
    private var isPrompt: Bool { slowest < Self.slowestPrompt }

    // MARK: The plan

    /// How long leaving the module takes.
    private var reserve: Duration {
        .seconds(8) + slowest * 6 + (report.profile[.bootLoaderWaits] == true ? .zero : Self.longestStart)
    }

    private var isTimeLeft: Bool { now - start < Self.end - reserve }

    private mutating func next() -> [DialogueAction] {
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

    private mutating func failed(_ error: ProvisioningError) -> [DialogueAction] {
        if stage == .attaching || stage == .over {
            stage = .over
            return [.failed(error)]
        }
        find("the rest", sent: "", "not tried: " + error.what)
        return done(.unknown(mayAdvertise: mayAdvertise))
    }

    private mutating func reached(_ step: ProvisioningStep) -> [DialogueAction] {
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
    private mutating func forgetLine() {
        outstanding = 0
        isLineSpoilt = false
        parser = ModuleReplyParser()
    }

    // MARK: Attaching and booting

    private mutating func menuShown() -> [DialogueAction] {
        forgetLine()
        mayAdvertise = false
        isBluetoothOn = false
        if let trigger = pendingTrigger {
            settle(trigger, holds: true, "it resets")
            find(
                "boot loader waits after a reset", sent: greetedBy.map { hexadecimal($0) } ?? "", took: .zero, "yes",
                (.bootLoaderWaits, true))
        }
        if pendingTrigger != nil, let byte = greetedBy {
            handshake = handshake ?? byte
            if byte == 0x7C {
                settle(.handshakeWith7C, true)
            } else if isIgnored7C, isPrompt {
                settle(.handshakeWith7C, false)
            }
            mark(
                "handshake 0x7C",
                settles: report.profile[.handshakeWith7C].map { (.handshakeWith7C, $0) })
        }
        pendingTrigger = nil
        greetedBy = nil
        isIgnored7C = false
        begin()
        isLoading = true
        return follow(session.load())
    }

    /// Says of an earlier finding what it has settled meanwhile.
    private mutating func mark(_ question: String, settles: (RS9116Assumption, Bool)?) {
        guard let index = report.findings.firstIndex(where: { $0.question == question }) else { return }
        report.findings[index].settles = settles?.0
        report.findings[index].holds = settles?.1
    }

    private mutating func ready(isFresh: Bool) -> [DialogueAction] {
        if isLoading {
            isLoading = false
            find(
                "Loading Done", sent: "1", took: now - sentAt, "not said",
                isPrompt ? (.loadingAnnounced, false) : nil)
        }
        switch stage {
        case .attaching:
            let how =
                handshake.map { "by the boot loader, handshake 0x\(hexadecimal($0))" }
                ?? (isFresh ? "by the boot loader's menu" : "firmware was running: bypass, or in use before")
            find("how it was found", sent: RS9116Command.firmwareVersion.text, how)
            return perform(.measuring)
        case .booting:
            isBluetoothOn = false
            return next()
        case .recovering: return perform(.measuring)
        default: return next()
        }
    }

    /// The module doesn't answer: it has reset itself, or hangs. Firmware that starts by itself is waited for.
    private mutating func recover() -> [DialogueAction] {
        recoveries += 1
        isBluetoothOn = false
        pendingTrigger = nil
        measurements = 0
        guard recoveries <= Self.mostRecoveries else { return leave("the module stopped answering again and again") }
        find("the module stopped answering", sent: "", came: [], "it is looked for again")
        // Once more from the start of the experiments; what was found stays until it is found anew.
        if recoveries == 1 { plan = [.bluetooth(power: nil), .experiments] + plan }
        if report.profile[.bootLoaderWaits] == true { return findAgain() }
        return ask(nil)
    }

    private mutating func findAgain() -> [DialogueAction] {
        guard report.profile[.bootLoaderWaits] != false else { return leave("the module stopped answering") }
        stage = .recovering
        isSilent = false
        measurements = 0
        return follow(session.findModule())
    }

    private mutating func bluetooth(_ power: Int?) -> [DialogueAction] {
        begin()
        if report.address == nil || power == nil {
            return [.probe(.trying("Bluetooth"))] + perform(.address)
        }
        return perform(.mode(power: power))
    }

    private mutating func announced(_ said: Bool) -> [DialogueAction] {
        find(
            "bt_loaded", sent: "at+rsi_opermode=...", took: (bluetoothLoadedAt ?? now) - sentAt,
            said ? "said" : "not said within 10 s", said ? (.bluetoothAnnounced, true) : nil)
        isUnannounced = !said
        isBluetoothOn = true
        return perform(.address)
    }

    // MARK: One command, one answer

    private func command(_ errand: Errand) -> RS9116Command {
        switch errand {
        case .measuring, .leaving: .firmwareVersion
        case .address, .life, .lastLife: .localAddress
        case .mode(let power): .operatingMode(transmitPower: power)
        case .resetting, .lastReset: .reset
        case .experiment(let experiment): experiment.command(advertisingType)
        case .sendingAway(let central): .disconnect(central)
        case .stopping:
            isStoppedByStatus
                ? ProbeExperiment.shortStop.command(advertisingType)
                : ProbeExperiment.stop.command(advertisingType)
        }
    }

    private var isStoppedByStatus: Bool {
        report.profile[.stopTakesAllParameters] == false && answers[.shortStop]?.isOK == true
    }

    /// Longer than any answer that is only late.
    private var patience: Duration { min(max(.seconds(3), slowest * 2.5 + .seconds(1)), .seconds(13)) }

    /// Nothing that is outstanding comes after so long a silence.
    private var quiet: Duration {
        versions.isEmpty ? .seconds(7) : min(max(.milliseconds(1500), slowest * 2.5 + .milliseconds(500)), .seconds(13))
    }

    /// Performs an errand as soon as nothing older can be answered any more.
    private mutating func perform(_ errand: Errand) -> [DialogueAction] {
        isSilent = false
        var actions: [DialogueAction] = []
        if isLineSpoilt {
            isLineSpoilt = false
            outstanding += 1
            actions.append(.send(Array("\r\n".utf8)))
        }
        guard outstanding > 0 else { return actions + transmit(errand) }
        stage = .draining(errand)
        return actions + [.wait(quiet)]
    }

    private mutating func transmit(_ errand: Errand) -> [DialogueAction] {
        outstanding = 0
        parser = ModuleReplyParser()
        let command = self.command(errand)
        exchange = ProbeExchange(command, version: errand == .measuring ? "" : version)
        begin()
        wasConnected = false
        switch errand {
        case .mode: bluetoothLoadedAt = nil
        case .experiment(let experiment) where experiment.startsAdvertising: mayAdvertise = true
        default: break
        }
        stage = .exchanging(errand)
        var wait = patience
        if case .operatingMode = command { wait += .seconds(7) }
        if errand == .measuring { wait = max(wait, .seconds(7)) }
        return [say(command), .wait(wait)]
    }

    /// Waits until nothing has come for a while, however much does.
    private mutating func drain(before errand: Errand, _ silence: Duration) -> [DialogueAction] {
        outstanding = Self.mostOutstanding
        stage = .draining(errand)
        return [.wait(silence)]
    }

    private mutating func say(_ command: RS9116Command) -> DialogueAction {
        outstanding += 1
        versionSentAt = now
        return .send(command.bytes)
    }

    private mutating func came(_ outcome: ProbeExchange.Outcome, _ errand: Errand) -> [DialogueAction] {
        switch outcome {
        case .pending: return []
        case .separate:
            exchange.separated()
            return [say(.firmwareVersion), .wait(patience)]
        case .answered(let answer):
            if answer != .none || exchange.command == .firmwareVersion { slowest = max(slowest, now - versionSentAt) }
            mixups = 0
            if let owed = exchange.owedSeparators { outstanding = owed }
            return answered(errand, answer)
        case .mixedUp:
            mixups += 1
            guard mixups < Self.mostMixups else {
                mixups = 0
                return answered(errand, .none)
            }
            return drain(before: errand, max(quiet, .seconds(2)))
        case .dead:
            switch errand {
            case .leaving, .stopping: return resetAtEnd()
            case .lastReset, .lastLife: return done(.unknown(mayAdvertise: mayAdvertise))
            default: return recover()
            }
        }
    }

    private mutating func answered(_ errand: Errand, _ answer: RS9116Session.Answer) -> [DialogueAction] {
        switch errand {
        case .measuring: return measured(answer)
        case .address: return toldAddress(answer)
        case .mode(let power): return modeAnswered(power, answer)
        case .resetting: return resetAnswered(answer)
        case .life(let trigger): return lifeTold(trigger, answer)
        case .experiment(let experiment): return tried(experiment, answer)
        // Its leaving is said, too.
        case .sendingAway: return drain(before: .experiment(.start), .seconds(1))
        case .leaving: return mayAdvertise ? perform(.stopping) : resetAtEnd()
        case .stopping:
            if answer.isOK, isStoppedByStatus || report.profile[.stopTakesAllParameters] == true {
                mayAdvertise = false
            }
            return resetAtEnd()
        case .lastReset: return lastResetAnswered(answer)
        case .lastLife: return lastLifeTold(answer)
        }
    }

    // MARK: Answers

    /// The version counts when it was said twice in the same way.
    private mutating func measured(_ answer: RS9116Session.Answer) -> [DialogueAction] {
        measurements += 1
        if case .ok(let text) = answer {
            if versions.contains(text) {
                version = text
                report.firmware = Printable.line(text)
            }
            versions.append(text)
        }
        if measurements < 3 || (report.firmware.isEmpty && measurements < 6) { return perform(.measuring) }
        measurements = 0
        guard !report.firmware.isEmpty else { return leave("the module doesn't say the same version twice") }
        return next()
    }

    private mutating func toldAddress(_ answer: RS9116Session.Answer) -> [DialogueAction] {
        switch answer {
        case .ok(let text):
            isBluetoothOn = true
            if isUnannounced {
                isUnannounced = false
                find(
                    "bt_loaded", sent: "at+rsi_opermode=...", took: .seconds(10),
                    "not said within 10 s, and Bluetooth is on", isPrompt ? (.bluetoothAnnounced, false) : nil)
            }
            if let address = BluetoothAddress(text) {
                if addresses.contains(address) { report.address = address }
                addresses.append(address)
            }
            // As with the version.
            return report.address == nil && addresses.count < 4 ? perform(.address) : next()
        case .error where isBluetoothOn:
            isBluetoothOn = false
            find("Bluetooth address", sent: RS9116Command.localAddress.text, "refused, " + answer.words)
            return next()
        case .error: return perform(.mode(power: nil))
        case .none: return next()
        }
    }

    private mutating func modeAnswered(_ power: Int?, _ answer: RS9116Session.Answer) -> [DialogueAction] {
        let sent = RS9116Command.operatingMode(transmitPower: power).text
        // Damaged on its way, it is refused as well.
        if isDoubtful(answer) { return perform(.mode(power: power)) }
        refusals = 0
        if let power {
            let holds: Bool? =
                switch answer {
                case .ok: true
                case .error(let code): code.cure == .none ? false : nil
                case .none: nil
                }
            find(
                "opermode with transmit power \(power)", sent: sent, answer.words,
                holds.map { (.powerInOperatingMode, $0) })
        }
        switch answer {
        case .ok:
            begin()
            if bluetoothLoadedAt != nil { return announced(true) }
            stage = .awaitingBluetooth
            return [.wait(.seconds(10))]
        case .error where power != nil: return perform(.mode(power: nil))
        case .error, .none:
            find("Bluetooth on", sent: sent, answer.words)
            return next()
        }
    }

    /// Whether a refusal isn't believed yet.
    private mutating func isDoubtful(_ answer: RS9116Session.Answer) -> Bool {
        guard case .error(let code) = answer, code.cure == .none, refusals + 1 < Self.refusalsToBelieve else {
            return false
        }
        refusals += 1
        return true
    }

    // MARK: Experiments with commands

    private mutating func tryOut(_ experiment: ProbeExperiment?) -> [DialogueAction] {
        guard let experiment else { return next() }
        guard experiment.isWorthwhile(answers), isTimeLeft, slowest <= Self.slowestBearable else {
            return tryOut(experiment.successor)
        }
        return [.probe(.trying(experiment.question))] + perform(.experiment(experiment))
    }

    private var advertisingType: AdvertisingType {
        answers[.startConnectable]?.isOK == true ? .connectable : .nonConnectable
    }

    private mutating func tried(_ experiment: ProbeExperiment, _ answer: RS9116Session.Answer) -> [DialogueAction] {
        // A command that is damaged on its way is refused, whatever the module takes.
        if experiment.isWellFormed, isDoubtful(answer) { return perform(.experiment(experiment)) }
        refusals = 0
        let command = experiment.command(advertisingType)
        if wasConnected, experiment.isVoidAfterConnection { return connected(experiment, command) }
        if case .error(.wrongState) = answer, command.text.hasPrefix("at+rsibt") {
            find(experiment.question, sent: command.text + "\r\n", "void: the module has reset itself")
            recoveries += 1
            isBluetoothOn = false
            if recoveries == 1 { plan = [.bluetooth(power: nil), .experiments] + plan }
            return next()
        }
        let settled = experiment.settles(answer, raw: heard, answers)
        if settled?.1 == false, let again = experiment.repetition(after: answer), !repeated.contains(experiment) {
            repeated.insert(experiment)
            return tryOut(again)
        }
        answers[experiment] = answer
        find(experiment.question, sent: command.text + "\r\n", answer.words, settled)
        return tryOut(experiment.successor)
    }

    /// Somebody has connected, which ends the advertising: what was tried with it is tried once more.
    private mutating func connected(_ experiment: ProbeExperiment, _ command: RS9116Command) -> [DialogueAction] {
        find(experiment.question, sent: command.text + "\r\n", "void: somebody connected to the module")
        connections += 1
        let group = ProbeExperiment.allCases.filter(\.isVoidAfterConnection)
        guard connections == 1 else { return tryOut(group.last?.successor) }
        for experiment in group { answers[experiment] = nil }
        return central.map { perform(.sendingAway($0)) } ?? tryOut(.start)
    }

    // MARK: Resets

    private mutating func pull(_ trigger: Trigger) -> [DialogueAction] {
        switch trigger {
        case .softReset:
            // A reset that is known to have no effect gives way to the one that may have.
            if report.profile[.softReset] == false {
                if report.profile[.controlLinesReset] == true, !isSilent { return pull(.controlLines) }
                return next()
            }
            if isSilent { return next() }
        case .controlLines:
            // They were tried in place of a soft reset already.
            if report.profile[.controlLinesReset] == false { return next() }
            // Firmware that was only loaded looks the same after a reset.
            guard isBluetoothOn else { return next() }
        }
        begin()
        wasBluetoothOn = isBluetoothOn
        pendingTrigger = trigger
        resetAnswer = .none
        replyToReset = []
        isLifeConfirmed = false
        let words = trigger == .softReset ? "reset by command" : "reset by DTR and RTS"
        guard trigger == .controlLines else { return [.probe(.trying(words))] + perform(.resetting) }
        return [.probe(.trying(words)), .pulseControlLines] + ask(.controlLines)
    }

    private mutating func resetAnswered(_ answer: RS9116Session.Answer) -> [DialogueAction] {
        if isDoubtful(answer) { return perform(.resetting) }
        refusals = 0
        resetAnswer = answer
        replyToReset = heard
        if case .error = answer { return perform(.life(.softReset)) }
        guard report.profile[.softReset] == true, report.profile[.bootLoaderWaits] == true else {
            return ask(.softReset)
        }
        begin()
        stage = .resting
        return [.wait(.milliseconds(50))]
    }

    /// Asks the firmware until it has had the time to start.
    private mutating func ask(_ trigger: Trigger?) -> [DialogueAction] {
        let waits = report.profile[.bootLoaderWaits] == true
        stage = .asking(trigger, until: now + (waits ? max(.milliseconds(1500), quiet) : Self.longestStart))
        return [.wait(.seconds(1))]
    }

    /// There is firmware. The answer to the reset may be the one that came.
    private mutating func firmwareSpeaks(_ replies: [ModuleReply], _ trigger: Trigger?) -> [DialogueAction] {
        if trigger == .softReset, resetAnswer == .none, case .asking = stage,
            let text = replies.lazy.compactMap(\.okText).first, !exchange.isVersion(text)
        {
            resetAnswer = .ok(text)
            slowest = max(slowest, now - sentAt)
            replyToReset = heard
            return ask(trigger)
        }
        guard let trigger else { return perform(.measuring) }
        return perform(.life(trigger))
    }

    private mutating func elapsed() -> [DialogueAction] {
        switch stage {
        case .draining(let errand): return transmit(errand)
        case .exchanging(let errand): return came(exchange.deadline(), errand)
        case .awaitingBluetooth: return announced(false)
        case .resting:
            isSilent = true
            return next()
        case .asking(let trigger, let until):
            if now < until { return [say(.firmwareVersion), .wait(.seconds(1))] }
            // The last answer may be late.
            if now < until + quiet { return [.wait(until + quiet - now)] }
            guard trigger != nil else { return findAgain() }
            // There is no boot loader to be spoken to.
            guard report.profile[.bootLoaderWaits] != false else { return recover() }
            isSilent = true
            return next()
        case .knocking(let byte, let period, let triesLeft):
            guard triesLeft > 0 else {
                stage = .listening(byte)
                return [.wait(max(.milliseconds(500), slowest * 2 + .milliseconds(500)))]
            }
            stage = .knocking(byte, every: period, triesLeft: triesLeft - 1)
            return [.send([byte]), .wait(period)]
        case .listening(let byte): return notGreeted(by: byte)
        case .verifying(let until):
            if now < until { return [say(.firmwareVersion), .wait(min(.seconds(1), until - now))] }
            return verified(nil)
        case .over, .attaching, .booting, .recovering: return []
        }
    }

    /// The firmware answers. If Bluetooth is off now, which was on before, it is another life.
    private mutating func lifeTold(_ trigger: Trigger, _ answer: RS9116Session.Answer) -> [DialogueAction] {
        pendingTrigger = nil
        switch answer {
        case .error(.wrongState) where wasBluetoothOn:
            isBluetoothOn = false
            mayAdvertise = false
            settle(trigger, holds: true, "it resets")
            // Else it has reset itself meanwhile.
            if report.profile[.bootLoaderWaits] != true {
                find(
                    "boot loader waits after a reset", sent: RS9116Command.firmwareVersion.text,
                    "no, it is bypassed: the firmware is loaded at once", (.bootLoaderWaits, false))
            }
            return next()
        case .ok where wasBluetoothOn:
            // A reset may be late.
            if !isLifeConfirmed {
                isLifeConfirmed = true
                pendingTrigger = trigger
                return drain(before: .life(trigger), .seconds(3))
            }
            if trigger == .softReset, resetAnswer == .none {
                find("reset", sent: RS9116Command.reset.text, "not answered, and the firmware runs on")
            } else {
                settle(trigger, holds: false, "no effect: the firmware runs on")
            }
            if trigger == .softReset, report.profile[.controlLinesReset] == nil {
                return pull(.controlLines)
            }
            return next()
        default:
            find("reset", sent: RS9116Command.firmwareVersion.text, "the firmware answers; was there a reset?")
            return next()
        }
    }

    private mutating func settle(_ trigger: Trigger, holds: Bool, _ conclusion: String) {
        switch trigger {
        case .softReset:
            find(
                "at+rsi_reset", sent: RS9116Command.reset.text + "\r\n", came: replyToReset, took: .zero, conclusion,
                (.softReset, holds))
        case .controlLines:
            find(
                "DTR and RTS", sent: "(both low for 100 ms)", came: [], took: .zero, conclusion,
                (.controlLinesReset, holds))
            // Once more, to be sure.
            guard holds, report.profile[.controlLinesReset] == nil, !isPulseRepeated else { return }
            isPulseRepeated = true
            plan =
                [
                    .bluetooth(power: nil), .trigger(.controlLines), .trigger(.softReset),
                    .knock(0x7C, every: .milliseconds(200)),
                ] + plan
        }
    }

    private mutating func knock(_ byte: UInt8, _ period: Duration) -> [DialogueAction] {
        guard isSilent else { return next() }
        if period >= .milliseconds(200) { begin() }
        knockedAt = now
        stage = .knocking(byte, every: period, triesLeft: period < .milliseconds(200) ? 49 : 9)
        return [.probe(.trying("handshake 0x\(hexadecimal(byte))")), .send([byte]), .wait(period)]
    }

    private mutating func greeted(by byte: UInt8) -> [DialogueAction] {
        isSilent = false
        let name = "handshake 0x\(hexadecimal(byte))"
        var period: Duration = .milliseconds(200)
        if case .knocking(_, let every, _) = stage { period = every }
        if period < .milliseconds(200) {
            find("time from at+rsi_reset to the handshake", sent: name, took: now - sentAt, "accepted")
        } else {
            find(name, sent: hexadecimal(byte), took: now - knockedAt, "accepted")
        }
        greetedBy = byte
        stage = .booting
        return follow(session.greeted(by: byte))
    }

    private mutating func notGreeted(by byte: UInt8) -> [DialogueAction] {
        isLineSpoilt = true
        find("handshake 0x\(hexadecimal(byte))", sent: hexadecimal(byte), "no answer")
        if byte == 0x7C {
            isIgnored7C = true
            // The other one has to.
            return knock(0x1C, .milliseconds(200))
        }
        if let handshake, handshake != byte, !(handshake == 0x7C && isIgnored7C) {
            return knock(handshake, .milliseconds(200))
        }
        isIgnored7C = false
        pendingTrigger = nil
        recoveries += 1
        guard recoveries <= Self.mostRecoveries else { return leave("the module stopped answering") }
        return findAgain()
    }

    private func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }

    // MARK: The end

    private mutating func leave(_ remark: String?) -> [DialogueAction] {
        if let remark { find("the rest", sent: "", came: [], "not tried: " + remark) }
        let trying = [DialogueAction.probe(.trying("leave the module reset"))]
        guard !isSilent else { return trying + verify() }
        // The line may be full of what isn't a command. Firmware that is starting would take it for binary.
        if report.profile[.bootLoaderWaits] == true { isLineSpoilt = true }
        return trying + perform(.leaving)
    }

    private mutating func resetAtEnd() -> [DialogueAction] {
        resetAnswer = .none
        if report.profile[.softReset] != false { return perform(.lastReset) }
        guard report.profile[.controlLinesReset] == true else {
            return done(mayAdvertise ? .unknown(mayAdvertise: true) : .running)
        }
        return [.pulseControlLines] + verify()
    }

    private mutating func lastResetAnswered(_ answer: RS9116Session.Answer) -> [DialogueAction] {
        if isDoubtful(answer) { return perform(.lastReset) }
        refusals = 0
        resetAnswer = answer
        return verify()
    }

    /// Finds out whether the reset happened.
    private mutating func verify() -> [DialogueAction] {
        let waits = report.profile[.bootLoaderWaits] == true
        sentAt = now
        stage = .verifying(until: now + (waits ? .seconds(1) + max(.milliseconds(1500), quiet) : Self.longestStart))
        return [.wait(.seconds(1))]
    }

    /// - Parameter replies: `nil` for silence.
    private mutating func verified(_ replies: [ModuleReply]?) -> [DialogueAction] {
        guard let replies else {
            let profile = report.profile
            let resets = profile[.softReset] == true || profile[.controlLinesReset] == true
            // It resets when it is told to; it was told to, and doesn't answer as it did.
            let isCertain = resets && profile[.bootLoaderWaits] == true && (resetAnswer.isOK || isPrompt)
            return done(isCertain ? .reset : .unknown(mayAdvertise: mayAdvertise))
        }
        if resetAnswer == .none, let text = replies.lazy.compactMap(\.okText).first, !exchange.isVersion(text) {
            resetAnswer = .ok(text)
            slowest = max(slowest, now - sentAt)
            return verify()
        }
        return perform(.lastLife)
    }

    private mutating func lastLifeTold(_ answer: RS9116Session.Answer) -> [DialogueAction] {
        switch answer {
        case .error(.wrongState): done(.bluetoothOff)
        case .ok where !mayAdvertise: done(.running)
        case .ok, .error, .none: done(.unknown(mayAdvertise: mayAdvertise))
        }
    }

    private mutating func giveUp() -> [DialogueAction] {
        find("the rest", sent: "", came: [], "not tried: there was no time for it")
        let lineEnd = report.profile[.bootLoaderWaits] == true ? [DialogueAction.send(Array("\r\n".utf8))] : []
        return lineEnd + [.send(RS9116Command.reset.bytes)] + done(.unknown(mayAdvertise: mayAdvertise))
    }

    private mutating func done(_ left: ProbeLeaving) -> [DialogueAction] {
        stage = .over
        if vanishings > 0 { find("the port", sent: "", came: [], "went away and came back \(vanishings) times") }
        report.left = left
        find("the module is left", sent: "", came: [], took: .zero, left.words)
        report.profile = evidence.profile
        // What one experiment has shown is no finding while others leave it open.
        for index in report.findings.indices {
            guard let settles = report.findings[index].settles,
                report.profile[settles] != report.findings[index].holds
            else { continue }
            report.findings[index].settles = nil
            report.findings[index].holds = nil
        }
        return [.probe(.done(report)), .finished]
    }
}

extension ProbeExperiment {
    /// The next one; `nil` after the last one.
    var successor: ProbeExperiment? { Self.allCases.drop { $0 != self }.dropFirst().first }
}

extension ModuleReply {
    /// Whether it answers a command.
    fileprivate var isAnswer: Bool {
        switch self {
        case .ok, .error: true
        case .bluetoothLoaded, .event, .text: false
        }
    }

    fileprivate var okText: String? {
        if case .ok(let text) = self { text } else { nil }
    }
}
