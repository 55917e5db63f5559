import BeaconModel

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
    private enum Understood {
        case nothing, firmware, bootLoader
    }

    private enum Lateness: Equatable {
        /// The command was sent; its answer counts if it comes before that of the question.
        case awaited
        /// The command is sent once nothing older can come.
        case unsent
    }

    /// May become better known on the way.
    var profile: RS9116Profile
    private var state = State.idle
    private var parser = ModuleReplyParser()
    /// What the boot loader said since it was last looked at; bounded.
    private var bootText: [UInt8] = []
    private var baudRate = Self.baudRate
    private var isFresh = false
    private var outstanding = OutstandingCommands()
    /// Of the command that was sent last.
    private var current: OutstandingCommands.Number = 0
    /// Questions at rates that aren't the module's were noise to it, to which it may answer.
    private var hasMadeNoise = false
    /// How much longer than usual answers are waited for; grows with each answer that came late.
    private var extraPatience: Duration = .zero
    private var bytesHeard = 0
    private var understood = Understood.nothing
    /// The boot loader has shown its menu: it isn't bypassed.
    private var metBootLoader = false
    private var menuFailures = 0
    private var resets = 0
    private var repeats = 0
    private var refusals = 0
    private(set) var firmware = ""

    /// The module's default, and what it measures when it is greeted at this rate.
    static let baudRate = 115_200
    private static let longestBootText = 8192
    private static let mostResets = 3
    private static let mostMenuFailures = 2
    private static let mostKeyPresses = 3
    /// A byte that is damaged on its way makes any command an invalid one. With one byte in 200 damaged, nearly half of
    /// all commands that set advertising data are; six in a row with a probability of 1 %.
    private static let refusalsToBelieve = 6
    /// Longer than any answer takes.
    private static let silence: Duration = .seconds(10)
    private static let mostExtraPatience: Duration = .seconds(14)
    /// Answers to other commands than a query are empty; noise may add a byte or two.
    private static let shortestVersion = 6

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
        understood = .nothing
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
        if isSoft {
            outstanding.send(.reset)
            outputs.append(.action(.send(RS9116Command.reset.bytes)))
        }
        if pulses { outputs.append(.action(.pulseControlLines)) }
        return outputs + [.action(.wait(.seconds(1)))]
    }

    /// The boot loader has answered to `byte`, which somebody else has sent.
    mutating func greeted(by byte: UInt8) -> [Output] {
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
    mutating func load(key: UInt8 = RS9116BootLoader.loadDefaultKey) -> [Output] {
        load(key: key, tries: 1)
    }

    private mutating func load(key: UInt8, tries: Int) -> [Output] {
        bootText.removeAll()
        state = .loading(key: key, tries: tries, hasBegun: false)
        return [.action(.send([key])), .action(.wait(loadingTime))]
    }

    private var loadingTime: Duration { profile.assumes(.loadingAnnounced) ? .seconds(10) : .seconds(3) }

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

    /// The lines of `bootWords` that are complete, without what surrounds them.
    var bootLines: [String] {
        let words = bootWords
        guard let end = words.lastIndex(where: \.isNewline) else { return [] }
        return words[..<end].split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0.isWhitespace })
        }
    }

    mutating func perform(_ command: RS9116Command) -> [Output] {
        repeats = 0
        refusals = 0
        // The answer to a command that isn't of interest any more must not pass for this one's. A version can't.
        guard outstanding.hasOthersThanVersions, command != .firmwareVersion else { return transmit(command) }
        return synchronise(command, .unsent)
    }

    /// Waits a little before `command`.
    mutating func pause(_ duration: Duration = .milliseconds(200), before command: RS9116Command) -> [Output] {
        state = .pausing(command)
        return [.action(.wait(duration))]
    }

    private mutating func synchronise(_ command: RS9116Command, _ lateness: Lateness) -> [Output] {
        state = .synchronising(command, lateness, hasAnswer: false)
        outstanding.send(.firmwareVersion)
        return [.action(.send(RS9116Command.firmwareVersion.bytes)), .action(.wait(synchronisingTime))]
    }

    private var synchronisingTime: Duration {
        (RS9116Command.firmwareVersion.timeout + extraPatience) * max(1, repeats)
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
            let waits = profile[.bootLoaderWaits] ?? metBootLoader
            let start: RS9116Knock.Start = waits ? .bootLoader : .eitherAfterReset
            return backToDefaultRate() + knock(RS9116Knock(profile: profile, start: start))
        case .knocking(let knock): return self.knock(knock.next)
        case .awaitingMenu:
            // Some revisions word the end of the menu differently.
            if saw(RS9116BootLoader.menuStart) { return menuIsOpen() }
            menuFailures += 1
            waitLonger()
            guard menuFailures <= Self.mostMenuFailures else { return fail(.noMenu) }
            return [.action(.report(.retrying("no boot menu")))] + knock(RS9116Knock(profile: profile))
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

    mutating func receive(_ bytes: [UInt8]) -> [Output] {
        switch state {
        case .idle, .settling, .resetting, .ended: return []
        case .knocking(let knock) where knock.asksFirmware:
            bytesHeard += bytes.count
            // The question reaches a menu too, which calls every letter of it an invalid option.
            keep(bytes)
            if saw(RS9116BootLoader.unknownKey) { return menuIsOpen() }
            return exchange(bytes)
        case .knocking:
            bytesHeard += bytes.count
            keep(bytes)
            let outputs = readBootText()
            guard case .knocking = state else { return outputs }
            // The answer to an earlier question may be late.
            return outputs + exchange(bytes)
        case .awaitingMenu, .beforeKey, .atMenu, .loading:
            bytesHeard += bytes.count
            keep(bytes)
            return readBootText()
        case .awaitingAnswer, .synchronising, .draining, .pausing, .ready:
            bytesHeard += bytes.count
            return exchange(bytes)
        }
    }

    private mutating func keep(_ bytes: [UInt8]) {
        // As in replies, NUL bytes mean nothing.
        bootText += bytes.lazy.filter { $0 != 0 }
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
        case .loading(let key, let tries, let hasBegun):
            // What it said before may still arrive, its invitation to press a key too.
            let begun = indices(of: RS9116BootLoader.loading).first
            guard let begun else {
                // The key was damaged on its way, or what it says comes before.
                return saw(RS9116BootLoader.unknownKey) ? [.action(.wait(.seconds(1) + extraPatience))] : []
            }
            guard saw(RS9116BootLoader.loaded) else {
                // It is back at its menu.
                if indices(of: RS9116BootLoader.invitation).contains(where: { $0 > begun }) {
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

    private mutating func menuIsOpen() -> [Output] {
        forgetAnswers()
        understood = .bootLoader
        metBootLoader = true
        let warnings = RS9116BootLoader.warnings.filter { saw($0) }
        bootText.removeAll()
        state = .beforeKey
        // The rest of the noise passes.
        return warnings.map { .action(.report(.bootWarning($0))) } + [.action(.wait(.milliseconds(50)))]
    }

    /// Whether the boot loader has said `text` since it was last looked at.
    func saw(_ text: String) -> Bool { !indices(of: text).isEmpty }

    /// Where the boot loader has said `text`.
    private func indices(of text: String) -> some Collection<Int> {
        let wanted = Array(text.utf8)
        let starts = 0..<max(0, bootText.count - wanted.count + 1)
        return starts.lazy.filter { [bootText] in
            bootText[$0] == wanted.first && bootText[$0...].starts(with: wanted)
        }
    }

    // MARK: Answers

    private mutating func received(_ reply: ModuleReply) -> [Output] {
        switch reply {
        case .ok(let text):
            if isVersion(text) { return versionCame(text) }
            return canBeAnswer(text) ? replied(to: outstanding.takeOK(), .ok(text)) : unexpected()
        case .error(let code): return replied(to: outstanding.takeRefusal(), .error(code))
        case .bluetoothLoaded:
            switch state {
            case .awaitingAnswer(.operatingMode(let power)):
                // Its `OK` was lost.
                return [.bluetoothLoaded] + answered(.operatingMode(transmitPower: power), .ok(""))
            case .awaitingAnswer, .ready, .pausing, .synchronising: return [.bluetoothLoaded]
            default: return []
            }
        case .event(let text):
            switch state {
            case .awaitingAnswer, .ready, .pausing, .synchronising: return [.event(text)]
            default: return []
            }
        case .text: return []
        }
    }

    /// Whether `text`, which follows an `OK`, is the firmware's version. Answers to other commands than queries are
    /// empty, and noise may add a byte or two; addresses and names have forms of their own.
    private func isVersion(_ text: String) -> Bool {
        guard outstanding.asksVersion, text.utf8.count >= Self.shortestVersion else { return false }
        if text == firmware { return true }
        guard !isAddressOrName(text) else { return false }
        // The value of another query may look like anything.
        return outstanding.expectsVersion || text.utf8.count { $0 == UInt8(ascii: ".") } >= 2
    }

    private func isAddressOrName(_ text: String) -> Bool {
        BluetoothAddress(text) != nil || ConfigurationMark(in: text) != nil
    }

    /// Whether `text` can be the answer to the oldest command that isn't the question for the version.
    private func canBeAnswer(_ text: String) -> Bool {
        guard text.utf8.count >= Self.shortestVersion else { return true }
        if case .knocking = state, isAddressOrName(text) { return true }
        return text != firmware && outstanding.expectsValue
    }

    /// A version came that nobody waits for: an answer that was taken for lost. What came since belongs to others.
    private mutating func unexpected() -> [Output] {
        switch state {
        case .knocking: return drain()
        case .awaitingAnswer(let command), .synchronising(let command, _, _):
            guard command.mayBeRepeated else { return answersGoOn() }
            waitLonger()
            return synchronise(command, .unsent)
        default: return []
        }
    }

    private mutating func drain() -> [Output] {
        understood = .firmware
        isFresh = false
        state = .draining
        return [.action(.wait(drainingTime))]
    }

    /// At another rate than the default only a prompt answer is understood: by then the rate has changed again.
    private var drainingTime: Duration { baudRate == Self.baudRate ? Self.silence : .seconds(1) }

    private mutating func forgetAnswers() {
        outstanding.removeAll()
        hasMadeNoise = false
    }

    /// The oldest question for the version was answered, and so was everything before it.
    private mutating func versionCame(_ text: String) -> [Output] {
        guard let number = outstanding.takeVersion() else { return [] }
        switch state {
        case .knocking:
            if hasMadeNoise { return drain() }
            understood = .firmware
            isFresh = false
            return isReady(version: text)
        case .awaitingAnswer(.firmwareVersion): return answered(.firmwareVersion, .ok(text))
        case .synchronising(let command, .awaited, _):
            // The command was lost, or its answer.
            return number > current ? separated(command) : answersGoOn()
        case .synchronising(let command, .unsent, _):
            return outstanding.isEmpty ? separated(command) : answersGoOn()
        default: return answersGoOn()
        }
    }

    /// Another answer than the version came, to the command of this number; `nil` if nobody knows to which.
    private mutating func replied(to number: OutstandingCommands.Number?, _ answer: Answer) -> [Output] {
        switch (state, answer) {
        case (.knocking, .error):
            // Bytes before the question have spoilt it. The answer says that firmware is running.
            if hasMadeNoise { return drain() }
            understood = .firmware
            isFresh = false
            return perform(.firmwareVersion)
        case (.awaitingAnswer(let command), _) where number == current,
            (.synchronising(let command, .awaited, _), _) where number == current:
            switch answer {
            case .error(let code): return refused(command, code)
            case .ok, .none: return answered(command, answer)
            }
        default: return number == nil ? [] : answersGoOn()
        }
    }

    /// An older command was answered. The module begins with the next one only now.
    private mutating func answersGoOn() -> [Output] {
        switch state {
        case .awaitingAnswer(let command): return [.action(.wait(command.timeout + extraPatience))]
        case .synchronising(let command, let lateness, _):
            state = .synchronising(command, lateness, hasAnswer: true)
            return [.action(.wait(max(Self.silence, synchronisingTime)))]
        case .draining: return [.action(.wait(drainingTime))]
        default: return []
        }
    }

    /// Nothing older can come any more: `command` is sent, maybe once more.
    private mutating func separated(_ command: RS9116Command) -> [Output] {
        if case .synchronising(_, .unsent, _) = state { repeats = 0 }
        return transmit(command)
    }

    private mutating func refused(_ command: RS9116Command, _ code: RS9116ErrorCode) -> [Output] {
        switch code.cure {
        case .repeat where repeats < command.repeats:
            repeats += 1
            return [.action(.report(.retrying("ERROR \(code) to \(command.text)")))] + pause(before: command)
        // The command is well formed. It may have been damaged on its way.
        case .none where command.mayBeRepeated && refusals + 1 < Self.refusalsToBelieve:
            refusals += 1
            return pause(.milliseconds(50), before: command)
        default: return answered(command, .error(code))
        }
    }

    private mutating func waitLonger() {
        extraPatience = min(extraPatience * 2 + .seconds(2), Self.mostExtraPatience)
    }

    private mutating func answered(_ command: RS9116Command, _ answer: Answer) -> [Output] {
        if case .synchronising(_, .awaited, _) = state, answer != .none { waitLonger() }
        state = .ready
        guard command == .firmwareVersion else { return [.answer(command, answer)] }
        switch answer {
        case .ok(let text): return isReady(version: text)
        case .error(let code):
            return fail(.refused(command: command.text, purpose: command.purpose, code: code))
        case .none:
            menuFailures += 1
            // Firmware that has answered before, and was told to reset meanwhile, may be in its boot loader now.
            guard isFresh || understood == .firmware, menuFailures <= Self.mostMenuFailures else {
                return fail(.firmwareNotLoaded)
            }
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
        bootText.removeAll()
        state = .settling
        return backToDefaultRate() + [.action(.wait(.milliseconds(100)))]
    }

    private mutating func backToDefaultRate() -> [Output] { changeRate(to: Self.baudRate) }

    private mutating func changeRate(to rate: Int) -> [Output] {
        guard baudRate != rate else { return [] }
        baudRate = rate
        bootText.removeAll()
        hasMadeNoise = true
        return [.action(.setBaudRate(rate))]
    }

    /// One try to get an answer, or the end of all tries.
    private mutating func knock(_ knock: RS9116Knock) -> [Output] {
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

    private mutating func transmit(_ command: RS9116Command) -> [Output] {
        state = .awaitingAnswer(command)
        current = outstanding.send(command)
        return [.action(.send(command.bytes)), .action(.wait(command.timeout + extraPatience))]
    }
}
