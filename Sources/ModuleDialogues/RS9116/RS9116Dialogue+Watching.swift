import BeaconModel

/// Watching over a configured module: proofs that it advertises, and the centrals that stop it.
extension RS9116Dialogue {
    // MARK: Checks

    mutating func watch() -> [ModuleStep] { rest(checkAt: now + pace.checkInterval) }

    /// Waits until the next check or listening step is due.
    mutating func rest(checkAt: Duration) -> [ModuleStep] {
        phase = .watching(checkAt: checkAt, .idle)
        if listening.isLeaving { return listening.mayScan ? perform([.perform(.stop)]) : [.finished] }
        let due = listening.dueAt.map { min($0, checkAt) } ?? checkAt
        return follow(session.rest(max(.zero, due - now)))
    }

    /// Changes what a module that does what it should is doing just now.
    mutating func become(_ activity: Activity) {
        guard case .watching(let checkAt, _) = phase else { return }
        phase = .watching(checkAt: checkAt, activity)
    }

    mutating func check() -> [ModuleStep] {
        become(.checking)
        return follow(session.perform(.localAddress))
    }

    /// Checks a connectable module, which may have stopped without a report being received.
    mutating func askWhetherAdvertising() -> [ModuleStep] {
        advertisingType == .connectable ? proveAgain(.asking) : watch()
    }

    /// Sends bursts of harmless queries with pauses between them, so that the lights of the serial adapter flicker.
    mutating func flicker() -> [ModuleStep] {
        guard case .watching(_, .identifying(let rounds, let questions)) = phase else { return [] }
        if questions > 0 {
            become(.identifying(roundsLeft: rounds, questionsLeft: questions - 1))
            return follow(session.perform(.localAddress))
        }
        guard rounds > 0 else { return watch() }
        become(.identifying(roundsLeft: rounds - 1, questionsLeft: 8))
        return follow(session.rest(.milliseconds(500)))
    }

    // MARK: Proving that it advertises

    var isProving: Bool {
        switch phase {
        case .proving, .watching(_, .proving): true
        default: false
        }
    }

    mutating func prove(_ proof: Proof) -> [ModuleStep] {
        phase = .proving(proof)
        return perform(proof.step)
    }

    private mutating func proveAgain(_ step: ProofStep) -> [ModuleStep] {
        become(.proving(step))
        return perform(step)
    }

    private mutating func perform(_ step: ProofStep) -> [ModuleStep] {
        guard let assignment else { return [] }
        return switch step {
        case .asking, .starting: follow(session.perform(.advertise(advertisingType, assignment.interval)))
        case .stopping: follow(session.perform(.stopAdvertising(advertisingType, assignment.interval)))
        case .settingData: setData()
        }
    }

    /// Continues a proof.
    ///
    /// - Parameter isOK: whether the module accepted the command of this step. It may refuse to stop after a central
    ///   has stopped it.
    mutating func proceed(isOK: Bool) -> [ModuleStep] {
        switch phase {
        case .proving(let proof): proceed(proof, isOK: isOK)
        case .watching(_, .proving(let step)): proceedAgain(step, isOK: isOK)
        default: []
        }
    }

    private mutating func proceed(_ proof: Proof, isOK: Bool) -> [ModuleStep] {
        switch (proof, isOK) {
        case (.found(.asking, _), _):
            // A module that accepts every start gives no information.
            return prove(.found(.stopping, wasStopped: isOK && profile[.doubleStartRefused] != false))
        case (.found(.stopping, let wasStopped), _): return prove(.found(.settingData, wasStopped: wasStopped))
        case (.found(.settingData, let wasStopped), true): return prove(.found(.starting, wasStopped: wasStopped))
        case (.found(.starting, let wasStopped), true): return started(isUnchanged: !wasStopped)
        case (.found(.settingData, _), false), (.found(.starting, _), false): return beginAnew(session.reset())
        case (.started(.starting), true): return started(isUnchanged: false)
        case (.started(.starting), false): return sendAway()
        case (.started, _): return prove(.started(.starting))
        }
    }

