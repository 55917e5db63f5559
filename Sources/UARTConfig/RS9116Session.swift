/// The link to an RS9116: finds the module in whatever state it is, loads its firmware, and then exchanges one command
/// for one answer. What the commands are for is the owner's business.
struct RS9116Session: Sendable {
    enum Output: Equatable, Sendable {
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
        /// An unasked-for line.
        case event(String)
        /// The boot loader says something to a key that the owner pressed; see `says`.
        case bootText
        /// A time that the owner asked for by `rest`, `press` or `listen` is over.
        case rested
    }

    enum Answer: Equatable, Sendable {
        case ok(String)
        case error(RS9116ErrorCode)
        /// Nothing, however often it was asked.
        case none
    }

    private enum State: Equatable {
        case idle
        /// Dropping what was in the line before.
        case settling
        case knocking(RS9116Knock)
        /// Told to reset; waiting for the boot loader to come up.
        case resetting
        /// Sent `U`, waiting for the end of the menu.
        case awaitingMenu
        case beforeKey
        case atMenu
        case loading
        case awaitingAnswer(RS9116Command)
        /// Waiting a little before a command is sent.
        case pausing(RS9116Command)
        case ready
        case ended
    }

    /// May become better known on the way.
    var profile: RS9116Profile
    private var state = State.idle
    private var parser = ModuleReplyParser()
    /// What the boot loader said since it was last looked at; bounded.
    private var bootText: [UInt8] = []
    private var baudRate = Self.baudRate
    private var isFresh = false
    private var isAnswerDue = false
    private var bytesHeard = 0
    private var understoodAnything = false
    /// The boot loader has shown its menu: it isn't bypassed.
    private var metBootLoader = false
    private var menuFailures = 0
    private var resets = 0
    private var repeats = 0
    private(set) var firmware = ""

    /// The module's default, and what it measures when it is greeted at this rate.
    static let baudRate = 115_200
    private static let longestBootText = 8192
    private static let mostResets = 3
    private static let mostMenuFailures = 2

    init(profile: RS9116Profile) { self.profile = profile }

    var isReady: Bool { state == .ready }

    // MARK: What the owner wants

    /// Begins, or begins again, from a module in an unknown state.
    mutating func open() -> [Output] {
        // What was reset together with its port is not asked whether it runs.
        if state == .resetting { return settle() }
        return findModule()
    }

    /// Looks for the module anew; a few times at most as long as `forgive` isn't called.
    mutating func findModule() -> [Output] {
        understoodAnything = false
        bytesHeard = 0
        return settle()
    }

    /// All is well: later failures have all their tries before them.
    mutating func forgive() {
        resets = 0
        menuFailures = 0
    }

    mutating func reset() -> [Output] {
        resets += 1
        guard resets <= Self.mostResets else { return fail(.doesNotReset) }
        let isSoft = profile.assumes(.softReset)
        // The one before may have had no effect.
        let pulses = (!isSoft || resets > 1) && profile.assumes(.controlLinesReset)
        guard isSoft || pulses else { return fail(.doesNotReset) }
        state = .resetting
        var outputs: [Output] = [.action(.report(.resetting))]
        if isSoft { outputs.append(.action(.send(RS9116Command.reset.bytes))) }
        if pulses { outputs.append(.action(.pulseControlLines)) }
        return outputs + [.action(.wait(.seconds(1)))]
    }

    /// The boot loader has answered to `byte`, which somebody else has sent.
    mutating func greeted(by byte: UInt8) -> [Output] {
        understoodAnything = true
        bootText.removeAll()
        state = .awaitingMenu
        return [
            .action(.report(.handshake(byte))), .action(.send([RS9116BootLoader.greeting])),
            .action(.wait(.seconds(2))),
        ]
    }

    /// At the menu: loads the default firmware.
    ///
    /// - Parameter key: instead of the menu's key, the number of an image that the boot loader has asked for.
    mutating func load(key: UInt8 = RS9116BootLoader.loadDefaultKey) -> [Output] {
        bootText.removeAll()
        state = .loading
        let patience: Duration = profile.assumes(.loadingAnnounced) ? .seconds(10) : .seconds(3)
        return [.action(.send([key])), .action(.wait(patience))]
    }

    /// At the menu: presses a key, and tells what the boot loader says until `patience` is over.
    mutating func press(_ key: UInt8, patience: Duration) -> [Output] {
        bootText.removeAll()
        return [.action(.send([key]))] + listen(patience)
    }

    /// At the menu: tells what the boot loader says until `patience` is over. Nothing that it said is forgotten.
    mutating func listen(_ patience: Duration) -> [Output] {
        state = .atMenu
        return [.action(.wait(patience))]
    }

