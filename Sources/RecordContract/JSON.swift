import struct FoundationEssentials.Data
import class FoundationEssentials.JSONDecoder
import class FoundationEssentials.JSONEncoder

/// JSON as it is published: one line with sorted keys, so that equal values give equal bytes.
package enum JSON {
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails for floating-point values that are not finite, which no record contains. An empty object loses
        // less than a crash would.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("{}".utf8)
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError`.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// Whether the bytes are one object in one line, so that a line-based reader treats them as one record.
    package static func isObjectInOneLine(_ bytes: [UInt8]) -> Bool {
        guard bytes.allSatisfy({ $0 >= 0x20 }), String(validating: bytes, as: UTF8.self) != nil else { return false }
        return (try? decode([String: Anything].self, from: bytes)) != nil
    }

    /// A value of any kind, which is ignored.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}
