import OperatorText
import RecordContract

/// A request to the gateway's local socket.
package enum LocalRequest: Equatable, Sendable {
    case status
    case identify(String)
    case reset(String)
    case reload
    case logLevel
    case setLogLevel(String)

    /// Maximum size of a body in bytes.
    package static let largestBody = 4096

    private struct Level: Codable {
        var level: String
    }

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - path: the path, with its percent-encoding.
    package init(method: String, path: String, body: [UInt8]) throws(LocalRefusal) {
        let levels = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        func take(_ allowed: String, _ request: LocalRequest) throws(LocalRefusal) -> LocalRequest {
            guard method == allowed else { throw .wrongMethod([allowed]) }
            return request
        }
        switch levels {
        case ["v1", "status"]: self = try take("GET", .status)
        case ["v1", "reload"]: self = try take("POST", .reload)
        case ["v1", "log-level"]:
            switch method {
            case "GET": self = .logLevel
            case "PUT":
                guard let level = try? JSON.decode(Level.self, from: body).level else { throw .body }
                self = .setLogLevel(level)
            default: throw .wrongMethod(["GET", "PUT"])
            }
        default:
            guard levels.count == 4, levels[0] == "v1", levels[1] == "modules",
                let name = PercentText.decode(levels[2]), !name.isEmpty
            else { throw .notFound }
            switch levels[3] {
            case "identify": self = try take("POST", .identify(name))
            case "reset": self = try take("POST", .reset(name))
            default: throw .notFound
            }
        }
    }

    package var method: String {
        switch self {
        case .status, .logLevel: "GET"
        case .identify, .reset, .reload: "POST"
        case .setLogLevel: "PUT"
        }
    }

    package var path: String {
        switch self {
        case .status: "/v1/status"
        case .identify(let name): "/v1/modules/\(PercentText.encode(name))/identify"
        case .reset(let name): "/v1/modules/\(PercentText.encode(name))/reset"
        case .reload: "/v1/reload"
        case .logLevel, .setLogLevel: "/v1/log-level"
        }
    }

    /// The body; `nil` if there is none.
    package var body: [UInt8]? {
        if case .setLogLevel(let level) = self { JSON.encode(Level(level: level)) } else { nil }
    }
}
