public import BeaconModel

/// A problem with a capture file.
public enum CaptureError: OperatorError {
    /// The file cannot be opened or read.
    case unreadable(SystemError)
    /// The file does not begin as a btsnoop file.
    case notBTSnoop(path: String)
    /// The file has a version or datalink type that is not supported.
    case unsupported(path: String, version: UInt32, datalink: UInt32)
    /// The file ends inside a record. `byte` is the offset at which the incomplete record starts.
    case truncated(path: String, byte: UInt64)
    /// The record of `length` bytes at `byte` is cut or damaged.
    case damaged(path: String, byte: UInt64, length: Int)

    public var what: String {
        switch self {
        case .unreadable(let error): error.what
        case .notBTSnoop(let path): "\(path) is not a btsnoop capture: it does not begin with \"btsnoop\""
        case .unsupported(let path, let version, let datalink):
            "\(path) is btsnoop version \(version) with datalink \(datalink)"
        case .truncated(let path, let byte): "\(path) ends inside the record at byte \(byte)"
        case .damaged(let path, let byte, let length):
            "\(path) is damaged: the record at byte \(byte) has a length of \(length) bytes"
        }
    }

    public var meaning: String? {
        switch self {
        case .unreadable, .notBTSnoop: nil
        case .unsupported: "only version 1 with datalink 1002 (HCI H4) or 2001 (Linux monitor) are supported"
        case .truncated, .damaged: "everything before that byte was used, nothing after it"
        }
    }

    public var remedy: String? {
        switch self {
        case .unreadable: nil
        case .notBTSnoop, .unsupported:
            "record with `beacon-gateway record FILE`, or take a phone's Bluetooth HCI snoop log"
        case .truncated: "the recording may still have been in progress; stop the recorder first"
        case .damaged: "copy the file again from where it was recorded"
        }
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus {
        switch self {
        case .unreadable: .inputOutput
        default: .data
        }
    }
}
