import BeaconModel
import RecordContract

/// Classified message from the broker. Its contents are untrusted: any topic, any bytes.
enum ReceivedMessage: Sendable {
    case record(ReceivedRecord)
    case signals(ReceivedSignals)
    /// Retained presence, from before the subscription.
    case presence(ReceivedPresence, of: ReceivedRecord.Beacon, gateway: String)
    case module(String, ReceivedRecord.Beacon)
    /// Message on the topic of records or signals that is neither, with the reason in words.
    case damaged(String)
    /// Any other message, of the record contract or not.
    case other

    /// Maximum size of a record in bytes. Gateways' records have less than 2000, and readings less than 32,768.
    static let longest = 65_536

    init(_ message: MQTTMessage) {
        let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
        let isOfModule = levels.dropLast(2).last == "module"
        switch levels.last {
        case "interaction", "social-distance", "readings": self = Self.record(message)
        case "signals": self = Self.decoded(ReceivedSignals.self, message) { .signals($0) }
        case "event" where isOfModule: self = Self.record(message)
        case "state" where isOfModule:
            guard let name = levels.dropLast().last, let state = Self.read(ReceivedModuleState.self, message) else {
                fallthrough
            }
            self = .module(String(name), state.desired)
        case "presence" where message.isRetained:
            guard let presence = Self.read(ReceivedPresence.self, message), levels.count > 5,
                let uuid = ProximityUUID(levels[levels.count - 4]), let major = UInt16(levels[levels.count - 3]),
                let minor = UInt16(levels[levels.count - 2])
            else { fallthrough }
            self = .presence(
                presence, of: .init(uuid: uuid.description, major: major, minor: minor),
                gateway: String(levels[levels.count - 6]))
        default: self = .other
        }
    }

    private static func record(_ message: MQTTMessage) -> Self {
        decoded(ReceivedRecord.self, message) { .record($0) }
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, _ message: MQTTMessage, _ make: (Value) -> Self
    ) -> Self {
        let count = message.payload.count
        guard count <= longest else {
            return .damaged("\(count) bytes, more than the \(longest) of the longest record")
        }
        guard isText(message.payload) else { return .damaged("\(count) bytes that are not UTF-8 text") }
        do {
            return make(try JSON.decode(type, from: message.payload))
        } catch DecodingError.dataCorrupted {
            return .damaged("\(count) bytes that are not JSON")
        } catch DecodingError.keyNotFound(let key, _) {
            return .damaged("\(count) bytes of JSON without \(key.stringValue)")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            return .damaged(
                "\(count) bytes of JSON with an invalid \(context.codingPath.last?.stringValue ?? "structure")")
        } catch {
            return .damaged("\(count) bytes that are not a record")
        }
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ message: MQTTMessage) -> Value? {
        guard message.payload.count <= longest, isText(message.payload) else { return nil }
        return try? JSON.decode(type, from: message.payload)
    }

    /// Returns whether the bytes are UTF-8 text. The JSON decoder also accepts other encodings, which could not be
    /// passed on as lines.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && !bytes.starts(with: [0xEF, 0xBB, 0xBF]) && String(validating: bytes, as: UTF8.self) != nil
    }
}
