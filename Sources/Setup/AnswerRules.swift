import BeaconModel
import OperatorText
import Publishing
import RecordContract

/// Rules for answers that several questions have in common.
package enum AnswerRules {
    /// Levels of topics.
    package static let level: @Sendable (String) -> CheckedAnswer = { text in
        if Topics.isLevel(text), text.utf8.count <= 50 { return .accepted(text) }
        let suggestion = suggestedLevel(text)
        return .refused(
            found: SetupQuestion.found(text),
            allowed: "must be made up of a-z, 0-9 and hyphens, 50 at most, because it becomes an MQTT topic level"
                + (suggestion.isEmpty || suggestion == text ? "" : ": \(suggestion)"))
    }

    /// Returns the level that somebody may have meant: `Büro Ost` becomes `buero-ost`.
    package static func suggestedLevel(_ text: String) -> String {
        var result = ""
        for character in text.lowercased() {
            switch character {
            case "ä": result += "ae"
            case "ö": result += "oe"
            case "ü": result += "ue"
            case "ß": result += "ss"
            case "é", "è", "ê": result += "e"
            case "à", "á", "â": result += "a"
            case "ç": result += "c"
            case "a"..."z", "0"..."9": result.append(character.isASCII ? character : "-")
            default: if !result.isEmpty, result.last != "-" { result += "-" }
            }
        }
        while result.last == "-" { result.removeLast() }
        return String(result.prefix(50))
    }

    package static let host: @Sendable (String) -> CheckedAnswer = { text in
        if text.hasPrefix("mqtt://") || text.hasPrefix("mqtts://") || text.contains("/") {
            return .refused(
                found: SetupQuestion.found(text),
                allowed: "must be only a host name or address; the port and TLS are asked for next")
        }
        guard let endpoint = BrokerSettings.endpoint(text, defaultPort: 1) else {
            return .refused(found: SetupQuestion.found(text), allowed: "must be a host name or an address")
        }
        guard endpoint.port == 1 else {
            return .refused(
                found: SetupQuestion.found(text), allowed: "must be without the port, which is asked for next")
        }
        return .accepted(endpoint.host)
    }

    package static func number(in range: ClosedRange<Int>, unit: String = "") -> @Sendable (String) -> CheckedAnswer {
        { text in
            guard let number = Int(text), range.contains(number) else {
                return .refused(
                    found: SetupQuestion.found(text),
                    allowed: "must be a whole number from \(range.lowerBound) to \(range.upperBound)\(unit)")
            }
            return .accepted("\(number)")
        }
    }

    package static let uuid: @Sendable (String) -> CheckedAnswer = { text in
        guard let uuid = ProximityUUID(text) else {
            let digits = text.count { $0.isHexDigit }
            let other = text.first { !$0.isHexDigit && $0 != "-" }
            let hint = other.map { "\"\($0)\" is no such digit" } ?? "these are \(digits) digits"
            return .refused(
                found: SetupQuestion.found(text),
                allowed: "must be a UUID: 8-4-4-4-12 hexadecimal digits, 32 together; \(hint)")
        }
        return .accepted(uuid.description)
    }

    /// A list of UUIDs, each once.
    package static let uuids: @Sendable (String) -> CheckedAnswer = { text in
        var all: [String] = []
        for part in text.listed {
            switch uuid(part) {
            case .refused(let found, let allowed): return .refused(found: found, allowed: allowed)
            case .accepted(let uuid): if !all.contains(uuid) { all.append(uuid) }
            }
        }
        return .accepted(all.joined(separator: ", "))
    }

    /// A password: one line of text.
    package static let password: @Sendable (String) -> CheckedAnswer = { text in
        guard text.utf8.count <= 1024, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            return .refused(found: "is not one line of text", allowed: "must have at most 1024 bytes in one line")
        }
        return .accepted(text)
    }

    package static let absolutePath: @Sendable (String) -> CheckedAnswer = { text in
        guard text.hasPrefix("/"), text.utf8.count <= 4095 else {
            return .refused(found: SetupQuestion.found(text), allowed: "must be a path from the root: /...")
        }
        return .accepted(text)
    }
}
