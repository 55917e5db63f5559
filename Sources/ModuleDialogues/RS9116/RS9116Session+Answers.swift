import BeaconModel

/// Matching of answers to commands.
extension RS9116Session {
    package mutating func received(_ reply: ModuleReply) -> [Output] {
        switch reply {
        case .ok(let text):
            if isVersion(text) { return versionCame(text) }
            return canBeAnswer(text) ? replied(to: outstanding.takeOK(), .ok(text)) : unexpected()
        case .error(let code): return replied(to: outstanding.takeRefusal(), .error(code))
        case .bluetoothLoaded:
            switch state {
            case .awaitingAnswer(.operatingMode(let power)):
                // The command's `OK` was lost.
                return [.bluetoothLoaded] + answered(.operatingMode(transmitPower: power), .ok(""))
            case .awaitingAnswer, .ready, .pausing, .synchronising: return [.bluetoothLoaded]
            default: return []
            }
        case .report(let reception):
            switch state {
            case .awaitingAnswer, .ready, .pausing, .synchronising: return [.report(reception)]
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

    /// Whether `text`, which follows an `OK`, is the firmware's version. Answers to commands other than queries are
    /// empty, although noise may add a byte or two; addresses and names have their own forms.
    package func isVersion(_ text: String) -> Bool {
        guard outstanding.asksVersion, text.utf8.count >= Self.shortestVersion else { return false }
        if text == firmware { return true }
        guard !isAddressOrName(text) else { return false }
        // The value of another query can have any form.
        return outstanding.expectsVersion || text.utf8.count { $0 == UInt8(ascii: ".") } >= 2
    }

    func isAddressOrName(_ text: String) -> Bool {
        BluetoothAddress(text) != nil || ConfigurationFingerprint(in: text) != nil
    }

    /// Whether `text` can be the answer to the oldest command other than the version query.
    func canBeAnswer(_ text: String) -> Bool {
        guard text.utf8.count >= Self.shortestVersion else { return true }
        if case .handshaking = state, isAddressOrName(text) { return true }
        return text != firmware && outstanding.expectsValue
    }

    /// Handles an unexpected version: an answer that was considered lost. Answers received since then belong to other
    /// commands.
    package mutating func unexpected() -> [Output] {
        switch state {
        case .handshaking: return drain()
        case .awaitingAnswer(let command), .synchronising(let command, _, _):
            guard command.mayBeRepeated else { return answersGoOn() }
            waitLonger()
            return synchronise(command, .unsent)
        default: return []
        }
    }

    package mutating func drain() -> [Output] {
        understood = .firmware
        isFresh = false
        state = .draining
        return [.line(.wait(drainingTime))]
    }

    /// Silence to wait for while draining. At a rate other than the default only a prompt answer is understood, because
    /// later the rate has changed again.
    var drainingTime: Duration { baudRate == Self.baudRate ? Self.silence : .seconds(1) }

    mutating func forgetAnswers() {
        outstanding.removeAll()
        hasMadeNoise = false
    }

    /// Handles the answer to the oldest version query, which also ends everything before that query.
    mutating func versionCame(_ text: String) -> [Output] {
        guard let number = outstanding.takeVersion() else { return [] }
        switch state {
        case .handshaking:
            if hasMadeNoise { return drain() }
            understood = .firmware
            isFresh = false
            return isReady(version: text)
        case .awaitingAnswer(.firmwareVersion): return answered(.firmwareVersion, .ok(text))
        case .synchronising(let command, .awaited, _):
            // The command or its answer was lost.
            return number > current ? separated(command) : answersGoOn()
        case .synchronising(let command, .unsent, _):
            return outstanding.isEmpty ? separated(command) : answersGoOn()
        default: return answersGoOn()
        }
    }

    /// Handles an answer other than the version to the command with this number; `nil` if the command is unknown.
    mutating func replied(to number: OutstandingCommands.Number?, _ answer: Answer) -> [Output] {
        switch (state, answer) {
        case (.handshaking, .error):
            // Bytes before the query have spoilt it. The answer shows that firmware is running.
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

    /// Handles the answer to an older command. The module begins the next command only now.
    mutating func answersGoOn() -> [Output] {
        switch state {
        case .awaitingAnswer(let command): return [.line(.wait(command.timeout + extraPatience))]
        case .synchronising(let command, let lateness, _):
            state = .synchronising(command, lateness, hasAnswer: true)
            return [.line(.wait(max(Self.silence, synchronisingTime)))]
        case .draining: return [.line(.wait(drainingTime))]
        default: return []
        }
    }

    /// Sends `command`, possibly again, once no older answer can arrive.
    package mutating func separated(_ command: RS9116Command) -> [Output] {
        if case .synchronising(_, .unsent, _) = state { repeats = 0 }
        return transmit(command)
    }

    package mutating func refused(_ command: RS9116Command, _ code: RS9116ErrorCode) -> [Output] {
        switch code.cure {
        case .repeat where repeats < command.repeats:
            repeats += 1
            return [.step(.retrying("ERROR \(code) to \(command.text)"))] + pause(before: command)
        // The command is well formed but may have been damaged in transit.
        case .none where command.mayBeRepeated && refusals + 1 < Self.refusalsToBelieve:
            refusals += 1
            return pause(.milliseconds(50), before: command)
        default: return answered(command, .error(code))
        }
    }

    mutating func waitLonger() {
        extraPatience = min(extraPatience * 2 + .seconds(2), Self.mostExtraPatience)
    }

    package mutating func answered(_ command: RS9116Command, _ answer: Answer) -> [Output] {
        if case .synchronising(_, .awaited, _) = state, answer != .none { waitLonger() }
        state = .ready
        guard command == .firmwareVersion else { return [.answer(command, answer)] }
        switch answer {
        case .ok(let text): return isReady(version: text)
        case .error(let code):
            return fail(.refused(command: command.text, purpose: command.purpose, code: code))
        case .none:
            menuFailures += 1
            // Firmware that answered before, and was reset meanwhile, may now be in its boot loader.
            guard isFresh || understood == .firmware, menuFailures <= Self.mostMenuFailures else {
                return fail(.firmwareNotLoaded)
            }
            return [.step(.retrying("the firmware does not answer"))] + settle()
        }
    }

    package mutating func isReady(version: String) -> [Output] {
        firmware = version
        if baudRate != Self.baudRate, baudRate == profile.baudRate,
            lossesAtWantedRate >= Self.mostLossesAtWantedRate
        {
            // The firmware runs at the speed that it, or its line, cannot sustain.
            return reset()
        }
        state = .ready
        return [.step(.firmwareVersion(version)), .ready(isFresh: isFresh)]
    }
}
