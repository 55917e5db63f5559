/// The search for a module in an unknown state, its speed, and its resets.
extension RS9116Session {
    /// The wanted speed; `nil` if it is the default or if the module or its line has failed at it.
    var wantedRate: Int? {
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
    package mutating func tryHandshake(_ handshake: RS9116Handshake) -> [Output] {
        state = .handshaking(handshake)
        switch handshake.attempt {
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
}
