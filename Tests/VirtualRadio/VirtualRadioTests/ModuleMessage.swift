import FoundationEssentials

/// What was published about a module, read as any consumer would.
struct ModuleMessage: Decodable {
    var state: String
    var heard: String
    var port: String
    var rssi: Int?
    var address: String?
    var firmware: String?
    var advertisingType: Int?
    var error: String?

    /// All messages about one module, in their order.
    ///
    /// - Parameter lines: of a subscriber: whether retained, quality of service, topic, payload.
    /// - Throws: `DecodingError` for a payload that isn't such an object.
    static func read(_ lines: [String], about module: String) throws -> [ModuleMessage] {
        try lines.compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 3)
            guard parts.count == 4, parts[2].hasSuffix("/module/\(module)/state") else { return nil }
            return try JSONDecoder().decode(ModuleMessage.self, from: Data(parts[3].utf8))
        }
    }

    /// The states, without repetitions.
    static func states(_ messages: [ModuleMessage]) -> [String] {
        messages.reduce(into: []) { states, message in
            if states.last != message.state { states.append(message.state) }
        }
    }
}
