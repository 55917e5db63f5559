public import BeaconModel

/// The reason why an exchange over a connection returned no code.
public enum ExchangeError: OperatorError, Equatable {
    /// The adapter does not exist or is not powered.
    case noAdapter(Adapter)
    /// This process lacks the capabilities for raw HCI.
    case notPermitted(Adapter)
    /// The controller does not answer.
    case controllerIsMute(Adapter)
    /// The controller refused the connection with a status (Bluetooth Core Specification 5.4, Vol 1, Part F).
    case controllerRefused(Adapter, status: UInt8)
    /// The controller supports extended scanning but not the matching command to connect.
    case cannotConnect(Adapter)
    /// A system call failed.
    case system(SystemError)
    /// The peer could not be reached in time.
    case notReached
    /// The connection ended before the dialogue was complete.
    case connectionLost
    /// The program is stopping.
    case cancelled
    /// The dialogue took longer than `ATTExchange.limit`.
    case tooSlow(during: ATTExchange.Step)
    /// The peer sent more PDUs than an exchange needs.
    case tooManyPDUs
    /// The peer sent a PDU with a format error.
    case malformed(opcode: UInt8?, ATTDefect)
    /// A response without a matching request.
    case unexpected(opcode: UInt8, during: ATTExchange.Step)
    /// An error response (Bluetooth Core Specification 5.4, Vol 3, Part F, 3.4.1.1).
    case refused(during: ATTExchange.Step, reason: UInt8)
    /// The peer does not have the app's service.
    case noService
    /// The service exists but has no characteristic with a code.
    case noCharacteristic
    /// The code does not have 8 bytes.
    case wrongCodeLength(Int)

    public var what: String {
        switch self {
        case .noAdapter(let adapter): "there is no Bluetooth adapter \(adapter)"
        case .notPermitted(let adapter): "this process does not have permission to connect through \(adapter)"
        case .controllerIsMute(let adapter): "\(adapter) does not answer"
        case .controllerRefused(let adapter, let status):
            "\(adapter) refused the connection request with status \(status)"
        case .cannotConnect(let adapter): "\(adapter) can scan, but cannot connect, with the extended commands"
        case .system(let error): error.what
        case .notReached: "the peer was not reached in time"
        case .connectionLost: "the connection was lost"
        case .cancelled: "the exchange was cancelled"
        case .tooSlow(let step): "the peer was too slow while \(step.rawValue)"
        case .tooManyPDUs: "the peer sent too many PDUs"
        case .malformed(let opcode?, let defect):
            "the peer sent a malformed PDU with opcode \(opcode): \(defect.rawValue)"
        case .malformed(nil, let defect): "the peer sent a malformed PDU: \(defect.rawValue)"
        case .unexpected(let opcode, let step): "the peer sent a PDU with opcode \(opcode) while \(step.rawValue)"
        case .refused(let step, let reason): "the peer answered with error \(reason) while \(step.rawValue)"
        case .noService: "the peer does not have the app's service"
        case .noCharacteristic: "the peer's service has no characteristic with a code"
        case .wrongCodeLength(let count): "the peer's code has \(count) bytes; expected 8"
        }
    }

    public var meaning: String? {
        switch self {
        case .notPermitted: "raw HCI requires the capability CAP_NET_RAW"
        case .controllerRefused(_, 0x0C): "it cannot connect while scanning, or another program is connecting"
        case .cannotConnect: "no codes can be exchanged through this adapter; scanning is not affected"
        default: nil
        }
    }

    public var remedy: String? {
        switch self {
        case .controllerRefused(_, 0x0C), .cannotConnect: "use another adapter, or disable the exchange"
        default: nil
        }
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus { .unavailable }
}

/// The format error in a PDU.
public enum ATTDefect: String, Equatable, Sendable {
    /// The PDU is empty.
    case empty
    /// The PDU is shorter than its opcode requires.
    case tooShort = "too short"
    /// The PDU is longer than its opcode or the MTU allows.
    case tooLong = "too long"
    /// The PDU is a list that does not end with a whole entry.
    case raggedList = "a list length that is not a multiple of its entries"
    /// Handles are not in ascending order, or outside of the requested range.
    case impossibleHandles = "handles out of order or range"
    /// The peer's MTU is below 23, the smallest that is allowed.
    case smallMTU = "an MTU below 23"
}
