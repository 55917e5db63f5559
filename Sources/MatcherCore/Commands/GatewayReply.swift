import OperatorText
import RecordContract

/// A gateway's reply to a command. Replies are not signed: any client that may publish there can have written one.
package struct GatewayReply: Equatable, Sendable {
    package var command: String
    package var module: String?
    package var correlation: String
    package var isOK: Bool
    /// One line without control characters.
    package var text: String

    private static let longest = 16_384
    private static let longestText = 500

    private struct Message: Decodable {
        var command: String
        var module: String?
        var correlation: String
        var ok: Bool
        var text: String
    }

    /// Reads a reply; `nil` if it is none.
    package init?(_ payload: [UInt8]) {
        guard payload.count <= Self.longest, let message = try? JSON.decode(Message.self, from: payload) else {
            return nil
        }
        command = message.command
        module = message.module
        correlation = message.correlation
        isOK = message.ok
        text = message.text.shown(upTo: Self.longestText)
    }
}
