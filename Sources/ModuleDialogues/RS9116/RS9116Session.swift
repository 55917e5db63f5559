import BeaconModel

/// The link to an RS9116. It finds the module in any state, loads its firmware, and then exchanges one command for one
/// answer. The owner decides what the commands are for.
package struct RS9116Session: Sendable {
    package enum Output: Equatable, Sendable {
        case line(LineAction)
        /// A step for people who follow the progress.
        case step(ProvisioningStep)
        /// The session is over: the module cannot be found or used.
        case failed(ProvisioningError)
        /// The boot loader waits for a key.
        case menu
        /// The firmware accepts AT commands.
        ///
        /// - Parameter isFresh: whether it was just loaded, so that nothing is configured.
        case ready(isFresh: Bool)
        case answer(RS9116Command, Answer)
        /// The module sent `bt_loaded`: the Bluetooth stack is up.
        case bluetoothLoaded
        /// A received advertisement; `nil` for a report that could not be parsed.
        case report(ModuleReception?)
        /// Any other unsolicited line.
        case event(String)
        /// The boot loader answered a key that the owner pressed; see `bootText`.
        case bootText
        /// The time that the owner requested with `rest`, `press` or `listen` has elapsed.
        case rested
    }

    package enum Answer: Equatable, Sendable {
        case ok(String)
        case error(RS9116ErrorCode)
        /// There was no answer to any repetition.
        case none
    }

    package enum State: Equatable {
        case idle
        /// Discarding bytes that were already on the line.
        case settling
        case knocking(RS9116Knock)
        /// Loading and then resetting firmware, because the module answers unintelligibly at the current speed.
        case abandoningRate
        /// Waiting for the boot loader after a reset.
        case resetting
        /// Waiting for the end of the menu after `U` was sent.
        case awaitingMenu
        case beforeKey
        case atMenu
        case loading(key: UInt8, tries: Int, hasBegun: Bool)
        case awaitingAnswer(RS9116Command)
        /// Waiting because the answer to `command` is late, or an answer to an abandoned command may still arrive. The
        /// module answers in order. A version query sent meanwhile, whose answer looks like no other, therefore
        /// separates older answers from newer ones. `hasAnswer`: an answer arrived since the query was sent.
        case synchronising(RS9116Command, Lateness, hasAnswer: Bool)
        /// Waiting for a silence, because the number of outstanding answers is unknown.
        case draining
        /// Pausing before a command is sent.
        case pausing(RS9116Command)
        case ready
        case ended
    }

    /// The part of the module that has answered since the search for it began.
    package enum Understood {
        case nothing, firmware, bootLoader
    }

    package enum Lateness: Equatable {
        /// The command was sent. Its answer counts if it arrives before that of the query.
        case awaited
        /// The command is sent once no older answer can arrive.
        case unsent
    }

    /// What is known about the module. The owner may update it during the session.
    package var profile: RS9116Profile
    package var state = State.idle
    package var parser = ModuleReplyParser()
    /// Output of the boot loader since it was last evaluated or since the owner pressed a key.
    var bootText = RS9116BootText()
    package var baudRate = Self.baudRate
    /// Number of times the module was lost, or not understood, at the wanted speed.
    var lossesAtWantedRate = 0
    package var isFresh = false
    package var outstanding = OutstandingCommands()
    /// Number of the last command sent.
    package var current: OutstandingCommands.Number = 0
    /// Whether queries at wrong rates reached the module as noise, which it may answer.
    var hasMadeNoise = false
    /// Extra time to wait for answers; it grows with each late answer.
    var extraPatience: Duration = .zero
    var bytesHeard = 0
    package var understood = Understood.nothing
    /// Whether the boot loader has shown its menu and is therefore not bypassed.
    var metBootLoader = false
    var menuFailures = 0
    package var resets = 0
    package var repeats = 0
    package var refusals = 0
    package var firmware = ""

    /// The module's default rate, which it also uses when the handshake is sent at this rate.
    package static let baudRate = 115_200
    /// Number of losses after which the wanted speed is no longer used.
    static let mostLossesAtWantedRate = 3
    static let mostResets = 3
    static let mostMenuFailures = 2
    static let mostKeyPresses = 3
    /// Number of refusals after which a refusal counts. A byte that is damaged in transit makes any command invalid.
    /// With one byte in 200 damaged, nearly half of all commands that set advertising data are refused; six in a row
    /// with a probability of 1 %.
    static let refusalsToBelieve = 6
    /// Silence after which no answer can arrive.
    package static let silence: Duration = .seconds(10)
    static let mostExtraPatience: Duration = .seconds(14)
    /// Minimum length of a version. Answers to commands other than a query are empty; noise may add a byte or two.
    static let shortestVersion = 6

    init(profile: RS9116Profile) { self.profile = profile }

    package var isReady: Bool { state == .ready }

    // MARK: Requests of the owner

    /// The wanted speed; `nil` if it is the default or if the module or its line has failed at it.
    private var wantedRate: Int? {
        guard let rate = profile.baudRate, rate != Self.baudRate,
            lossesAtWantedRate < Self.mostLossesAtWantedRate
        else { return nil }
        return rate
    }

    /// Makes the session use the default speed from the module's next reset.
    mutating func giveUpRate() { lossesAtWantedRate = Self.mostLossesAtWantedRate }

    /// Whether the line is faster than the default.
    var isFast: Bool { baudRate > Self.baudRate }

    /// Counts a failure against the wanted speed, which may or may not be the cause.
    mutating func blameRate() {
        if baudRate != Self.baudRate, baudRate == profile.baudRate { lossesAtWantedRate += 1 }
    }

    /// Begins, or begins again, with a module in an unknown state.
    package mutating func open() -> [Output] {
        // A module that was reset together with its port is not asked whether it runs.
        if state == .resetting { return settle() }
        return findModule()
    }

    /// Searches for the module again. Only a few searches are possible until `forgive` is called.
    mutating func findModule() -> [Output] {
        blameRate()
        understood = .nothing
        bytesHeard = 0
        return settle()
    }

    /// Resets the failure counters after a success, so that later failures have all their attempts.
    mutating func forgive() {
        resets = 0
        menuFailures = 0
    }

    package mutating func reset() -> [Output] {
        resets += 1
        guard resets <= Self.mostResets else { return fail(.doesNotReset) }
        let isSoft = profile.assumes(.softReset)
        // The previous reset may have had no effect.
        let pulses = (!isSoft || resets > 1) && profile.assumes(.controlLinesReset)
        guard isSoft || pulses else { return fail(.doesNotReset) }
        state = .resetting
        var outputs: [Output] = [.step(.resetting)]
        if isSoft {
            outstanding.send(.reset)
            outputs.append(.line(.send(RS9116Command.reset.bytes)))
        }
        if pulses { outputs.append(.line(.pulseControlLines)) }
        return outputs + [.line(.wait(.seconds(1)))]
    }

    /// Continues after the boot loader's answer to `byte`, which was not sent by this session.
    package mutating func greeted(by byte: UInt8) -> [Output] {
        forgetAnswers()
        understood = .bootLoader
        bootText.removeAll()
        state = .awaitingMenu
        return [
            .step(.handshake(byte)), .line(.send([RS9116BootLoader.greeting])),
            .line(.wait(.seconds(2) + extraPatience)),
        ]
    }

    /// Loads the default firmware from the menu.
    ///
    /// - Parameter key: the number of an image that the boot loader has asked for, instead of the menu's key.
    package mutating func load(key: UInt8 = RS9116BootLoader.loadDefaultKey) -> [Output] {
        load(key: key, tries: 1)
    }

    package mutating func load(key: UInt8, tries: Int) -> [Output] {
        bootText.removeAll()
        state = .loading(key: key, tries: tries, hasBegun: false)
        return [.line(.send([key])), .line(.wait(loadingTime))]
    }

    var loadingTime: Duration { profile.assumes(.loadingAnnounced) ? .seconds(10) : .seconds(3) }

    /// Presses a key at the menu, and reports the boot loader's output until `patience` has elapsed.
    package mutating func press(_ key: UInt8, patience: Duration) -> [Output] {
        bootText.removeAll()
        return [.line(.send([key]))] + listen(patience)
    }

    /// Reports the boot loader's output at the menu until `patience` has elapsed. Earlier output is kept.
    package mutating func listen(_ patience: Duration) -> [Output] {
        state = .atMenu
        return [.line(.wait(patience))]
    }

    package mutating func perform(_ command: RS9116Command) -> [Output] {
        repeats = 0
        refusals = 0
        // The answer to an abandoned command must not be taken for the answer to this one. A version cannot be
        // confused.
        guard outstanding.hasOthersThanVersions, command != .firmwareVersion else { return transmit(command) }
        return synchronise(command, .unsent)
    }

    /// Pauses before sending `command`.
    package mutating func pause(_ duration: Duration = .milliseconds(200), before command: RS9116Command) -> [Output] {
        state = .pausing(command)
        return [.line(.wait(duration))]
    }

    mutating func synchronise(_ command: RS9116Command, _ lateness: Lateness) -> [Output] {
        state = .synchronising(command, lateness, hasAnswer: false)
        outstanding.send(.firmwareVersion)
        return [.line(.send(RS9116Command.firmwareVersion.bytes)), .line(.wait(synchronisingTime))]
    }

    var synchronisingTime: Duration {
        (RS9116Command.firmwareVersion.timeout + extraPatience) * max(1, repeats)
    }

    /// Waits without a command; unsolicited lines are passed on meanwhile.
    package mutating func rest(_ duration: Duration) -> [Output] {
        state = .ready
        return [.line(.wait(duration))]
    }

    package mutating func end() { state = .ended }

    package mutating func fail(_ error: ProvisioningError) -> [Output] {
        state = .ended
        return [.failed(error)]
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
                // A line that cannot sustain the speed is no failure of the module. The module changes its speed only
                // at a reset, which it accepts once firmware is loaded.
                giveUpRate()
                state = .abandoningRate
                return [
                    .step(.retrying("no valid response at \(baudRate) baud")),
                    .line(.send([RS9116BootLoader.loadDefaultKey])), .line(.wait(.seconds(3))),
                ]
            }
            menuFailures += 1
            waitLonger()
            guard menuFailures <= Self.mostMenuFailures else { return fail(.noMenu) }
            return [.step(.retrying("no boot menu"))]
                + knock(RS9116Knock(profile: profile, wanted: wantedRate))
        case .abandoningRate:
            forgetAnswers()
            state = .resetting
            return [.line(.send(RS9116Command.reset.bytes)), .line(.wait(.seconds(1)))]
        case .beforeKey:
            state = .atMenu
            return [.menu]
        case .loading(let key, let tries, let hasBegun):
            guard hasBegun else {
                // The key may have been lost or damaged.
                guard tries < Self.mostKeyPresses else { return fail(.firmwareNotLoaded) }
                return load(key: key, tries: tries + 1)
            }
            // Possibly only the message was lost. A boot loader takes the query as noise.
            parser = ModuleReplyParser()
            forgetAnswers()
            isFresh = false
            return perform(.firmwareVersion)
        case .awaitingAnswer(let command):
            guard repeats < command.repeats else { return answered(command, .none) }
            repeats += 1
            return command == .firmwareVersion ? transmit(command) : synchronise(command, .awaited)
        case .synchronising(let command, let lateness, let hasAnswer):
            // The module has answered and has been silent since: the other answers were lost.
            if hasAnswer {
                forgetAnswers()
                return separated(command)
            }
            // A query can be lost like any other command.
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
            // A menu receives the query too, and reports each of its letters as an invalid option.
            bootText.add(bytes)
            if bootText.has(RS9116BootLoader.unknownKey) { return menuIsOpen() }
            return exchange(bytes)
        case .knocking:
            bytesHeard += bytes.count
            bootText.add(bytes)
            let outputs = readBootText()
            guard case .knocking = state else { return outputs }
            // The answer to an earlier query may be late.
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
            // Earlier output may still arrive, including the invitation to press a key.
            let begun = bootText.indices(of: RS9116BootLoader.loading).first
            guard let begun else {
                // The key was damaged in transit, or the output is older than the key.
                return bootText.has(RS9116BootLoader.unknownKey) ? [.line(.wait(.seconds(1) + extraPatience))] : []
            }
            guard bootText.has(RS9116BootLoader.loaded) else {
                // The boot loader is back at its menu.
                if bootText.indices(of: RS9116BootLoader.invitation).contains(where: { $0 > begun }) {
                    return fail(.firmwareNotLoaded)
                }
                guard !hasBegun else { return [] }
                state = .loading(key: key, tries: tries, hasBegun: true)
                return [.line(.wait(loadingTime))]
            }
            bootText.removeAll()
            parser = ModuleReplyParser()
            forgetAnswers()
            isFresh = true
            return [.step(.firmwareLoaded)] + perform(.firmwareVersion)
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
        // The pause lets the rest of the noise pass.
        return warnings.map { .step(.bootWarning($0)) } + [.line(.wait(.milliseconds(50)))]
    }

    // MARK: Finding the module

    package mutating func settle() -> [Output] {
        bootText.removeAll()
        state = .settling
        return backToDefaultRate() + [.line(.wait(.milliseconds(100)))]
    }

    mutating func backToDefaultRate() -> [Output] { changeRate(to: Self.baudRate) }

    mutating func changeRate(to rate: Int) -> [Output] {
        guard baudRate != rate else { return [] }
        baudRate = rate
        bootText.removeAll()
        hasMadeNoise = true
        return [.line(.setBaudRate(rate))]
    }

    /// Makes one attempt to get an answer, or fails after the last one.
    package mutating func knock(_ knock: RS9116Knock) -> [Output] {
        state = .knocking(knock)
        switch knock.attempt {
        case .handshake(let byte, let rate):
            return changeRate(to: rate) + [.line(.send([byte])), .line(.wait(.milliseconds(200)))]
        case .question(let rate, let patience):
            outstanding.send(.firmwareVersion)
            parser = ModuleReplyParser()
            bootText.removeAll()
            return changeRate(to: rate)
                + [.line(.send(RS9116Command.firmwareVersion.bytes)), .line(.wait(patience))]
        case .pulse: return [.line(.pulseControlLines), .line(.wait(.seconds(1)))]
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
        return [.line(.send(command.bytes)), .line(.wait(command.timeout + extraPatience))]
    }
}
