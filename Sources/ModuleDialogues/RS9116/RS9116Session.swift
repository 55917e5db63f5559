import BeaconModel

/// The link to an RS9116: finds the module in whatever state it is, loads its firmware, and then exchanges one command
/// for one answer. What the commands are for is the owner's business.
package struct RS9116Session: Sendable {
    package enum Output: Equatable, Sendable {
        case action(DialogueAction)
        /// The boot loader waits for a key.
        case menu
        /// Firmware takes AT commands.
        ///
        /// - Parameter isFresh: it was loaded just now, so that nothing is configured.
        case ready(isFresh: Bool)
        case answer(RS9116Command, Answer)
        /// `bt_loaded`.
        case bluetoothLoaded
        /// What the module heard; `nil` for a report that can't be read.
        case report(ModuleReception?)
        /// Another unasked-for line.
        case event(String)
        /// The boot loader says something to a key that the owner pressed; see `bootText`.
        case bootText
        /// A time that the owner asked for by `rest`, `press` or `listen` is over.
        case rested
    }

    package enum Answer: Equatable, Sendable {
        case ok(String)
        case error(RS9116ErrorCode)
        /// Nothing, however often it was asked.
        case none
    }

    package enum State: Equatable {
        case idle
        /// Dropping what was in the line before.
        case settling
        case knocking(RS9116Knock)
        /// It answers at a speed at which it isn't understood: firmware is loaded, and then reset.
        case abandoningRate
        /// Told to reset; waiting for the boot loader to come up.
        case resetting
        /// Sent `U`, waiting for the end of the menu.
        case awaitingMenu
        case beforeKey
        case atMenu
        case loading(key: UInt8, tries: Int, hasBegun: Bool)
        case awaitingAnswer(RS9116Command)
        /// The answer to `command` is late, or an answer to an abandoned command may still come. The module answers in
        /// order, so that a question that was sent meanwhile, whose answer looks like no other, separates what belongs
        /// to the time before from what comes after. `hasAnswer`: something came since the question was sent.
        case synchronising(RS9116Command, Lateness, hasAnswer: Bool)
        /// Nobody knows any more how many answers are still to come: waiting until none does.
        case draining
        /// Waiting a little before a command is sent.
        case pausing(RS9116Command)
        case ready
        case ended
    }

    /// What has answered since the module was looked for.
    package enum Understood {
        case nothing, firmware, bootLoader
    }

    package enum Lateness: Equatable {
        /// The command was sent; its answer counts if it comes before that of the question.
        case awaited
        /// The command is sent once nothing older can come.
        case unsent
    }

    /// May become better known on the way.
    package var profile: RS9116Profile
    package var state = State.idle
    package var parser = ModuleReplyParser()
    /// What the boot loader said since it was last looked at, or since the owner pressed a key.
    var bootText = RS9116BootText()
    package var baudRate = Self.baudRate
    /// How often the module was lost, or not understood, at the speed that was wanted.
    var lossesAtWantedRate = 0
    package var isFresh = false
    package var outstanding = OutstandingCommands()
    /// The number of the command that was sent last.
    package var current: OutstandingCommands.Number = 0
    /// Questions at rates that aren't the module's were noise to it, to which it may answer.
    var hasMadeNoise = false
    /// How much longer than usual answers are waited for; grows with each answer that came late.
    var extraPatience: Duration = .zero
    var bytesHeard = 0
    package var understood = Understood.nothing
    /// The boot loader has shown its menu: it isn't bypassed.
    var metBootLoader = false
    var menuFailures = 0
    package var resets = 0
    package var repeats = 0
    package var refusals = 0
    package var firmware = ""

    /// The module's default, and what it measures when it is greeted at this rate.
    package static let baudRate = 115_200
    /// Then the wanted speed is wanted no more.
    static let mostLossesAtWantedRate = 3
    static let mostResets = 3
    static let mostMenuFailures = 2
    static let mostKeyPresses = 3
    /// A byte that is damaged on its way makes any command an invalid one. With one byte in 200 damaged, nearly half of
    /// all commands that set advertising data are; six in a row with a probability of 1 %.
    static let refusalsToBelieve = 6
    /// The silence after which no answer can come any more.
    package static let silence: Duration = .seconds(10)
    static let mostExtraPatience: Duration = .seconds(14)
    /// Answers to other commands than a query are empty; noise may add a byte or two.
    static let shortestVersion = 6

    init(profile: RS9116Profile) { self.profile = profile }

    package var isReady: Bool { state == .ready }

    // MARK: What the owner wants

    /// The speed that is wanted, unless the module, or its line, has shown that it doesn't do it.
    private var wantedRate: Int? {
        guard let rate = profile.baudRate, rate != Self.baudRate,
            lossesAtWantedRate < Self.mostLossesAtWantedRate
        else { return nil }
        return rate
    }

    /// From its next reset the module is spoken to at the default speed.
    mutating func giveUpRate() { lossesAtWantedRate = Self.mostLossesAtWantedRate }

    /// Whether the line is faster than the default.
    var isFast: Bool { baudRate > Self.baudRate }

    /// Something went wrong; whether it was for the speed isn't known.
    mutating func blameRate() {
        if baudRate != Self.baudRate, baudRate == profile.baudRate { lossesAtWantedRate += 1 }
    }

    /// Begins, or begins again, from a module in an unknown state.
    package mutating func open() -> [Output] {
        // What was reset together with its port is not asked whether it runs.
        if state == .resetting { return settle() }
        return findModule()
    }

    /// Looks for the module anew; a few times at most as long as `forgive` isn't called.
    mutating func findModule() -> [Output] {
        blameRate()
        understood = .nothing
        bytesHeard = 0
        return settle()
    }

    /// All is well: later failures have all their tries before them.
    mutating func forgive() {
        resets = 0
        menuFailures = 0
    }

    package mutating func reset() -> [Output] {
        resets += 1
        guard resets <= Self.mostResets else { return fail(.doesNotReset) }
        let isSoft = profile.assumes(.softReset)
        // The one before may have had no effect.
        let pulses = (!isSoft || resets > 1) && profile.assumes(.controlLinesReset)
        guard isSoft || pulses else { return fail(.doesNotReset) }
        state = .resetting
        var outputs: [Output] = [.action(.report(.resetting))]
        if isSoft {
            outstanding.send(.reset)
            outputs.append(.action(.send(RS9116Command.reset.bytes)))
        }
        if pulses { outputs.append(.action(.pulseControlLines)) }
        return outputs + [.action(.wait(.seconds(1)))]
    }

    /// The boot loader has answered to `byte`, which somebody else has sent.
    package mutating func greeted(by byte: UInt8) -> [Output] {
        forgetAnswers()
        understood = .bootLoader
        bootText.removeAll()
        state = .awaitingMenu
        return [
            .action(.report(.handshake(byte))), .action(.send([RS9116BootLoader.greeting])),
            .action(.wait(.seconds(2) + extraPatience)),
        ]
    }

    /// At the menu: loads the default firmware.
    ///
    /// - Parameter key: instead of the menu's key, the number of an image that the boot loader has asked for.
    package mutating func load(key: UInt8 = RS9116BootLoader.loadDefaultKey) -> [Output] {
        load(key: key, tries: 1)
    }

    package mutating func load(key: UInt8, tries: Int) -> [Output] {
        bootText.removeAll()
        state = .loading(key: key, tries: tries, hasBegun: false)
        return [.action(.send([key])), .action(.wait(loadingTime))]
    }

    var loadingTime: Duration { profile.assumes(.loadingAnnounced) ? .seconds(10) : .seconds(3) }

    /// At the menu: presses a key, and tells what the boot loader says until `patience` is over.
    package mutating func press(_ key: UInt8, patience: Duration) -> [Output] {
        bootText.removeAll()
        return [.action(.send([key]))] + listen(patience)
    }

    /// At the menu: tells what the boot loader says until `patience` is over. Nothing that it said is forgotten.
    package mutating func listen(_ patience: Duration) -> [Output] {
        state = .atMenu
        return [.action(.wait(patience))]
    }

    package mutating func perform(_ command: RS9116Command) -> [Output] {
        repeats = 0
        refusals = 0
        // The answer to a command that isn't of interest any more must not pass for this one's. A version can't.
        guard outstanding.hasOthersThanVersions, command != .firmwareVersion else { return transmit(command) }
        return synchronise(command, .unsent)
    }

    /// Waits a little before `command`.
    package mutating func pause(_ duration: Duration = .milliseconds(200), before command: RS9116Command) -> [Output] {
        state = .pausing(command)
        return [.action(.wait(duration))]
    }

    mutating func synchronise(_ command: RS9116Command, _ lateness: Lateness) -> [Output] {
        state = .synchronising(command, lateness, hasAnswer: false)
        outstanding.send(.firmwareVersion)
        return [.action(.send(RS9116Command.firmwareVersion.bytes)), .action(.wait(synchronisingTime))]
    }

    var synchronisingTime: Duration {
        (RS9116Command.firmwareVersion.timeout + extraPatience) * max(1, repeats)
    }

    /// Nothing to do for a while; unasked-for lines are passed on meanwhile.
    package mutating func rest(_ duration: Duration) -> [Output] {
        state = .ready
        return [.action(.wait(duration))]
    }

    package mutating func end() { state = .ended }

    package mutating func fail(_ error: ProvisioningError) -> [Output] {
        state = .ended
        return [.action(.failed(error))]
    }

    // MARK: Deadlines

    package mutating func deadline() -> [Output] {
        switch state {
        case .idle, .ended: return []
        case .atMenu: return [.rested]
        case .settling: return knock(RS9116Knock(profile: profile, wanted: wantedRate))
        case .resetting:
            let waits = profile[.bootLoaderWaits] ?? metBootLoader
            let start: RS9116Knock.Start = waits ? .bootLoader : .eitherAfterReset
            return backToDefaultRate() + knock(RS9116Knock(profile: profile, start: start, wanted: wantedRate))
        case .knocking(let knock): return self.knock(knock.next)
        case .awaitingMenu:
            // Some revisions word the end of the menu differently.
            if bootText.has(RS9116BootLoader.menuStart) { return menuIsOpen() }
            if wantedRate != nil, baudRate == wantedRate {
                // It is no failure of the module that its line doesn't carry that. Its speed changes only with a reset,
                // which it takes once firmware is loaded.
                giveUpRate()
                state = .abandoningRate
                return [
                    .action(.report(.retrying("nothing is understood at \(baudRate) baud"))),
                    .action(.send([RS9116BootLoader.loadDefaultKey])), .action(.wait(.seconds(3))),
                ]
            }
            menuFailures += 1
            waitLonger()
            guard menuFailures <= Self.mostMenuFailures else { return fail(.noMenu) }
            return [.action(.report(.retrying("no boot menu")))]
                + knock(RS9116Knock(profile: profile, wanted: wantedRate))
        case .abandoningRate:
            forgetAnswers()
            state = .resetting
            return [.action(.send(RS9116Command.reset.bytes)), .action(.wait(.seconds(1)))]
        case .beforeKey:
            state = .atMenu
            return [.menu]
        case .loading(let key, let tries, let hasBegun):
            guard hasBegun else {
                // The key may have been lost or damaged.
                guard tries < Self.mostKeyPresses else { return fail(.firmwareNotLoaded) }
                return load(key: key, tries: tries + 1)
            }
            // Only the words may have been lost. To a boot loader the question is noise.
            parser = ModuleReplyParser()
            forgetAnswers()
            isFresh = false
            return perform(.firmwareVersion)
        case .awaitingAnswer(let command):
            guard repeats < command.repeats else { return answered(command, .none) }
            repeats += 1
            return command == .firmwareVersion ? transmit(command) : synchronise(command, .awaited)
        case .synchronising(let command, let lateness, let hasAnswer):
            // The module answers, and has been silent since: the other answers were lost.
            if hasAnswer {
                forgetAnswers()
                return separated(command)
            }
            // A question can be lost like any other command.
            if repeats < max(1, command.repeats) {
                repeats += 1
                return synchronise(command, lateness)
            }
            switch lateness {
            case .awaited: return answered(command, .none)
            case .unsent:
                repeats = 0
                return transmit(command)
            }
        case .draining:
            forgetAnswers()
            return perform(.firmwareVersion)
        case .pausing(let command): return transmit(command)
        case .ready: return [.rested]
        }
    }

    // MARK: Bytes

    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        switch state {
        case .idle, .settling, .resetting, .abandoningRate, .ended: return []
        case .knocking(let knock) where knock.asksFirmware:
            bytesHeard += bytes.count
            // The question reaches a menu too, which calls every letter of it an invalid option.
            bootText.add(bytes)
            if bootText.has(RS9116BootLoader.unknownKey) { return menuIsOpen() }
            return exchange(bytes)
        case .knocking:
            bytesHeard += bytes.count
            bootText.add(bytes)
            let outputs = readBootText()
            guard case .knocking = state else { return outputs }
            // The answer to an earlier question may be late.
            return outputs + exchange(bytes)
        case .awaitingMenu, .beforeKey, .atMenu, .loading:
            bytesHeard += bytes.count
            bootText.add(bytes)
            return readBootText()
        case .awaitingAnswer, .synchronising, .draining, .pausing, .ready:
            bytesHeard += bytes.count
            return exchange(bytes)
        }
    }

    package mutating func exchange(_ bytes: [UInt8]) -> [Output] {
        var outputs: [Output] = []
        for reply in parser.receive(bytes) { outputs += received(reply) }
        return outputs
    }

    mutating func readBootText() -> [Output] {
        switch state {
        case .knocking(let knock):
            if bootText.has(RS9116BootLoader.unknownKey) || bootText.has(RS9116BootLoader.menuEnd) {
                return menuIsOpen()
            }
            return bootText.contains(RS9116BootLoader.greeting) ? greeted(by: knock.byte) : []
        case .awaitingMenu: return bootText.has(RS9116BootLoader.menuEnd) ? menuIsOpen() : []
        case .atMenu: return [.bootText]
        case .loading(let key, let tries, let hasBegun):
            // What it said before may still arrive, its invitation to press a key too.
            let begun = bootText.indices(of: RS9116BootLoader.loading).first
            guard let begun else {
                // The key was damaged on its way, or what it says comes before.
                return bootText.has(RS9116BootLoader.unknownKey) ? [.action(.wait(.seconds(1) + extraPatience))] : []
            }
            guard bootText.has(RS9116BootLoader.loaded) else {
                // It is back at its menu.
                if bootText.indices(of: RS9116BootLoader.invitation).contains(where: { $0 > begun }) {
                    return fail(.firmwareNotLoaded)
                }
                guard !hasBegun else { return [] }
                state = .loading(key: key, tries: tries, hasBegun: true)
                return [.action(.wait(loadingTime))]
            }
            bootText.removeAll()
            parser = ModuleReplyParser()
            forgetAnswers()
            isFresh = true
            return [.action(.report(.firmwareLoaded))] + perform(.firmwareVersion)
        default: return []
        }
    }

    mutating func menuIsOpen() -> [Output] {
        forgetAnswers()
        understood = .bootLoader
        metBootLoader = true
        let warnings = RS9116BootLoader.warnings.filter { bootText.has($0) }
        bootText.removeAll()
        state = .beforeKey
        // The rest of the noise passes.
        return warnings.map { .action(.report(.bootWarning($0))) } + [.action(.wait(.milliseconds(50)))]
    }

    // MARK: Finding the module

    package mutating func settle() -> [Output] {
        bootText.removeAll()
        state = .settling
        return backToDefaultRate() + [.action(.wait(.milliseconds(100)))]
    }

    mutating func backToDefaultRate() -> [Output] { changeRate(to: Self.baudRate) }

    mutating func changeRate(to rate: Int) -> [Output] {
        guard baudRate != rate else { return [] }
        baudRate = rate
        bootText.removeAll()
        hasMadeNoise = true
        return [.action(.setBaudRate(rate))]
    }

    /// One try to get an answer, or the end of all tries.
    package mutating func knock(_ knock: RS9116Knock) -> [Output] {
        state = .knocking(knock)
        switch knock.attempt {
        case .handshake(let byte, let rate):
            return changeRate(to: rate) + [.action(.send([byte])), .action(.wait(.milliseconds(200)))]
        case .question(let rate, let patience):
            outstanding.send(.firmwareVersion)
            parser = ModuleReplyParser()
            bootText.removeAll()
            return changeRate(to: rate)
                + [.action(.send(RS9116Command.firmwareVersion.bytes)), .action(.wait(patience))]
        case .pulse: return [.action(.pulseControlLines), .action(.wait(.seconds(1)))]
        case nil:
            switch understood {
            case .bootLoader: return fail(.noMenu)
            case .firmware where resets > 0: return fail(.silentSinceReset)
            case .firmware, .nothing:
                return fail(bytesHeard > 0 ? .unintelligible(bytes: bytesHeard) : .silent)
            }
        }
    }

    package mutating func transmit(_ command: RS9116Command) -> [Output] {
        state = .awaitingAnswer(command)
        current = outstanding.send(command)
        return [.action(.send(command.bytes)), .action(.wait(command.timeout + extraPatience))]
    }
}
