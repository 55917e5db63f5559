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
        case .notACapture(let path): "\(path) already exists and is not a btsnoop capture"
        case .readsItself(let path): "\(path) cannot be read and written at the same time"
        case .besideEarlier(let path): "\(path) is an earlier recording with the same name"
        case .system(let error): error.what
        }
    }

    var meaning: String? {
        switch self {
        case .notACapture, .readsItself: "nothing was changed: a recording replaces only captures"
        case .besideEarlier: "if both were passed on, it would reveal what the pseudonymised one hides"
        case .system(let error) where error.isFull: "the recording is complete up to its last packet"
        case .system: nil
        }
    }

    var remedy: String? {
        switch self {
        case .notACapture: "choose another name, or move the file"
        case .readsItself, .besideEarlier: "choose another name for the recording"
        case .system(let error) where error.isFull: "free some space, or record less with --max-size and --files"
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