    private mutating func proceedAgain(_ step: ProofStep, isOK: Bool) -> [ModuleStep] {
        switch (step, isOK) {
        case (.asking, true) where profile[.doubleStartRefused] != false:
            return [.lost(.advertisingStopped)] + started(isUnchanged: false)
        case (.asking, _): return profile.assumes(.stopTakesAllParameters) ? proveAgain(.stopping) : watch()
        case (.starting, true): return watch()
        case (.starting, false): return [.lost(.central)] + sendAway()
        case (.stopping, _), (.settingData, _): return proveAgain(.starting)
        }
    }

    // MARK: Centrals

    mutating func happened(_ event: String) -> [ModuleStep] {
        let name = event.uppercased()
        let hasLeft = name.hasPrefix("AT+RSIBT_LE_DISCONNECTED")
        let hasCome = name.hasPrefix("AT+RSIBT_LE_DEVICE") && name.contains("CONNECTED")
        if hasLeft { centrals.connected = nil }
        if hasCome {
            centrals.connected =
                event.split { $0 == "," || $0 == "=" }.lazy.compactMap { BluetoothAddress($0) }.first
        }
        guard assignment != nil else { return [] }
        let loss: [ModuleStep]
        switch phase {
        case .awaitingDisconnect(.requested) where hasLeft:
            // No other command can be sent before the answer to `disconnect`.
            phase = .awaitingDisconnect(.underWay)
            return []
        case .awaitingDisconnect: return hasLeft ? resumeAdvertising() : []
        case .awaitingCentrals: loss = []
        // Before and during a proof, the proof itself detects connections.
        case .watching(_, .proving): return []
        case .watching: loss = [.lost(.central)]
        case .attaching, .awaitingBluetooth, .awaitingAssignment, .applying, .proving, .ended: return []
        }
        if hasLeft { return loss + resumeAdvertising() }
        return hasCome ? loss + disconnect(centrals.connected) : []
    }

    /// Disconnects the central: a stopped module that refuses to start has one connected.
    mutating func sendAway() -> [ModuleStep] {
        guard let central = centrals.connected else {
            let start = RS9116Command.advertise(advertisingType, assignment?.interval ?? .appleIBeacon)
            return restart(
                because: .refused(command: start.text, purpose: start.purpose, code: .commandDisallowed),
                resetting: true)
        }
        return disconnect(central)
    }

    /// Disconnects a central and waits until it has left.
    ///
    /// - Parameter central: `nil` when the module did not give its address. The dialogue then only waits.
    private mutating func disconnect(_ central: BluetoothAddress?) -> [ModuleStep] {
        centrals.sentAway += 1
        centrals.lastSentAway = central
        guard centrals.sentAway <= Centrals.mostSentAway else {
            centrals.sentAway = 0
            phase = .ended
            return follow(session.fail(.keepsBeingConnected(by: central)))
        }
        phase = .awaitingDisconnect(.requested)
        return central.map { follow(session.perform(.disconnect($0))) } ?? awaitDisconnect()
    }

    /// Waits until a central has disconnected. One that stays connected prevents advertising; a reset disconnects it.
    mutating func awaitDisconnect() -> [ModuleStep] {
        guard phase == .awaitingDisconnect(.requested) else { return resumeAdvertising() }
        phase = .awaitingDisconnect(.underWay)
        return follow(session.rest(.seconds(2)))
    }

    mutating func resumeAdvertising() -> [ModuleStep] {
        guard let assignment else { return [] }
        phase = .awaitingDisconnect(.underWay)
        // If a central is still connected, the module refuses the start.
        centrals.connected = nil
        return follow(session.perform(.advertise(advertisingType, assignment.interval)))
    }
}
