import MQTTBridge
import UARTConfig

/// A command as it comes on `command/<name>`, and its reply on `reply/<name>`.
struct ModuleCommandMessage: Decodable {
    /// Absent: all modules, for `provision` only.
    var module: String?
    /// Handed back with the reply.
    var correlation: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys where !["module", "correlation"].contains(key.stringValue) {
            throw UnknownKey(name: String(key.stringValue.prefix(40)))
        }
        module = try container.decodeIfPresent(String.self, forKey: Key("module"))
        // A number is as good.
        correlation =
            if let number = try? container.decode(Int.self, forKey: Key("correlation")) {
                String(number)
            } else {
                try container.decodeIfPresent(String.self, forKey: Key("correlation"))
            }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct UnknownKey: Error {
        var name: String
    }

    /// Bytes of a command at most.
    static let longest = 4096
    private static let longestCorrelation = 128

    /// - Returns: what is wanted, or why it can't be understood.
    static func read(name: String, _ payload: [UInt8]) -> Result<Request, Refusal> {
        guard payload.count <= longest else {
            return .failure(Refusal(text: "the command has \(payload.count) bytes; at most \(longest) are allowed"))
        }
        let message: ModuleCommandMessage
        do {
            message = try JSON.decode(Self.self, from: payload.isEmpty ? Array("{}".utf8) : payload)
        } catch let error as UnknownKey {
            return .failure(
                Refusal(
                    text: "\(error.name) isn't known; the keys are module and correlation. "
                        + "What a module shall advertise is in the inventory"))
        } catch {
            return .failure(
                Refusal(
                    text: #"the command isn't understood; it must be JSON like {"module":"door","correlation":"1"}"#))
        }
        let correlation = String((message.correlation ?? "").prefix(longestCorrelation))
        guard let command = Fleet.Command.Name(rawValue: name) else {
            let known = Fleet.Command.Name.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(
                Refusal(correlation: correlation, text: "there is no command \(name); the commands are \(known)"))
        }
        guard let module = message.module else {
            guard command == .provision else {
                return .failure(Refusal(correlation: correlation, text: "say which module: {\"module\":\"door\"}"))
            }
            return .success(.provisionAll(correlation: correlation))
        }
        return .success(.one(Fleet.Command(command, module: module, correlation: correlation)))
    }

    enum Request: Equatable {
        case one(Fleet.Command)
        case provisionAll(correlation: String)
    }

    struct Refusal: Error, Equatable {
        var correlation = ""
        var text: String
    }
}

/// What is published on `reply/<name>`.
struct CommandReply: Encodable {
    var command: String
    var module: String?
    var correlation: String
    var ok: Bool
    var text: String

    var encoded: [UInt8] { JSON.encode(self) }
}
