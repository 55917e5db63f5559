import OperatorText
import RecordContract

/// Decoding of JSON request bodies.
package enum JSONBody {
    /// Decodes a request's body.
    ///
    /// - Throws: `APIError` that names the place of a missing or wrong value.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(APIError) -> Value {
        do {
            return try JSON.decode(type, from: bytes)
        } catch DecodingError.keyNotFound(let key, let context) {
            throw .malformed("\(path(context, key)) is missing")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw .malformed("\(path(context)) has the wrong type")
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            throw .malformed("\(path(context)) is invalid")
        } catch {
            throw .malformed("the body is not JSON")
        }
    }

    private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        var text = ""
        for part in context.codingPath + (key.map { [$0] } ?? []) {
            if let index = part.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + part.stringValue
            }
        }
        return text.isEmpty ? "the body" : text.shown(upTo: 80)
    }
}
