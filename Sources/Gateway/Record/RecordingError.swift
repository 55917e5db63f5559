import BeaconModel
import Glibc
import SystemIO

/// Reasons why a recording cannot begin or continue.
enum RecordingError: OperatorError {
    /// Existing file that must not be replaced because it is not a capture.
    case notACapture(path: String)
    /// Recording that would replace the capture that it reads.
    case readsItself(path: String)
    /// Pseudonymised recording that would lie beside an earlier recording with the values it hides.
    case besideEarlier(path: String)
    case system(SystemError)

    var what: String {
        switch self {
        case .notACapture(let path): "\(path) is there already and is no btsnoop capture"
        case .readsItself(let path): "\(path) can't be read and written at the same time"
        case .besideEarlier(let path): "\(path) is an earlier recording of this name"
        case .system(let error): error.what
        }
    }

    var meaning: String? {
        switch self {
        case .notACapture, .readsItself: "nothing was changed: only captures are replaced by a recording"
        case .besideEarlier: "sent along with the pseudonymised one it would tell what that hides"
        case .system(let error) where error.isFull: "what was recorded before is complete up to its last packet"
        case .system: nil
        }
    }

    var remedy: String? {
        switch self {
        case .notACapture: "choose another name, or move the file away"
        case .readsItself, .besideEarlier: "choose another name for the recording"
        case .system(let error) where error.isFull: "make room, or record less with --max-size and --files"
        case .system: nil
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .notACapture, .readsItself, .besideEarlier: .usage
        case .system: .inputOutput
        }
    }

    static func wrap<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(RecordingError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }
}

extension SystemError {
    /// Whether there is no space left: disk, quota, or maximum file size.
    fileprivate var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(errorNumber) }
}
