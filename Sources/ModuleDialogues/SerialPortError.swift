public import BeaconModel

/// An error on a serial port.
public enum SerialPortError: OperatorError {
    /// There is no such port.
    case notFound(path: String)
    /// This user cannot open the port.
    case notPermitted(path: String)
    /// Another program has the port.
    case busy(path: String)
    /// The file is not a serial port.
    case notASerialPort(path: String)
    /// The port does not support the baud rate.
    case wrongSpeed(path: String, baudRate: Int)
    /// The port was unplugged.
    case vanished(path: String)
    /// A system call failed.
    case system(path: String, SystemError)

    public var what: String {
        switch self {
        case .notFound(let path): "there is no serial port \(path)"
        case .notPermitted(let path): "this user does not have permission to open \(path)"
        case .busy(let path): "another program has \(path) open"
        case .notASerialPort(let path): "\(path) is not a serial port"
        case .wrongSpeed(let path, let baudRate): "the driver of \(path) does not support \(baudRate) baud"
        case .vanished(let path): "\(path) was disconnected"
        case .system(let path, let error): "\(path): \(error.what)"
        }
    }

    public var meaning: String? {
        switch self {
        case .notFound: "the module is not connected, or has another name now"
        case .busy: "a gateway keeps the ports of its modules open; ModemManager probes every new port"
        case .vanished: "the module was unplugged, or its USB interface was reset"
        default: nil
        }
    }

    public var remedy: String? {
        switch self {
        case .notFound, .notASerialPort: "list the ports with `ls -l /dev/serial/by-id` and use one of those names"
        case .notPermitted: "sudo usermod -aG dialout $USER, then log in again"
        case .busy(let path):
            "stop `beacon-gateway run`, or send it commands over MQTT; find the program with `sudo fuser -v \(path)`"
        case .wrongSpeed: "use the module's other USB connector, or another adapter"
        case .vanished: "plug it in again"
        case .system: nil
        }
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus {
        switch self {
        case .notPermitted: .permission
        case .notFound, .busy, .notASerialPort, .wrongSpeed: .unavailable
        case .vanished, .system: .inputOutput
        }
    }
}
