import BeaconModel
import GatewayCore
import OperatorText

/// Fields of one place in a schedule file: a table of a TOML file or a line of a CSV file.
protocol ScheduleFields: ModuleFields {
    /// Returns the list of texts under one key.
    func list(_ key: String) -> [String]?
}

extension TOMLReader: ScheduleFields {
    package func list(_ key: String) -> [String]? { strings(key) }
}

extension CSVFields: ScheduleFields {
    /// Returns the space-separated words of a cell.
    package func list(_ key: String) -> [String]? { string(key)?.split(separator: " ").map(String.init) }
}

extension ScheduleFields {
    var reporter: ScheduleDraft.Report { { report($0, found: $1, allowed: $2) } }

    /// Reads a name or a state. It is displayed, so it must be short and free of characters that a terminal interprets.
    func label(_ key: String) -> String? {
        parsed(key, allowed: "1 to 60 visible characters") { text in
            let isShown = text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
                default: true
                }
            }
            let isBlank = text.allSatisfy(\.isWhitespace)
            return isShown && !isBlank && (1...60).contains(text.unicodeScalars.count) ? text : nil
        }
    }

    func time(_ key: String) -> ScheduleTime? { parsed(key, allowed: ScheduleTime.form) { ScheduleTime($0) } }

    /// Reads a limit from 1 s to 1 h.
    func limit(_ key: String) -> Duration? {
        parsed(key, allowed: "\(DurationText.form), from 1s to 1h") { text in
            DurationText.parse(text).flatMap { (.seconds(1)...(.seconds(3600))).contains($0) ? $0 : nil }
        }
    }

    /// Reads the device's identities from all keys that can hold them, without duplicates.
    func identities() -> [EvaluationSchedule.Identity] {
        var found: [EvaluationSchedule.Identity] = []
        if let beacon = parsed("beacon", allowed: "UUID/major/minor", EvaluationSchedule.Identity.beacon) {
            found.append(.beacon(beacon))
        }
        if let address = parsed("address", allowed: "six bytes: AA:BB:CC:DD:EE:FF", { BluetoothAddress($0) }) {
            found.append(.address(address))
        }
        let digits = "32 hexadecimal digits"
        if let identifier = parsed("identifier", allowed: digits, EvaluationSchedule.Identity.identifier) {
            found.append(.identifier(identifier))
        }
        let others = list("identities") ?? []
        if others.count > EvaluationSchedule.mostIdentities {
            report(
                "identities", found: "has \(others.count) entries",
                allowed: "must have at most \(EvaluationSchedule.mostIdentities)")
        }
        for text in others.prefix(EvaluationSchedule.mostIdentities) {
            if let identity = EvaluationSchedule.Identity(text) {
                found.append(identity)
            } else {
                report(
                    "identities", found: "found \(text.excerpt)",
                    allowed: "must be \(EvaluationSchedule.Identity.form)")
            }
        }
        var seen: Set<EvaluationSchedule.Identity> = []
        return found.filter { seen.insert($0).inserted }
    }

    /// Reads a phase. Reports any problem and then returns `nil`.
    func phase() -> ScheduleDraft.Phase? {
        for key in ["state", "in-range"] where !has(key) {
            missing(key, allowed: key == "state" ? "the device's state, in your words" : ScheduleTime.form)
        }
        let state = label("state")
        let inRange = time("in-range")
        let outOfRange = time("out-of-range")
        guard let state, let inRange, outOfRange != nil || !has("out-of-range") else { return nil }
        return .init(state: state, inRange: inRange, outOfRange: outOfRange, report: reporter)
    }
}
