package import BeaconModel
package import GatewayCore
package import ModuleDialogues
import SystemIO
import UARTConfig

/// Identifies the modules on many ports in parallel, and applies the inventory to them.
package actor FleetProvisioner {
    package enum Mode: Sendable {
        /// Only inspect.
        case plan
        /// Change what differs.
        case apply
        /// Provision everything from a reset.
        case applyAll
    }

    private let mode: Mode
    private let files: ModuleFiles
    private let known: [ConfigurationFingerprint: BeaconConfiguration]
    private let profile: RS9116Profile
    private let progress: @Sendable (SerialPortDescription, InventoryEntry?, ProvisioningStep) -> Void
    private var assignment: ModuleAssignment
    /// Number of ports whose module is neither identified nor given up yet.
    private var unidentified = 0
    /// Modules that can take an `any` row and wait until all others are identified.
    private var waiting: [Candidate] = []

    private struct Candidate {
        var address: BluetoothAddress
        var kind: ModuleKind
        var port: SerialPortDescription
        var applied: AppliedConfiguration
        var continuation: CheckedContinuation<InventoryEntry?, Never>
    }

    /// - Parameter progress: called at each step.
    package init(
        _ mode: Mode, files: ModuleFiles, assignment: ModuleAssignment, profile: RS9116Profile,
        progress: @escaping @Sendable (SerialPortDescription, InventoryEntry?, ProvisioningStep) -> Void
    ) {
        self.mode = mode
        self.files = files
        self.assignment = assignment
        self.profile = profile
        self.progress = progress
        known = files.knownConfigurations
    }

    /// Verifies, before anything is changed, that the changes can be recorded.
    ///
    /// - Throws: `SystemError`.
    package func prepare() throws(SystemError) {
        guard mode != .plan else { return }
        try files.bindings.write(assignment.bindings)
        try FileContents.append([], to: files.audit.path, limit: AuditLog.longestFile)
    }

    /// - Returns: the outcome of each port, in the order of the ports.
    package func run(_ ports: [SerialPortDescription]) async -> [PortOutcome] {
        unidentified = ports.count
        return await withTaskGroup(of: (Int, PortOutcome).self) { group in
            for (index, port) in ports.enumerated() { group.addTask { (index, await self.visit(port)) } }
            var outcomes: [(Int, PortOutcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Records the bindings of the modules and the changes made.
    ///
    /// - Throws: `SystemError`.
    package func record(_ outcomes: [PortOutcome]) throws(SystemError) {
        guard mode != .plan else { return }
        try files.bindings.write(assignment.bindings)
        for outcome in outcomes {
            guard let event = Self.event(outcome) else { continue }
            try files.audit.add(event, at: WallClock.now())
        }
    }

    private func visit(_ port: SerialPortDescription) async -> PortOutcome {
        let start = ContinuousClock.now
        var outcome = PortOutcome(port: port)
        for kind in assignment.kinds(on: port) {
            outcome = PortOutcome(port: port)
            do {
                try await visit(port, kind, &outcome)
            } catch {
                outcome.error = error
            }
            outcome.seconds = (ContinuousClock.now - start).inSeconds
            // A module that does not answer may be of another kind.
            guard outcome.identity == nil, (outcome.error as? ProvisioningError)?.mayBeOfAnotherKind == true else {
                break
            }
        }
        if outcome.identity == nil { oneLessUnidentified() }
        return outcome
    }

    /// Assigns a row to an identified module. `any` rows are assigned once all modules have been identified: first to
    /// modules that still hold what such a row asks for, then in the order of the addresses. So a plan agrees with what
    /// is applied after it.
    private func assign(
        _ identity: ModuleIdentity, _ kind: ModuleKind, _ port: SerialPortDescription
    ) async -> InventoryEntry? {
        let choice = assignment.choose(identity.address, kind, port, applied: identity.applied)
        guard choice?.module == .anyNew, assignment.bindings[identity.address] == nil else {
            let entry = assignment.assign(identity.address, kind: kind, on: port, applied: identity.applied)
            oneLessUnidentified()
            return entry
        }
        return await withCheckedContinuation { continuation in
            waiting.append(
                Candidate(
                    address: identity.address, kind: kind, port: port, applied: identity.applied,
                    continuation: continuation))
            oneLessUnidentified()
        }
    }

    private func oneLessUnidentified() {
        unidentified -= 1
        guard unidentified <= 0 else { return }
        let candidates = waiting.sorted { $0.address < $1.address }
        waiting = []
        let remembering = candidates.filter { assignment.remembersEntry($0.applied) }
        let others = candidates.filter { !assignment.remembersEntry($0.applied) }
        for candidate in remembering + others {
            candidate.continuation.resume(
                returning: assignment.assign(
                    candidate.address, kind: candidate.kind, on: candidate.port, applied: candidate.applied))
        }
    }

    private func visit(_ port: SerialPortDescription, _ kind: ModuleKind, _ outcome: inout PortOutcome) async throws {
        let expected = assignment.entry(for: port)
        let link = try ModuleLink(
            port: port.name, dialogue: kind.dialogue(expected: expected?.configuration, profile: profile))
        try await withTaskCancellationHandler {
            // The loop runs until the stream ends, when the port is closed.
            for try await event in link.events {
                switch event {
                case .report(let step):
                    let isNews = !step.saysNoChange
                    if outcome.provisioned == nil, isNews || mode != .applyAll {
                        progress(port, outcome.entry ?? expected, step)
                    }
                case .changed(.identified(let identity)):
                    outcome.entry =
                        outcome.identity == nil ? await assign(identity, kind, port) : outcome.entry
                    outcome.identity = identity
                    let wanted = outcome.entry?.configuration
                    outcome.change = PlannedChange(identity.applied, wanted: wanted, known: known)
                    link.post(.assigned(mode == .plan ? nil : wanted))
                case .changed(.provisioned(let module)):
                    if mode == .applyAll, module.isUnchanged {
                        link.post(.provisionAgain)
                        break
                    }
                    outcome.provisioned = outcome.provisioned ?? module
                    link.close()
                case .changed(.failed(let error)): outcome.error = error
                case .changed, .received, .finished: break
                }
            }
            if mode != .plan, outcome.entry != nil, outcome.provisioned == nil, outcome.error == nil {
                throw CancellationError()
            }
        } onCancel: {
            link.close()
        }
    }

    private static func event(_ outcome: PortOutcome) -> Fleet.Event? {
        guard let entry = outcome.entry else { return nil }
        var before: BeaconConfiguration?
        if case .change(let from)? = outcome.change { before = from }
        let what: Fleet.Event.What
        if let module = outcome.provisioned {
            if module.isUnchanged { return nil }
            what = .provisioned(module.configuration, before: before)
        } else {
            what = .failed(outcome.error?.inOneLine ?? "the dialogue ended")
        }
        return Fleet.Event(
            module: entry.name, port: outcome.port.name, address: outcome.identity?.address, what: what)
    }
}