    /// Whether the boot loader has said `text` (in lower case), in letters of any case, since the owner pressed a key.
    func says(_ text: String) -> Bool { bootWords.lowercased().contains(text) }

    /// What the boot loader has said since the owner pressed a key; the end of it, if it is much.
    var bootWords: String { String(decoding: bootText, as: UTF8.self) }

    mutating func perform(_ command: RS9116Command) -> [Output] {
        repeats = 0
        // The answer to a command that isn't of interest any more must not pass for this one's.
        if case .awaitingAnswer = state { isAnswerDue = true }
        guard isAnswerDue else { return transmit(command) }
        isAnswerDue = false
        return pause(before: command)
    }

    /// Waits a little before `command`.
    mutating func pause(before command: RS9116Command) -> [Output] {
        state = .pausing(command)
        return [.action(.wait(.milliseconds(200)))]
    }

    /// Nothing to do for a while; unasked-for lines are passed on meanwhile.
    mutating func rest(_ duration: Duration) -> [Output] {
        state = .ready
        return [.action(.wait(duration))]
    }

    mutating func end() { state = .ended }

    mutating func fail(_ error: ProvisioningError) -> [Output] {
        state = .ended
        return [.action(.failed(error))]
    }

    // MARK: Deadlines

    mutating func deadline() -> [Output] {
        switch state {
        case .idle, .ended: return []
        case .atMenu: return [.rested]
        case .settling: return knock(RS9116Knock(profile: profile))
        case .resetting:
            let skips = profile[.bootLoaderWaits] ?? metBootLoader
            return backToDefaultRate() + knock(RS9116Knock(profile: profile, skipsProbe: skips))
        case .knocking(let knock): return self.knock(knock.next)
        case .awaitingMenu:
            // Some revisions word the end of the menu differently.
            if saw(RS9116BootLoader.menuStart) { return menuIsOpen() }
            menuFailures += 1
            guard menuFailures <= Self.mostMenuFailures else { return fail(.noMenu) }
            return [.action(.report(.retrying("no boot menu")))] + knock(RS9116Knock(profile: profile))
        case .beforeKey:
            state = .atMenu
            return [.menu]
        case .loading:
            guard saw(RS9116BootLoader.loading) else { return fail(.firmwareNotLoaded) }
            // Only the words may have been lost. To a boot loader the question is noise.
            parser = ModuleReplyParser()
            isFresh = false
            return perform(.firmwareVersion)
        case .awaitingAnswer(let command):
            if repeats < command.repeats {
                repeats += 1
                isAnswerDue = true
                return transmit(command)
            }
            return answered(command, .none)
        case .pausing(let command): return transmit(command)
        case .ready: return [.rested]
        }
    }

    // MARK: Bytes

    mutating func receive(_ bytes: [UInt8]) -> [Output] {
        switch state {
        case .idle, .settling, .resetting, .ended: return []
        case .knocking(let knock) where knock.asksFirmware:
            bytesHeard += bytes.count
            // The question reaches a menu too, which calls every letter of it an invalid option.
            keep(bytes)
            if saw(RS9116BootLoader.unknownKey) { return menuIsOpen() }
            return exchange(bytes)
        case .knocking, .awaitingMenu, .beforeKey, .atMenu, .loading:
            bytesHeard += bytes.count
            keep(bytes)
            return readBootText()
        case .awaitingAnswer, .pausing, .ready:
            bytesHeard += bytes.count
            return exchange(bytes)
        }
    }

    private mutating func keep(_ bytes: [UInt8]) {
        bootText += bytes
        if bootText.count > Self.longestBootText { bootText.removeFirst(bootText.count - Self.longestBootText) }
    }

    private mutating func exchange(_ bytes: [UInt8]) -> [Output] {
        var outputs: [Output] = []
        for reply in parser.receive(bytes) { outputs += received(reply) }
        return outputs
    }

    private mutating func readBootText() -> [Output] {
        switch state {
        case .knocking(let knock):
            if saw(RS9116BootLoader.unknownKey) || saw(RS9116BootLoader.menuEnd) { return menuIsOpen() }
            return bootText.contains(RS9116BootLoader.greeting) ? greeted(by: knock.byte) : []
        case .awaitingMenu: return saw(RS9116BootLoader.menuEnd) ? menuIsOpen() : []
        case .atMenu: return [.bootText]
        case .loading:
            guard saw(RS9116BootLoader.loaded) else {
                // It is back at its menu.
                return saw("Enter Next Command") ? fail(.firmwareNotLoaded) : []
            }
            bootText.removeAll()
            parser = ModuleReplyParser()
            isFresh = true
            return [.action(.report(.firmwareLoaded))] + perform(.firmwareVersion)
        default: return []
        }
    }

