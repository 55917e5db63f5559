package import HCI
package import ModuleDialogues
import OperatorText
package import RecordContract

/// A command published on `command/<name>`.
package enum RemoteCommand: Equatable, Sendable {
    /// `provision`, `identify` or `reset` of one module.
    case module(Fleet.Command.Name, module: String)
    /// `provision` without a module: the inventory is read again.
    case provisionAll
    /// `rescan`: scanning is restarted on one adapter or on all.
    case rescan(AdapterSelector?)
    /// `configure`: a configuration is tried. Its text has not been looked at yet.
    case configure(RolloutDocument, seconds: Int)
    /// `confirm`: the configuration on trial is kept.
    case confirm(ConfigurationDigest)

    /// Commands about what is plugged in, which a person can give one at a time.
    package static let handNames = Fleet.Command.Name.allCases.map(\.rawValue) + ["rescan"]
    /// Commands of a rollout, which are obeyed only where a key is required.
    package static let rolloutNames = [ConfigureMessage.command, ConfirmMessage.command]
    package static let names = handNames + rolloutNames

    /// Maximum length of a command in bytes, except for `configure`.
    package static let longest = 4096

    /// Returns the maximum length of a command in bytes.
    package static func longest(_ name: String) -> Int {
        name == ConfigureMessage.command ? ConfigureMessage.longest : longest
    }

    /// Returns what stands for a payload among those that came before: a long one is not kept.
    static func fingerprint(_ payload: [UInt8]) -> [UInt8] {
        payload.count > longest ? Array(ConfigurationDigest(of: payload).description.utf8) : payload
    }

    private static let longestCorrelation = 128

    /// A parsed command.
    package struct Request: Equatable, Sendable {
        package var command: RemoteCommand
        /// Correlation to return with the reply; empty if none was given.
        package var correlation: String
        /// Time of the command as its sender writes it; only a signed command needs it.
        package var at: String?
    }

    package struct Refusal: Error, Equatable {
        package var correlation = ""
        package var text: String
    }

    /// - Returns: the request, or the reason why it is not understood.
    package static func read(name: String, _ payload: [UInt8]) -> Result<Request, Refusal> {
        let longest = longest(name)
        guard payload.count <= longest else {
            return .failure(Refusal(text: "the command has \(payload.count) bytes; at most \(longest) are allowed"))
        }
        if rolloutNames.contains(name) { return RolloutCommandMessage.read(name: name, payload) }
        let message: RemoteCommandMessage
        do {
            message = try JSON.decode(
                RemoteCommandMessage.self, from: payload.isEmpty ? Array("{}".utf8) : payload)
        } catch let error as RemoteCommandMessage.UnknownKey {
            return .failure(
                Refusal(
                    text: "unknown key \(error.name.excerpt); the keys are module, adapter, correlation, at and tag. "
                        + "What a module advertises is set in the inventory"))
        } catch {
            return .failure(
                Refusal(
                    text: #"the command is malformed; expected JSON like {"module":"door","correlation":"1"}"#))
        }
        let correlation = shortened(message.correlation)
        do throws(Refusal) {
            return .success(
                Request(command: try command(name, message), correlation: correlation, at: message.at))
        } catch {
            return .failure(Refusal(correlation: correlation, text: error.text))
        }
    }

    /// Returns a correlation of bounded length.
    static func shortened(_ correlation: String?) -> String {
        String((correlation ?? "").unicodeScalars.prefix(longestCorrelation))
    }

    private static func command(_ name: String, _ message: RemoteCommandMessage) throws(Refusal) -> RemoteCommand {
        guard let command = Fleet.Command.Name(rawValue: name) else {
            guard name == "rescan" else {
                throw Refusal(text: "there is no command \(name); the commands are \(names.joined(separator: ", "))")
            }
            if message.module != nil {
                throw Refusal(text: #"rescan applies to adapters: {"adapter":"hci0"}, or {} for all"#)
            }
            guard let text = message.adapter else { return .rescan(nil) }
            guard let adapter = AdapterSelector(text) else {
                throw Refusal(
                    text: "\(text.excerpt) is not an adapter; expected hci0, hci1, ..., or an adapter's address")
            }
            return .rescan(adapter)
        }
        if message.adapter != nil { throw Refusal(text: "\(name) applies to modules: {\"module\":\"door\"}") }
        guard let module = message.module else {
            guard command == .provision else { throw Refusal(text: "specify a module: {\"module\":\"door\"}") }
            return .provisionAll
        }
        guard Topics.isLevel(module) else { throw Refusal(text: "\(module.excerpt) is not a module name") }
        return .module(command, module: module)
    }
}

/// The JSON of a command.
struct RemoteCommandMessage: Decodable {
    /// Name of the module; absent: all modules, for `provision` only.
    var module: String?
    /// Adapter for `rescan`; absent: all adapters.
    var adapter: String?
    /// Correlation to return with the reply.
    var correlation: String?
    /// Time of a signed command.
    var at: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys where !["module", "adapter", "correlation", "at", "tag"].contains(key.stringValue)
        {
            throw UnknownKey(name: String(key.stringValue.prefix(40)))
        }
        module = try container.decodeIfPresent(String.self, forKey: Key("module"))
        adapter = try container.decodeIfPresent(String.self, forKey: Key("adapter"))
        at = try container.decodeIfPresent(String.self, forKey: Key("at"))
        // A number is accepted as well.
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

    struct UnknownKey: Error {
        var name: String
    }
}

/// The published reply to a command.
package struct CommandReply: Encodable, Equatable, Sendable {
    package var command: String
    package var module: String?
    package var adapter: String?
    package var correlation: String
    package var ok: Bool
    package var text: String

    package var encoded: [UInt8] { JSON.encode(self) }
}

/// The outcome of a command.
package struct CommandOutcome: Equatable, Sendable {
    package var ok: Bool
    /// Description of what was done, or of why nothing was done.
    package var text: String

    package init(ok: Bool, text: String) {
        self.ok = ok
        self.text = text
    }

    package static let stopping = CommandOutcome(
        ok: false, text: "the gateway is stopping; send the command again when it is back")
}
