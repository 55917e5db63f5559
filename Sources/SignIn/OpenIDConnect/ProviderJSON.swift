import struct FoundationEssentials.Data
import class FoundationEssentials.JSONDecoder

/// JSON documents of the identity provider.
enum ProviderJSON {
    /// Decodes an object; `nil` if the bytes are none in UTF-8, or have other types.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
        // The decoder would take UTF-16 and UTF-32 too, whose texts of ASCII have zeros.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        return try? JSONDecoder().decode(type, from: Data(bytes))
    }
}
