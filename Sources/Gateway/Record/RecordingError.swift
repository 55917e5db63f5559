import BeaconModel
import Glibc
import SystemIO

/// Why nothing is recorded, or nothing more.
enum RecordingError: OperatorError {
    /// A file that is in the way isn't one that may be replaced.
    case notACapture(path: String)
    /// The capture that is read would be replaced.
    case readsItself(path: String)
    /// Pseudonyms beside what they hide.
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
    /// Whether there is no room for more: disk, quota, or the largest file that is allowed.
    fileprivate var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(errorNumber) }
}
