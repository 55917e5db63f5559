/// Value of a claim: any JSON.
enum ClaimValue: Equatable, Sendable {
    case text(String)
    case number(Double)
    case list([ClaimValue])
    case object([String: ClaimValue])
    /// `true`, `false`, `null`, and what is nested too deeply.
    case other

    private static let deepest = 16

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value as whole seconds since 1970, rounded down; `nil` beyond any date.
    var seconds: Int64? {
        guard case .number(let number) = self, abs(number) < 1e11 else { return nil }
        return Int64(number.rounded(.down))
    }
}

extension ClaimValue: Decodable {
    init(from decoder: any Decoder) throws {
        self = .other
        guard decoder.codingPath.count <= Self.deepest, let container = try? decoder.singleValueContainer() else {
            return
        }
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let list = try? container.decode([ClaimValue].self) {
            self = .list(list)
        } else if let object = try? container.decode([String: ClaimValue].self) {
            self = .object(object)
        }
    }
}
