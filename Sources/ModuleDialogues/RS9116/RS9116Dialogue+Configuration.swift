import Advertisement
import BeaconModel

/// From a module that accepts AT commands to one that was started with its assigned configuration.
extension RS9116Dialogue {
    private static let mostBadAnswers = 2

    // MARK: Identification

    mutating func ready(isFresh: Bool) -> [ModuleStep] {
        let found = Found()
        badAnswers = 0
        centrals.connected = nil
        phase = .attaching(found)
        return isFresh ? switchBluetoothOn(found) : follow(session.perform(.localAddress))
    }

    mutating func switchBluetoothOn(_ found: Found) -> [ModuleStep] {
        let power = setsPowerApart ? nil : assignment.map(\.transmitPower) ?? expectedTransmitPower
        var found = found
        found.origin = .fresh(transmitPower: power)
        phase = .attaching(found)
        return follow(session.perform(.operatingMode(transmitPower: power)))
    }

    mutating func bluetoothLoaded() -> [ModuleStep] {
        switch phase {
        case .attaching(var found):
            found.isBluetoothLoaded = true
            phase = .attaching(found)
            return []
        case .awaitingBluetooth(var found):
            found.isBluetoothLoaded = true
            phase = .attaching(found)
            return [.report(.bluetoothLoaded)] + follow(session.perform(.localAddress))
        default: return []
        }
    }

    /// Handles the answers to the queries for the state of a module that was found.
    mutating func acceptedWhileAttaching(_ command: RS9116Command, _ text: String) -> [ModuleStep] {
        guard case .attaching(var found) = phase else { return [] }
        switch command {
        case .operatingMode:
            if found.isBluetoothLoaded { return [.report(.bluetoothLoaded)] + follow(session.perform(.localAddress)) }
            phase = .awaitingBluetooth(found)
            let patience: Duration = profile.assumes(.bluetoothAnnounced) ? .seconds(10) : .seconds(2)
            return follow(session.rest(patience))
        case .localName:
            guard let mark = ConfigurationFingerprint(in: text) else { return identified(found) }
            advertisingType = text.contains("\(mark)c") ? .connectable : .nonConnectable
            found.origin = .running(.marked(mark), isScanning: nil)
            phase = .attaching(found)
            return follow(session.perform(.deviceState))
        case .deviceState:
            guard let state = Int(text, radix: 16) else { return identified(found) }
            // Bit 0: advertising. Some firmware gives a wrong number, so the bit is only reported and never relied on.
            var applied = found.applied
            if let mark = applied.mark, state & 1 == 0 { applied = .stopped(mark) }
            found.origin = .running(applied, isScanning: state & 2 != 0)
            if state & 2 != 0 { listening.foundScanning() }
            return identified(found)
        default: return []
        }
    }

    /// Handles the module's address.
    mutating func told(_ text: String) -> [ModuleStep] {
        guard let address = BluetoothAddress(text) else {
            badAnswers += 1
            guard badAnswers <= Self.mostBadAnswers else { return restart(because: .unintelligibleAddress(text)) }
            return follow(session.pause(before: .localAddress))
        }
        badAnswers = 0
        let isAnother = self.address != nil && self.address != address
        self.address = address
        // The assignment belongs to the previous module.
        if isAnother { assignment = nil }
        switch phase {
        case .watching where isAnother: return lose(.reset)
        case .watching(_, .checking): return askWhetherAdvertising()
        case .watching(_, .identifying): return flicker()
        case .attaching(let found):
            let report: [ModuleStep] = [.report(.address(address))]
            return switch found.origin {
            // The configuration made since the last reset is known.
            case .fresh: report + identified(found)
            case .running: report + follow(session.perform(.localName))
            }
        // The answer belongs to an earlier query.
        default: return []
        }
    }

    mutating func identified(_ found: Found) -> [ModuleStep] {
        guard let address else { return beginAnew(session.findModule()) }
        if let assignment { return apply(assignment, found) }
        phase = .awaitingAssignment(found)
        return [
            .identified(
                ModuleIdentity(
                    address: address, firmware: session.firmware, applied: found.applied,
                    isListening: found.isScanning))
        ]
    }

    // MARK: Assignment

