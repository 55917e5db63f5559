import BeaconModel

/// Comparison of the settings with the wanted ones, and their correction.
extension HM10Dialogue {
    var wanted: HM10Configuration? {
        assignment.map { HM10Configuration($0) }
    }

    mutating func readNext(after setting: HM10Setting) -> [ModuleStep] {
        if let next = Self.next(after: setting) {
            // One of the two names is enough.
            if next == .measuredPowerOfClones, found.values[.measuredPower] != nil { return readNext(after: next) }
            return ask(.reading(next))
        }
        guard assignment != nil else { return identified() }
        return compare()
    }

    static func next(after setting: HM10Setting) -> HM10Setting? {
        let all = HM10Setting.allCases
        return all.firstIndex(of: setting).flatMap { all.indices.contains($0 + 1) ? all[$0 + 1] : nil }
    }

    private mutating func identified() -> [ModuleStep] {
        guard let address else { return greet(0) }
        phase = .awaitingAssignment
        // The transmit power is included; whether it matters depends on the inventory.
        return [
            .identified(
                ModuleIdentity(
                    address: address, firmware: firmware,
                    applied: .readBack(found.configuration(withTransmitPower: true))))
        ]
    }

    mutating func assigned(_ configuration: BeaconConfiguration?) -> [ModuleStep] {
        guard phase != .ended else { return [] }
        guard let configuration else {
            phase = .ended
            return [.finished]
        }
        let before = assignment
        assignment = configuration
        owesNews = true
        isNewlyAssigned = before != nil && before != configuration
        switch phase {
        case .awaitingAssignment: return compare()
        case .watching: return ask(.askingAddress)
        default: return []
        }
    }

    private func differs(_ setting: HM10Setting) -> Bool {
        guard let value = wanted?.values[setting] else { return false }
        return found.values[setting] != value
    }

    private func isEssential(_ setting: HM10Setting) -> Bool {
        switch setting {
        case .advertisingType, .transmitPower: false
        case .measuredPower: found.values[.measuredPowerOfClones] == nil
        case .measuredPowerOfClones: found.values[.measuredPower] == nil
        default: true
        }
    }

    private mutating func compare() -> [ModuleStep] {
        guard let assignment, let address else { return greet(0) }
        let missing = HM10Setting.allCases.filter { differs($0) && found.values[$0] == nil }
        // Without these settings a module advertises the wrong data; without the others it only advertises it
        // differently.
        if let essential = missing.first(where: { isEssential($0) }) {
            return fail(.settingRefused(command: essential.question))
        }
        guard HM10Setting.allCases.contains(where: { differs($0) && !missing.contains($0) }) else {
            restarts = 0
            let type: AdvertisingType = found.values[.advertisingType] == 3 ? .nonConnectable : .connectable
            let isUnchanged = !wasSet
            if shallReset {
                shallReset = false
                wasSet = true
                return ask(.sendingReset)
            }
            let isNews = owesNews || wasSet
            owesNews = false
            isNewlyAssigned = false
            wasSet = false
            let step: ProvisioningStep = isUnchanged ? .unchanged : .advertising(type, assignment.interval)
            let module = ProvisionedModule(
                address: address, firmware: firmware, configuration: assignment, advertisingType: type,
                isUnchanged: isUnchanged)
            let news: [ModuleStep] = isNews ? [.report(step), .provisioned(module)] : []
            return news + watch()
        }
        if wasSet, restarts >= Self.mostRestarts {
            let setting = HM10Setting.allCases.first { differs($0) } ?? .isBeacon
            return fail(.settingRefused(command: setting.command(wanted?.values[setting] ?? 0)))
        }
        if wasSet { restarts += 1 }
        let loss: [ModuleStep] = isWatching && !wasSet && !isNewlyAssigned ? [.lost(.changed)] : []
        if !loss.isEmpty { owesNews = true }
        return loss + setNext(after: nil)
    }

    mutating func setNext(after setting: HM10Setting?) -> [ModuleStep] {
        let all = HM10Setting.allCases
        let start = setting.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        guard let next = all[start...].first(where: { differs($0) && found.values[$0] != nil }) else {
            return ask(.sendingReset)
        }
        return ask(.setting(next))
    }

    mutating func restart() -> [ModuleStep] {
        phase = .restarting
        return [.report(.resetting), .wait(.seconds(1))]
    }

    mutating func watch() -> [ModuleStep] {
        isWatching = true
        phase = .watching
        return [.wait(pace.checkInterval)]
    }

    mutating func fail(_ error: ProvisioningError) -> [ModuleStep] {
        phase = .ended
        return [.failed(error)]
    }
}
