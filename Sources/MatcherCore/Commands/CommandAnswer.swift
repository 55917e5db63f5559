/// Outcome of a command that an operator gave on the page.
package enum CommandAnswer: Equatable, Sendable {
    /// The gateway carried it out, and says this.
    case done(String)
    /// The gateway did not carry it out, and says why.
    case refused(String)
    /// No reply came in time. The gateway may have carried it out.
    ///
    /// - Parameter complaint: what the gateway meanwhile said of a command that it did not name.
    case unanswered(complaint: String?)
    /// This process has no connection to the broker, so nothing was sent.
    case unsent
    /// A command to the module still waits for its reply, so nothing was sent.
    case waiting
    /// Too many commands wait for their replies, so nothing was sent.
    case tooManyWaiting
    /// The account has given too many commands, so nothing was sent.
    case tooMany(wait: Duration)

    /// Whether the command was carried out.
    package var isDone: Bool {
        if case .done = self { return true }
        return false
    }

    /// One line for the audit and the log.
    package var summary: String {
        switch self {
        case .done(let text): "done: \(text)"
        case .refused(let text): "refused: \(text)"
        case .unanswered(let complaint): "no answer" + (complaint.map { "; a command was refused: \($0)" } ?? "")
        case .unsent: "not sent: no connection to the broker"
        case .waiting: "not sent: the module has not answered the command before"
        case .tooManyWaiting: "not sent: too many commands wait for answers"
        case .tooMany: "not sent: too many commands of this account"
        }
    }

    /// Sentences for people.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - isSigned: whether commands are signed.
    package func words(of command: ModuleCommand, isSigned: Bool) -> String {
        let name = "\(command.name.rawValue) \(command.module)"
        switch self {
        case .done(let text): return "\(command.module): \(text)"
        case .refused(let text):
            return "The gateway did not \(name). \(Self.quote(text, isSigned))"
        case .unanswered(let complaint):
            if let complaint {
                return
                    "The gateway did not answer. Meanwhile it refused a command that it did not name, which probably "
                    + "was: \(name). \(Self.quote(complaint, isSigned))"
            }
            let seconds = OutstandingCommands.patience.components.seconds
            return
                "There was no answer within \(seconds) s to: \(name). The gateway may be off, or still working on it: "
                + "check the state of the module in a minute. If this happens with all gateways, the broker does not "
                + "let this service publish commands or read replies: see its access list."
        case .unsent:
            return "Nothing was sent, because this service has no connection to the broker. Try again in a minute."
        case .waiting:
            return "Nothing was sent, because \(command.module) has not answered the command before. Wait for its "
                + "answer."
        case .tooManyWaiting:
            return "Nothing was sent, because too many commands wait for their answers. Try again in a few seconds."
        case .tooMany(let wait):
            let seconds = max(1, wait.components.seconds + 1)
            return "Nothing was sent, because you gave too many commands. Try again in \(seconds) s."
        }
    }

    /// Returns what a gateway says, and what to do.
    private static func quote(_ text: String, _ isSigned: Bool) -> String {
        "It says: \(text)." + (RefusalReason(text)?.remedy(isSigned: isSigned).map { " What to do: \($0)" } ?? "")
    }
}
