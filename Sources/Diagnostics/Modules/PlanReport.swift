package import BeaconModel
package import GatewayCore
package import ModuleDialogues
import OperatorText

/// Report of a plan, or of the changes that were applied. Pure.
package struct PlanReport {
    private let inventory: Inventory
    private let outcomes: [PortOutcome]
    private let isApplied: Bool
    /// Assignment of modules to the inventory rows that accept any module.
    private let assignment: ModuleAssignment

    package init(
        _ inventory: Inventory, _ outcomes: [PortOutcome], isApplied: Bool,
        bindings: [BluetoothAddress: String] = [:]
    ) {
        self.inventory = inventory
        self.outcomes = outcomes
        self.isApplied = isApplied
        assignment = ModuleAssignment(inventory: inventory, bindings: bindings)
    }

    /// Inventory rows for which no module was found.
    private var missing: [InventoryEntry] {
        let found = Set(outcomes.compactMap(\.entry?.name))
        let failed = outcomes.filter { $0.error != nil && $0.entry == nil }
        return inventory.entries.filter { entry in
            if found.contains(entry.name) { return false }
            // A failed port that the entry names is reported with its own error.
            switch entry.module {
            case .port(let name): return !failed.contains { $0.port.isCalled(name) }
            case .usbSerial(let serial): return !failed.contains { $0.port.usb?.serial == serial }
            case .address, .anyNew: return true
            }
        }
    }

    /// Whether a port failed or a row has no module. A missing module counts even in a plan, because it cannot be
    /// confirmed as correct.
    package var hasFailures: Bool { outcomes.contains { $0.error != nil } || !missing.isEmpty }

    package var hasChanges: Bool {
        outcomes.contains { $0.error == nil && $0.entry != nil && $0.change?.isRightAlready == false }
    }

    package var lines: [String] { lines(width: nil) }

    /// Returns the report with a table of at most `width` characters; `nil` for one line per row.
    package func lines(width: Int?) -> [String] {
        var table = TextTable([("", .left), ("NAME", .left), ("ADDRESS", .left), ("PORT", .left), ("", .left)])
        var details: [[String]] = []
        for outcome in outcomes {
            let (sign, text) = verdict(outcome)
            table.add([
                sign, outcome.entry?.name ?? name(ofPort: outcome.port) ?? "-",
                outcome.identity?.address.description ?? "-", outcome.port.name, text,
            ])
            let listens = outcome.error == nil && outcome.entry?.listens == true
            details.append(self.details(outcome) + (listens ? [Self.listensText] : []))
        }
        for entry in missing {
            let unasked = outcomes.count { $0.identity == nil }
            let text =
                unasked == 0 ? "no such module is connected" : "not found; \(unasked) ports could not be examined"
            table.add(["?", entry.name, address(entry), "-", "\(text) (\(entry.module))"])
            details.append([])
        }
        var lines: [String] = []
        for (row, more) in zip(table.blocks(width: width), [[]] + details) {
            lines += row
            lines += more.map { "       " + $0 }
        }
        return lines + ["", summary]
    }

    private static let listensText = "listen = true: the gateway makes it listen while it runs"

    /// JSON document for one port, or for a row without a module.
    package struct Document: Encodable {
        /// Name of the inventory row.
        package var name: String?
        package var address: String?
        package var port: String?
        /// Result: `unchanged`, `send-again`, `set`, `change`, `unknown-before`, `not-in-inventory`, `missing` or
        /// `failed`.
        package var result: String
        /// Whether the change was applied, not only planned.
        package var isApplied: Bool
        /// Advertising type, `connectable` or `non-connectable`, once it is known.
        package var advertising: String?
        /// Differences, in words.
        package var details: [String]
        package var error: String?
        /// Whether the row has the module listen; omitted when it does not.
        package var listens: Bool?
    }

    package var documents: [Document] {
        outcomes.map { outcome in
            Document(
                name: outcome.entry?.name ?? name(ofPort: outcome.port),
                address: outcome.identity?.address.description,
                port: outcome.port.name, result: Self.result(outcome),
                isApplied: isApplied && outcome.provisioned?.isUnchanged == false,
                advertising: outcome.provisioned?.advertisingType.name,
                details: details(outcome),
                error: outcome.error?.inOneLine, listens: outcome.entry?.listens == true ? true : nil)
        }
            + missing.map {
                Document(
                    name: $0.name, address: nil, port: nil, result: "missing", isApplied: false, advertising: nil,
                    details: [], error: nil)
            }
    }

    private static func result(_ outcome: PortOutcome) -> String {
        if outcome.error != nil { return "failed" }
        guard let change = outcome.change else { return "not-in-inventory" }
        return switch change {
        case .none: "unchanged"
        case .sendAgain: "send-again"
        case .set: "set"
        case .change: "change"
        case .unknownBefore: "unknown-before"
        case .notInInventory: "not-in-inventory"
        }
    }

    /// Error messages for standard error: a paragraph for each failed port, and for each row without a module.
    package var errors: [String] {
        failures
            + missing.map {
                "error: \($0.name): no module for this row (\($0.module)) is connected, or it does not answer"
            }
    }

    private var failures: [String] {
        outcomes.compactMap { outcome in
            guard let error = outcome.error else { return nil }
            let name = outcome.entry?.name ?? name(ofPort: outcome.port)
            return "error: " + (name.map { "\($0): " } ?? "") + "\(outcome.port.name): "
                + ([error.inOneLine] + Self.advice(error)).joined(separator: "\n  ")
        }
    }

    private static func advice(_ error: any Error) -> [String] {
        guard let error = error as? any OperatorError else { return [] }
        return [error.meaning.map { "it means: \($0)" }, error.remedy.map { "what to do: \($0)" }].compactMap { $0 }
    }

    private func name(ofPort port: SerialPortDescription) -> String? {
        assignment.entry(for: port)?.name
    }

    private func address(_ entry: InventoryEntry) -> String {
        if case .address(let address) = entry.module { address.description } else { "-" }
    }

    private func verdict(_ outcome: PortOutcome) -> (sign: String, text: String) {
        if outcome.error != nil { return ("x", "failed") }
        guard let change = outcome.change, let entry = outcome.entry else {
            if let row = lostRow(outcome) {
                return (
                    "!",
                    "is bound to the row \(row), which is no longer an \"any\" row of the inventory; left unchanged"
                )
            }
            return ("!", "is not in the inventory; left unchanged")
        }
        if let module = outcome.provisioned {
            if module.isUnchanged {
                let isConnectable = module.advertisingType == .connectable
                return (
                    "=",
                    (change == .sendAgain ? "no change; sent again" : "no change")
                        + (isConnectable ? ", connectable" : "")
                )
            }
            if change.isRightAlready {
                return ("~", "provisioned again, after \(Format.fixed(outcome.seconds, 1)) s")
            }
            return (change.sign, "\(module.advertisingType.name), after \(Format.fixed(outcome.seconds, 1)) s")
        }
        switch change {
        case .none: return ("=", "no change: \(entry.configuration.beacon)")
        case .sendAgain:
            return ("=", "was provisioned with \(entry.configuration.beacon); cannot be read back, will be sent again")
        case .set: return ("+", "to be set")
        case .change: return ("~", "to be changed")
        case .unknownBefore: return ("~", "to be set; unknown what it advertises")
        case .notInInventory: return ("!", "is not in the inventory")
        }
    }

    private func lostRow(_ outcome: PortOutcome) -> String? {
        outcome.identity.flatMap { assignment.lostEntry(of: $0.address) }
    }

    private func details(_ outcome: PortOutcome) -> [String] {
        if outcome.error == nil, outcome.entry == nil, let row = lostRow(outcome) {
            return ["what to do: add a row for its address, or repeat the command with --rebind \(row)"]
        }
        guard outcome.error == nil, let change = outcome.change, let entry = outcome.entry,
            outcome.provisioned?.isUnchanged != true
        else { return [] }
        return change.details(wanted: entry.configuration)
    }

    private var summary: String {
        var counts: [(Int, String)] = []
        let good = outcomes.filter { $0.error == nil }
        let unchanged = good.count {
            $0.provisioned.map(\.isUnchanged) ?? ($0.change == PlannedChange.none)
        }
        let again = good.count { $0.provisioned == nil && $0.change == .sendAgain }
        let unknown = good.count { $0.entry == nil }
        let changed = good.count - unchanged - again - unknown
        counts.append((changed, isApplied ? "changed" : "to change"))
        counts.append((unchanged, "unchanged"))
        counts.append((again, "to be sent again"))
        counts.append((unknown, "not in the inventory"))
        counts.append((missing.count, "without a module"))
        counts.append((outcomes.count - good.count, "failed"))
        let text = counts.enumerated().filter { $0.element.0 > 0 || $0.offset < 2 }
            .map { "\($0.element.0) \($0.element.1)" }.joined(separator: ", ")
        let isAllKnown = good.allSatisfy { $0.change != .sendAgain }
        if isApplied, changed == 0, isAllKnown, !hasFailures { return text + ". Nothing to change." }
        return text + "."
    }
}
