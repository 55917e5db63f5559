public import BeaconModel

/// A problem with the radio.
public enum ScannerError: OperatorError, Equatable {
    /// The kernel has no Bluetooth.
    case noBluetooth
    /// There is no such adapter.
    case noSuchAdapter(Adapter)
    /// No adapter has the requested address.
    case noAdapterWithAddress(String)
    /// The process lacks the privileges for the adapter.
    case notPermitted(Adapter)
    /// The adapter is switched off by rfkill.
    case blocked(Adapter)
    /// The adapter was removed.
    case removed(Adapter)
    /// The adapter is not powered.
    case down(Adapter)
    /// The controller does not answer a command.
    case notAnswering(Adapter, command: String)
    /// The controller reported a hardware error.
    case hardwareError(Adapter, code: UInt8)
    /// The controller answers but receives none of the transmitted packets.
    case silent(Adapter)
    /// No program scans, on a path that only listens.
    case nobodyScans(Adapter)
    /// Another program has the adapter for itself.
    case busy(Adapter)
    /// The controller refused a command.
    case refused(Adapter, command: String, status: UInt8)
    /// A system call failed.
    case system(Adapter, SystemError)
    /// There is no D-Bus system bus. `error` is the name of the D-Bus error.
    case noSystemBus(Adapter, error: String)
    /// bluetoothd is not on the bus, or has left it.
    case noBluetoothService(Adapter)
    /// The adapter is off, or was switched off by another program.
    case poweredOff(Adapter)
    /// bluetoothd does not allow this user to scan.
    case serviceNotPermitted(Adapter)
    /// bluetoothd does not answer a call.
    case serviceNotAnswering(Adapter, call: String)
    /// bluetoothd answered a call with the named error.
    case serviceRefused(Adapter, call: String, error: String)

    public var what: String {
        switch self {
        case .noBluetooth: "this kernel does not support Bluetooth"
        case .noSuchAdapter(let adapter): "there is no Bluetooth adapter \(adapter)"
        case .noAdapterWithAddress(let address): "there is no Bluetooth adapter with the address \(address)"
        case .notPermitted(let adapter): "this process does not have permission to use \(adapter)"
        case .blocked(let adapter): "\(adapter) is blocked by rfkill"
        case .removed(let adapter): "\(adapter) was removed"
        case .down(let adapter): "\(adapter) was switched off"
        case .hardwareError(let adapter, let code): "the hardware of \(adapter) failed (code \(code))"
        case .silent(let adapter): "\(adapter) does not receive anything"
        case .nobodyScans(let adapter): "no program is scanning with \(adapter)"
        case .busy(let adapter): "\(adapter) is in use by another program"
        case .notAnswering(let adapter, let command): "\(adapter) does not answer \"\(command)\""
        case .refused(let adapter, let command, let status):
            "\(adapter) refused \"\(command)\" with status 0x" + (status < 16 ? "0" : "") + String(status, radix: 16)
        case .system(let adapter, let error): "\(adapter): \(error.what)"
        case .noSystemBus(let adapter, let error): "\(adapter): there is no D-Bus system bus (\(error))"
        case .noBluetoothService(let adapter): "\(adapter): bluetoothd is not running"
        case .poweredOff(let adapter): "\(adapter) is switched off"
        case .serviceNotPermitted(let adapter):
            "this process does not have permission to use \(adapter) through bluetoothd"
        case .serviceNotAnswering(let adapter, let call): "\(adapter): bluetoothd does not answer \(call)"
        case .serviceRefused(let adapter, let call, let error):
            "\(adapter): bluetoothd refused \(call) with \(error)"
        }
    }

    public var meaning: String? {
        switch self {
        case .notPermitted: "raw HCI requires the capabilities CAP_NET_RAW and CAP_NET_ADMIN"
        case .blocked: "a switch, a key or a setting has turned the radio off"
        case .removed: "the adapter was unplugged, or its driver was unloaded"
        case .notAnswering: "the controller's firmware is not responding"
        case .refused(_, _, 0x0C): "another program is using the controller in a way that prevents scanning"
        case .down: "another program switched it off, or bluetoothd was stopped"
        case .hardwareError: "the kernel resets the controller; scanning resumes automatically"
        case .silent: "it answers commands, but beacons that must be present are not received"
        case .nobodyScans: "with path \"monitor\" another program must be scanning"
        case .busy: "one of the two requests exclusive use of the adapter, by the kernel's user channel"
        case .noSystemBus, .noBluetoothService: "without it, or the capabilities for raw HCI, nothing can be received"
        case .poweredOff: "it was switched off through bluetoothd, is blocked by rfkill, or is being unplugged"
        case .serviceNotPermitted: "a policy in /etc/dbus-1/system.d denies this user access to org.bluez"
        case .serviceNotAnswering: "bluetoothd, the bus or the controller's firmware is not responding"
        case .serviceRefused(_, _, "org.bluez.Error.InProgress"):
            "bluetoothd is still stopping an earlier discovery, or has just started; this takes about 10 s"
        case .serviceRefused(_, "Set", _): "it cannot switch the adapter on; usually it is blocked by rfkill"
        case .noBluetooth, .noSuchAdapter, .noAdapterWithAddress, .refused, .system, .serviceRefused: nil
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
        case .down(let adapter):
            "sudo hciconfig \(adapter) up, if the gateway does not do so itself; check `rfkill` if that fails"
        case .hardwareError: "if the error recurs, try another USB port, a powered hub, or another adapter"
        case .nobodyScans: "start a program that scans, or set radio.path to \"raw\""
        case .busy: "stop the other program (`sudo systemctl stop bluetooth`), or set radio.path to \"raw\""
        case .refused(_, _, 0x0C): "stop other scanners; run `sudo systemctl stop bluetooth` if nothing else needs it"
        case .noSystemBus, .noBluetoothService:
            "sudo setcap cap_net_raw,cap_net_admin+ep $(command -v beacon-gateway); or sudo systemctl start bluetooth"
        case .poweredOff(let adapter): "bluetoothctl power on, if \(adapter) is its adapter"
        case .serviceNotPermitted: "run as a user whom the policy allows to use org.bluez"
        case .serviceNotAnswering: "sudo systemctl restart bluetooth; if that fails plug the adapter in again"
        case .serviceRefused(_, "Set", _): "rfkill list bluetooth, and sudo rfkill unblock bluetooth"
        case .refused, .system, .serviceRefused: nil
        }
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus {
        switch self {
        case .notPermitted, .serviceNotPermitted: .permission
        case .noBluetooth, .noSuchAdapter, .noAdapterWithAddress, .blocked, .removed, .down, .nobodyScans, .busy,
            .noSystemBus, .noBluetoothService, .poweredOff:
            .unavailable
        case .notAnswering, .hardwareError, .silent, .refused, .system, .serviceNotAnswering, .serviceRefused:
            .inputOutput
        }
    }

    /// The corresponding reason in `RadioState`.
    public var reason: RadioState.Reason {
        switch self {
        case .noSuchAdapter, .noAdapterWithAddress, .noBluetooth: .noSuchAdapter
        case .notPermitted, .serviceNotPermitted: .notPermitted
        case .blocked: .blocked
        case .removed: .removed
        case .down, .poweredOff: .down
        case .notAnswering, .serviceNotAnswering: .notAnswering
        case .hardwareError: .hardwareError
        case .silent: .silent
        case .nobodyScans: .scanStopped
        case .busy: .busy
        case .noSystemBus, .noBluetoothService: .noService
        case .refused, .system, .serviceRefused: .failed
        }
    }
}