    mutating func assigned(_ configuration: BeaconConfiguration?) -> [ModuleStep] {
        if phase == .ended { return [] }
        guard let configuration else { return release() }
        let before = assignment
        assignment = configuration
        switch phase {
        case .awaitingAssignment(let found): return apply(configuration, found)
        case .attaching, .awaitingBluetooth, .ended: return []
        case .applying, .proving, .awaitingCentrals, .awaitingDisconnect, .watching:
            return before == configuration ? [] : beginAnew(session.reset())
        }
    }

    /// Leaves the module as it is.
    private mutating func release() -> [ModuleStep] {
        var farewell: [ModuleStep] = []
        switch phase {
        case .awaitingAssignment(let found):
            // A module that was started only to be identified is left as it was found.
            if case .fresh = found.origin { farewell.append(.send(RS9116Command.reset.bytes)) }
        case .watching:
            // Nothing would read the module's reports.
            if listening.mayScan { farewell.append(.send(RS9116Command.scan(false).bytes)) }
        default: break
        }
        phase = .ended
        session.end()
        return farewell + [.finished]
    }

    private mutating func apply(_ wanted: BeaconConfiguration, _ found: Found) -> [ModuleStep] {
        // The fingerprint shows what a driver last configured, not what the module advertises now.
        if found.applied.mark == ConfigurationFingerprint(wanted), profile.assumes(.stopTakesAllParameters) {
            return prove(.found(.asking, wasStopped: false))
        }
        // A module that already runs may be advertising, with a transmit power that can no longer be changed.
        guard found.origin == .fresh(transmitPower: setsPowerApart ? nil : wanted.transmitPower) else {
            return beginAnew(session.reset())
        }
        phase = .applying(hasRestarted: false)
        advertisingType = profile.assumes(.nonConnectable) ? .nonConnectable : .connectable
        if setsPowerApart, let power = wanted.transmitPower { return follow(session.perform(.setTransmitPower(power))) }
        return setData()
    }

    mutating func setData() -> [ModuleStep] {
        guard let assignment else { return [] }
        let data = IBeacon.advertisingData(assignment.beacon, measuredPower: assignment.measuredPower)
        return follow(session.perform(.setAdvertisingData(data)))
    }

    /// Handles an accepted start.
    mutating func advertises() -> [ModuleStep] {
        guard let assignment else { return [] }
        if isProving { return proceed(isOK: true) }
        if case .awaitingDisconnect = phase { return started(isUnchanged: false) }
        guard profile.assumes(.nameReadable) else { return conclude() }
        let mark = ConfigurationFingerprint(assignment).localName(advertisingType)
        return follow(session.perform(.setLocalName(mark)))
    }

    /// Handles the end of the configuration, with an accepted start.
    mutating func conclude() -> [ModuleStep] {
        guard advertisingType == .connectable, profile.assumes(.stopTakesAllParameters) else {
            return started(isUnchanged: false)
        }
        return prove(.started(.stopping))
    }

    /// Handles an accepted start when all other steps are complete.
    mutating func started(isUnchanged: Bool) -> [ModuleStep] {
        guard advertisingType == .connectable else { return provisioned(isUnchanged: isUnchanged) }
        guard centrals.connected == nil else { return sendAway() }
        phase = .awaitingCentrals(isUnchanged: isUnchanged)
        return follow(session.rest(Centrals.timeToConnect))
    }

    mutating func provisioned(isUnchanged: Bool) -> [ModuleStep] {
        guard let address, let configuration = assignment else { return beginAnew(session.findModule()) }
        restarts = 0
        centrals.sentAway = 0
        session.forgive()
        listening.provisioned(at: now)
        var steps: [ModuleStep] = []
        if isUnchanged {
            if advertisingType == .connectable { steps.append(.report(.onlyConnectable)) }
            steps.append(.report(.sentAgain(advertisingType, configuration.interval)))
        } else {
            steps.append(.report(.advertising(advertisingType, configuration.interval)))
        }
        steps.append(
            .provisioned(
                ProvisionedModule(
                    address: address, firmware: session.firmware, configuration: configuration,
                    advertisingType: advertisingType, isUnchanged: isUnchanged)))
        return steps + watch()
    }
}
