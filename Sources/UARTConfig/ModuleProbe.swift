import BeaconModel

/// Experiments with an RS9116 that settle what the driver assumes: a dialogue that ends with `.probe(.done)`.
///
/// To the boot loader it says nothing but the handshake bytes, `U`, and `1`, which loads the firmware; to a module in
/// an unknown state also `at+rsi_fwversion?`, as the driver does. Nothing that it sends outlives a reset, and it
/// leaves the module reset. For two seconds or so the module advertises data that is nobody's beacon.
public struct ModuleProbe: ModuleDialogue {
    /// Nothing new is begun after this.
    private static let patience: Duration = .seconds(65)
    /// What isn't over after this is given up: the module is being looked for, in vain.
    private static let end: Duration = .seconds(85)
    /// For `TimedDialogue`, which is never to come to it.
    public static let limit: Duration = .seconds(110)

    enum Task: Equatable {
        /// Bluetooth on; with this index of transmit power.
        case bluetooth(power: Int?)
        case trigger(Trigger)
        /// Finds out whether the boot loader takes this byte, and from when on, and boots by it.
        case knock(UInt8, every: Duration)
        case experiments
    }

    enum Trigger { case softReset, controlLines }

    private enum Stage: Equatable {
        case attaching
        case address
        case mode(power: Int?)
        case awaitingBluetooth
        /// After a reset was asked for.
        case triggered(Trigger)
        /// Asked whether the firmware runs.
        case asked(Trigger)
        /// It runs; this tells whether it is the same life as before.
        case sameLife(Trigger)
        case knocking(UInt8, every: Duration, triesLeft: Int)
        case booting
        case experiment(ProbeExperiment)
        /// The session looks for the module again.
        case recovering
        case leaving
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
    private var answers: [ProbeExperiment: RS9116Session.Answer] = [:]
    private var now: Duration = .zero
    private var start: Duration = .zero
    /// Of what is being found out.
    private var sentAt: Duration = .zero
    private var heardAt: Duration?
    private var heard: [UInt8] = []
    /// What the module said to `at+rsi_reset`.
    private var replyToReset: [UInt8] = []
    private var handshake: UInt8?
    private var isBluetoothOn = false
    /// The module was reset and nobody has spoken to it since.
    private var isSilent = false
    private var wasBluetoothOn = false
    /// The firmware is being loaded, and it hasn't said that it is.
    private var isLoading = false
    /// `bt_loaded` wasn't said; whether Bluetooth is on all the same isn't known yet.
    private var isUnannounced = false
    private var vanishings = 0
    private var unanswered = 0
    /// How often in a row the command of this experiment was refused before.
    private var refusals = 0
    private var recoveries = 0

