import FoundationEssentials

/// JSON as it is published: one line, keys sorted, so that equal values give equal bytes.
public enum JSON {
    public static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Fails for floating-point values that aren't finite, which no record holds; an empty object loses less
        // than a crash would.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("{}".utf8)
    }

    /// - Throws: `DecodingError`.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
