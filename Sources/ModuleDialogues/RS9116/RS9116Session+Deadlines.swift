/// What follows when the time that was waited for an answer has elapsed.
extension RS9116Session {
    package mutating func deadline() -> [Output] {
        switch state {
        case .idle, .ended: return []
        case .atMenu: return [.rested]
        case .settling: return tryHandshake(RS9116Handshake(profile: profile, wanted: wantedRate))
        case .resetting:
            let waits = profile[.bootLoaderWaits] ?? metBootLoader
            let start: RS9116Handshake.Start = waits ? .bootLoader : .eitherAfterReset
            return backToDefaultRate()
                + tryHandshake(RS9116Handshake(profile: profile, start: start, wanted: wantedRate))
        case .handshaking(let handshake): return tryHandshake(handshake.next)
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
                + tryHandshake(RS9116Handshake(profile: profile, wanted: wantedRate))
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
}
