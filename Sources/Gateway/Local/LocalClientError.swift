import BeaconModel
import GatewayCore
import GatewayDaemon
import OperatorText

/// Why a running gateway cannot be asked, or does not do what it is asked.
enum LocalClientError: OperatorError {
    /// Nobody listens at any of these paths.
    case notRunning([String], configuration: String?)
    /// The configuration has no local socket.
    case off
    case forbidden(SocketOwner)
    case unreachable(SystemError)
    case noAnswer(String, String)
    /// The answer is that of another version.
    case otherVersion(String)
    case refused(LocalAnswer.Refusal)

    var what: String {
        switch self {
        case .notRunning(let paths, _): "no gateway is running that listens at \(paths.joined(separator: " or "))"
        case .off: "the configuration has local-socket = \"off\""
        case .forbidden(let owner): "this user is not allowed to connect to \(owner.path)"
        case .unreachable(let error): error.what
        case .noAnswer(let path, let reason): "the gateway at \(path) does not answer: \(reason)"
        case .otherVersion(let path): "the gateway at \(path) has another version than this program"
        case .refused(let refusal):
            ([refusal.text] + (refusal.problems ?? []).map { "  \($0)" }).joined(separator: "\n")
        }
    }

    var remedy: String? {
        switch self {
        case .notRunning(_, let configuration):
            "start it: sudo systemctl start beacon-gateway, or beacon-gateway run --config "
                + (configuration.map { ShellWord.quote($0) } ?? "FILE")
                + "; for a gateway with another configuration, specify --config FILE or --socket PATH"
        case .off: "remove the key and restart the gateway"
        case .forbidden(let owner): owner.remedy
        case .unreachable: "specify the socket of the running gateway with --socket PATH"
        case .noAnswer: "repeat the command; the gateway's log says more"
        case .otherVersion: "restart the gateway: sudo systemctl restart beacon-gateway"
        case .refused(let refusal): refusal.error == "configuration" ? "correct the file, and reload again" : nil
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .notRunning, .off, .unreachable, .noAnswer, .otherVersion: .unavailable
        case .forbidden: .permission
        case .refused(let refusal):
            switch refusal.error {
            case "configuration": .configuration
            case "unknown-module", "unknown-level": .usage
            default: .unavailable
            }
        }
    }
}
