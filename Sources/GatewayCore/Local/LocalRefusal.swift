import OperatorText
import RecordContract

/// Reason why the local socket does not carry a request out.
package enum LocalRefusal: Error, Equatable, Sendable {
    case notFound
    /// The path does not take the method; the value has those that it takes.
    case wrongMethod([String])
    /// The body is not what the path takes.
    case body
    /// The other process is neither root nor the gateway's user nor in the socket's group.
    case forbidden
    case unknownModule(String, known: [String])
    case unknownLevel(String, known: [String])
    /// The command was given to the module and failed.
    case failed(String)
    /// The configuration has problems, one line each.
    case configuration([String])

    /// Maximum number of lines about a configuration.
    private static let mostProblems = 100

    /// Status of the answer (RFC 9110).
    package var status: Int {
        switch self {
        case .body, .unknownLevel: 400
        case .forbidden: 403
        case .notFound, .unknownModule: 404
        case .wrongMethod: 405
        case .failed, .configuration: 422
        }
    }

    package var answer: LocalAnswer.Refusal {
        switch self {
        case .notFound: .init(error: "not-found", text: "there is nothing at this path")
        case .wrongMethod(let methods):
            .init(error: "wrong-method", text: "the path takes \(methods.joined(separator: " and "))")
        case .body: .init(error: "wrong-body", text: "the body must be a JSON object: {\"level\":\"debug\"}")
        case .forbidden:
            .init(
                error: "forbidden", text: "only root, the gateway's user and the group of the socket are allowed")
        case .unknownModule(let name, let known):
            .init(
                error: "unknown-module",
                text: "there is no module \(name.shown(upTo: 100)); the modules are "
                    + (known.isEmpty ? "none" : known.joined(separator: ", ")))
        case .unknownLevel(let level, let known):
            .init(
                error: "unknown-level",
                text: "there is no level \(level.shown(upTo: 100)); the levels are \(known.joined(separator: ", "))")
        case .failed(let text): .init(error: "failed", text: text)
        case .configuration(let problems):
            .init(
                error: "configuration", text: "the configuration was rejected, and the previous one stays in effect",
                problems: problems.count <= Self.mostProblems
                    ? problems
                    : problems.prefix(Self.mostProblems) + ["and \(problems.count - Self.mostProblems) more"])
        }
    }
}
