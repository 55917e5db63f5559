import BeaconModel

/// The link to an RS9116. It finds the module in any state, loads its firmware, and then exchanges one command for one
/// answer. The owner decides what the commands are for.
package struct RS9116Session: Sendable {
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

    // MARK: Bytes

    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        switch state {
        case .idle, .settling, .resetting, .abandoningRate, .ended: return []
        case .handshaking(let handshake) where handshake.asksFirmware:
            bytesHeard += bytes.count
            // A menu receives the query too, and reports each of its letters as an invalid option.
            bootText.add(bytes)
            if bootText.has(RS9116BootLoader.unknownKey) { return menuIsOpen() }
            return exchange(bytes)
        case .handshaking:
            bytesHeard += bytes.count
            bootText.add(bytes)
            let outputs = readBootText()
            guard case .handshaking = state else { return outputs }
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

    package mutating func transmit(_ command: RS9116Command) -> [Output] {
        state = .awaitingAnswer(command)
        current = outstanding.send(command)
        return [.line(.send(command.bytes)), .line(.wait(command.timeout + extraPatience))]
    }
}
