package import BeaconModel
import OperatorText

/// Pictures cannot be read on this machine, or not now.
package enum PictureReadingError: OperatorError, Equatable {
    /// A program is not installed, with the Debian package that has it.
    case missing(program: String, package: String)
    /// The sandbox could not be made, with what bubblewrap said.
    case noSandbox(String)
    /// Too many pictures wait already.
    case busy
    case system(SystemError)

    package var what: String {
        switch self {
        case .missing(let program, _): "\(program) is not installed"
        case .noSandbox(let reason): "the sandbox for pictures cannot be made: \(reason.shown(upTo: 200))"
        case .busy: "too many pictures are being read"
        case .system(let error): error.what
        }
    }

    package var meaning: String? {
        switch self {
        case .missing, .noSandbox: "no picture is read: pictures of others are only opened in a sandbox"
        case .busy, .system: "the picture was not read"
        }
    }

    package var remedy: String? {
        switch self {
        case .missing(_, let package): "install the Debian package \(package)"
        case .noSandbox:
            "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1), and namespaces in the "
                + "systemd unit (RestrictNamespaces=no)"
        case .busy: "try again in a minute"
        case .system: nil
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .missing, .noSandbox, .busy: .unavailable
        case .system: .inputOutput
        }
    }
}