    private static let mostHeard = 4096

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
            return isInCharge ? elapsed() : follow(session.deadline())
        case .assigned, .check, .provisionAgain, .identify: return []
        }
    }

    /// Whether the probe itself speaks to the module, not its session.
    private var isInCharge: Bool {
        switch stage {
        case .triggered, .asked, .knocking, .leaving, .over: true
        default: false
        }
    }

    private mutating func received(_ bytes: [UInt8]) -> [DialogueAction] {
        if heardAt == nil { heardAt = now }
        if heard.count < Self.mostHeard { heard += bytes }
        guard isInCharge else { return follow(session.receive(bytes)) }
        guard case .knocking(let byte, _, _) = stage, bytes.contains(0x55) else { return [] }
        return greeted(by: byte)
    }

    private mutating func follow(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
        var actions: [DialogueAction] = []
        for output in outputs {
            switch output {
            case .action(.failed(let error)): actions += failed(error)
            case .action(.report(let step)): actions += reached(step)
            case .action(let action): actions.append(action)
            case .menu:
                begin()
                isLoading = true
                actions += follow(session.load())
            case .ready(let isFresh): actions += ready(isFresh: isFresh)
            case .answer(let command, let answer): actions += answered(command, answer)
            case .bluetoothLoaded: actions += bluetoothLoaded()
            case .rested: actions += rested()
            case .event, .bootText: break
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
        if let settled {
            report.profile[settled.0] = settled.1
            session.profile = report.profile
        }
    }

    // MARK: The plan

    private mutating func next() -> [DialogueAction] {
        unanswered = 0
        guard now - start < Self.patience else { return leave("there was no time for the rest") }
        guard !plan.isEmpty else { return leave(nil) }
        let task = plan.removeFirst()
        switch task {
        case .bluetooth(let power): return bluetooth(power)
        case .trigger(let trigger): return pull(trigger)
        case .knock(let byte, let period): return knock(byte == 0 ? handshake ?? 0x7C : byte, period)
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
        return done()
    }

    private mutating func reached(_ step: ProvisioningStep) -> [DialogueAction] {
        switch step {
        case .handshake(let byte):
            if stage == .attaching { handshake = byte }
        case .firmwareLoaded:
            isLoading = false
            find("Loading Done", sent: "1", took: now - sentAt, "said", (.loadingAnnounced, true))
        case .bootWarning(let text): find("boot loader warns", sent: "", text)
        default: break
        }
        return [.report(step)]
    }

    // MARK: Attaching and booting

    private mutating func ready(isFresh: Bool) -> [DialogueAction] {
        report.firmware = Printable.line(session.firmware)
        if isLoading {
            isLoading = false
            find("Loading Done", sent: "1", took: now - sentAt, "not said", (.loadingAnnounced, false))
        }
        switch stage {
        case .attaching:
            let how =
                handshake.map { "by the boot loader, handshake 0x\(String($0, radix: 16, uppercase: true))" }
                ?? (isFresh ? "by the boot loader's menu" : "firmware was running: bypass, or in use before")
            find("how it was found", sent: RS9116Command.firmwareVersion.text, how)
            return next()
        case .booting:
            isBluetoothOn = false
            return next()
        case .recovering:
            isBluetoothOn = false
            // Once more from the start of the experiments; what was found stays until it is found anew.
            if recoveries == 1 { plan = [.bluetooth(power: nil), .experiments] + plan }
            return next()
        case .sameLife: return follow(session.perform(.localAddress))
        default: return next()
        }
    }

    private mutating func recover() -> [DialogueAction] {
        recoveries += 1
        guard recoveries <= 2 else { return leave("the module stopped answering again and again") }
        find("the module stopped answering", sent: "", came: [], "it is looked for again")
        stage = .recovering
        return follow(session.findModule())
    }

    private mutating func bluetooth(_ power: Int?) -> [DialogueAction] {
        begin()
        if report.address == nil || power == nil {
            stage = .address
            return [.probe(.trying("Bluetooth"))] + follow(session.perform(.localAddress))
        }
        return switchOn(power)
    }

    private mutating func switchOn(_ power: Int?) -> [DialogueAction] {
        begin()
        stage = .mode(power: power)
        return follow(session.perform(.operatingMode(transmitPower: power)))
    }

    private mutating func bluetoothLoaded() -> [DialogueAction] {
        guard stage == .awaitingBluetooth else { return [] }
        return announced(true)
    }

    private mutating func rested() -> [DialogueAction] {
        stage == .awaitingBluetooth ? announced(false) : []
    }

    private mutating func announced(_ said: Bool) -> [DialogueAction] {
        find(
            "bt_loaded", sent: "at+rsi_opermode=...", took: now - sentAt, said ? "said" : "not said within 10 s",
            said ? (.bluetoothAnnounced, true) : nil)
        isUnannounced = !said
        begin()
        isBluetoothOn = true
        stage = .address
        return follow(session.perform(.localAddress))
    }

    // MARK: Answers

    private mutating func answered(
        _ command: RS9116Command, _ answer: RS9116Session.Answer
    ) -> [DialogueAction] {
        if answer == .none {
            unanswered += 1
            if unanswered >= 2 { return recover() }
        } else {
            unanswered = 0
        }
        switch stage {
        case .address: return toldAddress(answer)
        case .mode(let power): return modeAnswered(power, answer)
        case .sameLife(let trigger): return lifeTold(trigger, answer)
        case .experiment(let experiment): return tried(experiment, command, answer)
        default: return []
        }
    }

    private mutating func toldAddress(_ answer: RS9116Session.Answer) -> [DialogueAction] {
        switch answer {
        case .ok(let text):
            isBluetoothOn = true
            if let address = BluetoothAddress(text) { report.address = address }
            if isUnannounced {
                isUnannounced = false
                find(
                    "bt_loaded", sent: "at+rsi_opermode=...", took: .seconds(10),
                    "not said within 10 s, and Bluetooth is on", (.bluetoothAnnounced, false))
            }
            return next()
        case .error where isBluetoothOn:
            isBluetoothOn = false
            find("Bluetooth address", sent: RS9116Command.localAddress.text, "refused, " + answer.words)
            return next()
        case .error: return switchOn(nil)
        case .none: return next()
        }
    }

    private mutating func modeAnswered(_ power: Int?, _ answer: RS9116Session.Answer) -> [DialogueAction] {
        let sent = RS9116Command.operatingMode(transmitPower: power).text
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
            stage = .awaitingBluetooth
            return follow(session.rest(.seconds(10)))
        case .error where power != nil: return switchOn(nil)
        case .error, .none:
            find("Bluetooth on", sent: sent, answer.words)
            return next()
        }
    }

    // MARK: Experiments with commands

    private static let refusalsToBelieve = 3

    private mutating func tryOut(_ experiment: ProbeExperiment?) -> [DialogueAction] {
        guard let experiment else { return next() }
        guard experiment.isWorthwhile(answers), now - start < Self.patience else {
            return tryOut(ProbeExperiment.allCases.drop { $0 != experiment }.dropFirst().first)
        }
        begin()
        stage = .experiment(experiment)
        return [.probe(.trying(experiment.question))] + follow(session.perform(experiment.command(advertisingType)))
    }

    private var advertisingType: AdvertisingType {
        answers[.startConnectable]?.isOK == true ? .connectable : .nonConnectable
    }

    private mutating func tried(
        _ experiment: ProbeExperiment, _ command: RS9116Command, _ answer: RS9116Session.Answer
    ) -> [DialogueAction] {
        // A command that is damaged on its way is refused, whatever the module takes.
        if case .error(let code) = answer, code.cure == .none, experiment.isWellFormed,
            refusals + 1 < Self.refusalsToBelieve
        {
            refusals += 1
            begin()
            return follow(session.perform(command))
        }
        refusals = 0
        let settled = experiment.settles(answer, raw: heard, answers)
        answers[experiment] = answer
        find(experiment.question, sent: command.text + "\r\n", answer.words, settled)
        return tryOut(ProbeExperiment.allCases.drop { $0 != experiment }.dropFirst().first)
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
        }
        begin()
        wasBluetoothOn = isBluetoothOn
        stage = .triggered(trigger)
        let words = trigger == .softReset ? "reset by command" : "reset by DTR and RTS"
        let action: DialogueAction =
            trigger == .softReset ? .send(RS9116Command.reset.bytes) : .pulseControlLines
        // Times are measured from here when it is known what happens.
        let isKnown = trigger == .softReset && report.profile[.bootLoaderWaits] == true
        return [.probe(.trying(words)), action, .wait(isKnown ? .milliseconds(50) : .seconds(1))]
    }

    private mutating func elapsed() -> [DialogueAction] {
        switch stage {
        case .triggered(let trigger):
            replyToReset = heard
            if trigger == .softReset, report.profile[.bootLoaderWaits] == true {
                isSilent = true
                return next()
            }
            heard = []
            stage = .asked(trigger)
            return [.send(RS9116Command.firmwareVersion.bytes), .wait(.milliseconds(500))]
        case .asked(let trigger):
            guard ModuleReplyParser.hasAnswer(heard) else {
                isSilent = true
                settle(trigger, holds: true, "it is silent, as after a reset")
                return next()
            }
            stage = .sameLife(trigger)
            return follow(session.perform(.firmwareVersion))
        case .knocking(let byte, let period, let triesLeft):
            guard triesLeft > 0 else { return notGreeted(by: byte) }
            stage = .knocking(byte, every: period, triesLeft: triesLeft - 1)
            return [.send([byte]), .wait(period)]
        case .leaving: return done()
        default: return []
        }
    }

    /// The firmware answers. If Bluetooth is off now, which was on before, it is another life.
    private mutating func lifeTold(_ trigger: Trigger, _ answer: RS9116Session.Answer) -> [DialogueAction] {
        guard wasBluetoothOn else {
            find("reset", sent: RS9116Command.firmwareVersion.text, "the firmware answers; was there a reset?")
            return next()
        }
        guard case .error = answer else {
            settle(trigger, holds: false, "no effect: the firmware runs on")
            if trigger == .softReset, report.profile[.controlLinesReset] == nil {
                plan.removeAll { $0 == .trigger(.controlLines) }
                return pull(.controlLines)
            }
            return next()
        }
        isBluetoothOn = false
        guard report.profile[.bootLoaderWaits] != true else {
            // It has reset itself meanwhile.
            return next()
        }
        settle(trigger, holds: true, "it resets")
        find(
            "boot loader waits after a reset", sent: RS9116Command.firmwareVersion.text,
            "no, it is bypassed: the firmware is loaded at once", (.bootLoaderWaits, false))
        return next()
    }

    private mutating func settle(_ trigger: Trigger, holds: Bool, _ conclusion: String) {
        switch trigger {
        case .softReset:
            find(
                "at+rsi_reset", sent: RS9116Command.reset.text + "\r\n", came: replyToReset, conclusion,
                (.softReset, holds))
        case .controlLines:
            find(
                "DTR and RTS", sent: "(both low for 100 ms)", came: replyToReset, conclusion,
                (.controlLinesReset, holds))
        }
    }

    private mutating func knock(_ byte: UInt8, _ period: Duration) -> [DialogueAction] {
        guard isSilent else { return next() }
        begin()
        stage = .knocking(byte, every: period, triesLeft: period < .milliseconds(200) ? 49 : 9)
        return [.probe(.trying("handshake 0x\(hexadecimal(byte))")), .send([byte]), .wait(period)]
    }

    private mutating func greeted(by byte: UInt8) -> [DialogueAction] {
        guard case .knocking(_, let period, _) = stage else { return [] }
        isSilent = false
        let name = "handshake 0x\(hexadecimal(byte))"
        if period < .milliseconds(200) {
            find(
                "time from at+rsi_reset to the handshake", sent: name, took: now - sentAt + .milliseconds(50),
                "accepted")
        } else {
            find(name, sent: hexadecimal(byte), "accepted", byte == 0x7C ? (.handshakeWith7C, true) : nil)
            if report.profile[.bootLoaderWaits] == nil {
                find("boot loader waits after a reset", sent: name, "yes", (.bootLoaderWaits, true))
            }
        }
        handshake = handshake ?? byte
        stage = .booting
        return follow(session.greeted(by: byte))
    }

    private mutating func notGreeted(by byte: UInt8) -> [DialogueAction] {
        let name = "handshake 0x\(hexadecimal(byte))"
        find(
            name, sent: hexadecimal(byte), "no answer",
            byte == 0x7C && report.profile[.handshakeWith7C] == nil ? (.handshakeWith7C, false) : nil)
        if byte == 0x7C {
            // The other one has to.
            return knock(0x1C, .milliseconds(200))
        }
        if let handshake, handshake != byte { return knock(handshake, .milliseconds(200)) }
        stage = .recovering
        isSilent = false
        return follow(session.findModule())
    }

    private func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }

    // MARK: The end

    private mutating func leave(_ remark: String?) -> [DialogueAction] {
        if let remark { find("the rest", sent: "", came: [], "not tried: " + remark) }
        if isSilent { return done() }
        stage = .leaving
        let reset: DialogueAction =
            report.profile[.softReset] == false ? .pulseControlLines : .send(RS9116Command.reset.bytes)
        return [.probe(.trying("leave the module reset")), reset, .wait(.seconds(1))]
    }

    private mutating func giveUp() -> [DialogueAction] {
        find("the rest", sent: "", came: [], "not tried: there was no time for it")
        return [.send(RS9116Command.reset.bytes)] + done()
    }

    private mutating func done() -> [DialogueAction] {
        stage = .over
        if vanishings > 0 { find("the port", sent: "", came: [], "went away and came back \(vanishings) times") }
        let canReset = report.profile[.softReset] != false || report.profile[.controlLinesReset] == true
        find(
            "the module is left", sent: "", came: [],
            canReset ? "reset and silent: provision it" : "as it is: nothing resets it but a person")
        return [.probe(.done(report)), .finished]
    }
}