    private mutating func menuIsOpen() -> [Output] {
        understoodAnything = true
        metBootLoader = true
        let warnings = RS9116BootLoader.warnings.filter { saw($0) }
        bootText.removeAll()
        state = .beforeKey
        // The rest of the noise passes.
        return warnings.map { .action(.report(.bootWarning($0))) } + [.action(.wait(.milliseconds(50)))]
    }

    /// Whether the boot loader has said `text` since it was last looked at.
    func saw(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, bootText.count >= wanted.count else { return false }
        return (0...(bootText.count - wanted.count)).contains {
            bootText[$0] == first && bootText[$0...].starts(with: wanted)
        }
    }

    // MARK: Answers

    private mutating func received(_ reply: ModuleReply) -> [Output] {
        switch (state, reply) {
        case (.knocking, .ok(let text)):
            understoodAnything = true
            isFresh = false
            return isReady(version: text)
        case (.knocking, .error):
            // Bytes before the question have spoilt it. The answer says that firmware is running.
            understoodAnything = true
            isFresh = false
            return perform(.firmwareVersion)
        case (.awaitingAnswer(let command), .ok(let text)): return answered(command, .ok(text))
        case (.awaitingAnswer(let command), .error(let code)):
            if code.cure == .repeat, repeats < command.repeats {
                repeats += 1
                return [.action(.report(.retrying("ERROR \(code) to \(command.text)")))] + pause(before: command)
            }
            return answered(command, .error(code))
        case (.awaitingAnswer(.operatingMode(let power)), .bluetoothLoaded):
            // Its `OK` was lost.
            return [.bluetoothLoaded] + answered(.operatingMode(transmitPower: power), .ok(""))
        case (.awaitingAnswer, .bluetoothLoaded), (.ready, .bluetoothLoaded), (.pausing, .bluetoothLoaded):
            return [.bluetoothLoaded]
        case (.awaitingAnswer, .event(let text)), (.ready, .event(let text)), (.pausing, .event(let text)):
            return [.event(text)]
        default: return []
        }
    }

    private mutating func answered(_ command: RS9116Command, _ answer: Answer) -> [Output] {
        // After a repetition the first answer may come late; it must not pass for the next command's.
        isAnswerDue = repeats > 0 && answer != .none
        state = .ready
        guard command == .firmwareVersion else { return [.answer(command, answer)] }
        switch answer {
        case .ok(let text): return isReady(version: text)
        case .error(let code):
            return fail(.refused(command: command.text, purpose: command.purpose, code: code))
        case .none:
            menuFailures += 1
            guard isFresh, menuFailures <= Self.mostMenuFailures else { return fail(.firmwareNotLoaded) }
            return [.action(.report(.retrying("the firmware doesn't answer")))] + settle()
        }
    }

    private mutating func isReady(version: String) -> [Output] {
        firmware = version
        state = .ready
        return [.action(.report(.firmwareVersion(version))), .ready(isFresh: isFresh)]
    }

    // MARK: Finding the module

    private mutating func settle() -> [Output] {
        isAnswerDue = false
        bootText.removeAll()
        state = .settling
        return backToDefaultRate() + [.action(.wait(.milliseconds(100)))]
    }

    private mutating func backToDefaultRate() -> [Output] { changeRate(to: Self.baudRate) }

    private mutating func changeRate(to rate: Int) -> [Output] {
        guard baudRate != rate else { return [] }
        baudRate = rate
        bootText.removeAll()
        return [.action(.setBaudRate(rate))]
    }

    /// One try to get an answer, or the end of all tries.
    private mutating func knock(_ knock: RS9116Knock) -> [Output] {
        state = .knocking(knock)
        switch knock.attempt {
        case .handshake(let byte, let rate):
            return changeRate(to: rate) + [.action(.send([byte])), .action(.wait(.milliseconds(200)))]
        case .question(let rate, let patience):
            parser = ModuleReplyParser()
            bootText.removeAll()
            return changeRate(to: rate)
                + [.action(.send(RS9116Command.firmwareVersion.bytes)), .action(.wait(patience))]
        case .pulse: return [.action(.pulseControlLines), .action(.wait(.seconds(1)))]
        case nil:
            if understoodAnything { return fail(.noMenu) }
            return fail(bytesHeard > 0 ? .unintelligible(bytes: bytesHeard) : .silent)
        }
    }

    private mutating func transmit(_ command: RS9116Command) -> [Output] {
        state = .awaitingAnswer(command)
        return [.action(.send(command.bytes)), .action(.wait(command.timeout))]
    }
}
