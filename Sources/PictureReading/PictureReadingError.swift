package import BeaconModel
import OperatorText

/// Pictures cannot be read on this machine, or not now.
package enum PictureReadingError: OperatorError, Equatable {
    /// A program is not installed, with the Debian package that has it.
    case missing(program: String, package: String)
    /// The sandbox could not be made, with what bubblewrap said.
    case noSandbox(String)
    /// The worker behind a socket did not answer.
    case noWorker(path: String, SystemError)
    /// The worker behind a socket answered something else.
    case badReply(path: String, String)
    /// A worker was started outside of its unit.
    case notConfined(String)
    /// A worker got no picture.
    case badRequest(String)
    /// Too many pictures wait already.
    case busy
    case system(SystemError)

    package var what: String {
        switch self {
        case .missing(let program, _): "\(program) is not installed"
        case .noSandbox(let reason): "the sandbox for pictures cannot be created: \(reason.shown(upTo: 200))"
        case .noWorker(let path, let error): "the worker at \(path) does not answer: \(error.what)"
        case .badReply(let path, let reason): "the reply of the worker at \(path) was refused: \(reason)"
        case .notConfined(let reason): "this worker is not confined: \(reason)"
        case .badRequest(let reason): "no picture arrived: \(reason)"
        case .busy: "too many pictures are being read"
        case .system(let error): error.what
        }
    }

    package var meaning: String? {
        switch self {
        case .missing, .noSandbox: "no picture is read: pictures of others are only opened in a sandbox"
        case .notConfined: "no picture is read: it could take over a program that reaches the network"
        case .noWorker, .badReply, .badRequest, .busy, .system: "the picture was not read"
        }
    }

    package var remedy: String? {
        switch self {
        case .missing(_, let package): "install the Debian package \(package)"
        case .noSandbox:
            "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1), and namespaces in the "
                + "systemd unit (RestrictNamespaces=no)"
        case .noWorker:
            "start beacon-ocr.socket (systemctl enable --now beacon-ocr.socket), and run beacon-matcher in the group "
                + "of the socket"
        case .badReply: "see why the worker failed: journalctl -u 'beacon-ocr@*'"
        case .notConfined: "let systemd start it: enable beacon-ocr.socket, and connect to it"
        case .busy: "try again in a minute"
        case .badRequest, .system: nil
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .missing, .noSandbox, .noWorker, .notConfined, .busy: .unavailable
        case .badReply, .badRequest: .data
        case .system: .inputOutput
        }
    }
}
