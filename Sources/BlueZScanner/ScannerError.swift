public import BeaconModel
import Glibc
public import SystemIO

/// Linux's error number for "not possible due to RF-kill", which Glibc's module leaves out.
private let erfkill: Int32 = 132

/// What can be wrong with the radio.
public enum ScannerError: OperatorError, Equatable {
    case noBluetooth
    case noSuchAdapter(Adapter)
    /// An adapter was asked for by its address.
    case noAdapterWithAddress(String)
    case notPermitted(Adapter)
    case blocked(Adapter)
    case removed(Adapter)
    case down(Adapter)
    case notAnswering(Adapter, command: String)
    case hardwareError(Adapter, code: UInt8)
    /// The controller answers, but nothing is heard of what is on the air.
    case silent(Adapter)
    /// On a path that only listens.
    case nobodyScans(Adapter)
    case busy(Adapter)
    case refused(Adapter, command: String, status: UInt8)
    case system(Adapter, SystemError)

    public var what: String {
        switch self {
        case .noBluetooth: "this kernel has no Bluetooth"
        case .noSuchAdapter(let adapter): "there is no Bluetooth adapter \(adapter)"
        case .noAdapterWithAddress(let address): "there is no Bluetooth adapter with the address \(address)"
        case .notPermitted(let adapter): "this process may not use \(adapter)"
        case .blocked(let adapter): "\(adapter) is blocked by rfkill"
        case .removed(let adapter): "\(adapter) is gone"
        case .down(let adapter): "\(adapter) was switched off"
        case .hardwareError(let adapter, let code): "the hardware of \(adapter) failed (code \(code))"
        case .silent(let adapter): "\(adapter) hears nothing of what is on the air"
        case .nobodyScans(let adapter): "nobody scans with \(adapter)"
        case .busy(let adapter): "\(adapter) is in use by another program"
        case .notAnswering(let adapter, let command): "\(adapter) doesn't answer \"\(command)\""
        case .refused(let adapter, let command, let status):
            "\(adapter) refused \"\(command)\" with status 0x" + (status < 16 ? "0" : "") + String(status, radix: 16)
        case .system(let adapter, let error): "\(adapter): \(error.what)"
        }
    }

    public var meaning: String? {
        switch self {
        case .notPermitted: "raw HCI needs the capabilities CAP_NET_RAW and CAP_NET_ADMIN"
        case .blocked: "a switch, a key or a setting has turned the radio off"
        case .removed: "the adapter was unplugged, or its driver was unloaded"
        case .notAnswering: "the controller's firmware hangs"
        case .refused(_, _, 0x0C): "another program is using the controller in a way that excludes ours"
        case .down: "another program did it, or bluetoothd ended"
        case .hardwareError: "the kernel resets the controller; scanning begins again by itself"
        case .silent: "it answers commands, and beacons that must be there aren't heard"
        case .nobodyScans: "with path \"monitor\" another program has to scan"
        case .busy: "path \"user-channel\" needs the adapter for itself"
        case .noBluetooth, .noSuchAdapter, .noAdapterWithAddress, .refused, .system: nil
        }
    }

    public var remedy: String? {
        switch self {
        case .noBluetooth: "load it with `sudo modprobe bluetooth`, or use a kernel that has CONFIG_BT"
        case .noSuchAdapter, .noAdapterWithAddress:
            "list the adapters with `ls /sys/class/bluetooth`, and choose one, or plug one in"
        case .notPermitted:
            "run as root, or once: sudo setcap cap_net_raw,cap_net_admin+ep $(command -v beacon-gateway)"
        case .blocked: "sudo rfkill unblock bluetooth"
        case .removed: "plug the adapter in again"
        case .notAnswering, .silent: "unplug the adapter and plug it in again"
        case .down: "nothing: it is switched on again by itself, unless rfkill blocks it"
        case .hardwareError: "if it comes again: another USB port, a powered hub, or another adapter"
        case .nobodyScans: "start what shall scan, or set radio.path to \"raw\""
        case .busy: "stop the other program (`sudo systemctl stop bluetooth`), or set radio.path to \"raw\""
        case .refused(_, _, 0x0C): "stop other scanners; `sudo systemctl stop bluetooth` if nothing else needs it"
        case .refused, .system: nil
        }
    }

    public var exitStatus: ExitStatus {
        switch self {
        case .notPermitted: .permission
        case .noBluetooth, .noSuchAdapter, .noAdapterWithAddress, .blocked, .removed, .down, .nobodyScans, .busy:
            .unavailable
        case .notAnswering, .hardwareError, .silent, .refused, .system: .inputOutput
        }
    }

    /// As the state of a radio names it.
    public var reason: RadioState.Reason {
        switch self {
        case .noSuchAdapter, .noAdapterWithAddress: .noSuchAdapter
        case .notPermitted: .notPermitted
        case .blocked: .blocked
        case .removed: .removed
        case .down: .down
        case .notAnswering: .notAnswering
        case .hardwareError: .hardwareError
        case .silent: .silent
        case .nobodyScans: .scanStopped
        case .busy: .busy
        case .noBluetooth, .refused, .system: .failed
        }
    }

    init(_ adapter: Adapter, _ operation: String, errorNumber: Int32) {
        self =
            switch errorNumber {
            case EAFNOSUPPORT: .noBluetooth
            case ENODEV, EINVAL: .noSuchAdapter(adapter)
            case EPERM, EACCES: .notPermitted(adapter)
            case erfkill: .blocked(adapter)
            case EPIPE: .removed(adapter)
            case ENETDOWN: .down(adapter)
            case EBUSY: .busy(adapter)
            case ETIMEDOUT: .notAnswering(adapter, command: operation)
            default: .system(adapter, SystemError(operation, errorNumber: errorNumber))
            }
    }

    static func wrap<Value>(
        _ adapter: Adapter, _ body: () throws(SystemError) -> Value
    ) throws(ScannerError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(adapter, error) }
    }
}
