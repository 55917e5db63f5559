public import BeaconModel

/// The reason why a module could not be made to advertise.
public enum ProvisioningError: OperatorError, Equatable {
    /// The module does not answer at any baud rate.
    case silent
    /// Bytes were received, but none that such a module sends.
    case unintelligible(bytes: Int)
    /// The boot loader shows no menu.
    case noMenu
    /// The boot loader did not load the firmware.
    case firmwareNotLoaded
    /// The firmware answers but does not return to its boot loader.
    case doesNotReset
    /// The firmware answered and was reset, and there has been no answer since.
    case silentSinceReset
    /// The module refused a command.
    case refused(command: String, purpose: String, code: RS9116ErrorCode)
    /// The module did not answer a command in time.
    case timedOut(command: String, purpose: String)
    /// The firmware lacks a setting or does not keep it.
    case settingRefused(command: String)
    /// The module reported something other than a Bluetooth address as its address.
    case unintelligibleAddress(String)
    /// The module can only advertise connectably, and whenever it does, this or another central connects to it and
    /// stops it.
    case keepsBeingConnected(by: BluetoothAddress?)
    /// The dialogue did not end in time.
    case tookTooLong(Duration)

    public var what: String {
        switch self {
        case .silent: "the module does not answer"
        case .unintelligible(let bytes): "the module sent \(bytes) unexpected bytes"
        case .noMenu: "the boot loader answered the handshake but showed no menu"
        case .firmwareNotLoaded: "the boot loader cannot load the firmware: it did not send \"Loading Done\""
        case .doesNotReset: "the module answers AT commands but does not reset"
        case .silentSinceReset: "the module answered AT commands, was reset, and has not answered since"
        case .refused(let command, let purpose, let code):
            "the module refused to \(purpose): ERROR \(code)" + (code.meaning.map { " (\($0))" } ?? "")
                + " to \(command)"
        case .timedOut(let command, let purpose): "no answer to \(command), which should \(purpose)"
        case .settingRefused(let command): "the module rejected \(command)"
        case .unintelligibleAddress(let text):
            "the module reports an invalid address: \(text.prefix(40).debugDescription)"
        case .keepsBeingConnected(let central):
            (central.map { "\($0)" } ?? "a central")
                + " connects to the module whenever it advertises, which stops it, and reconnects, or stays "
                + "connected, when it is disconnected"
        case .tookTooLong(let limit): "the module was not ready after \(limit.components.seconds) s"
        }
    }

    public var meaning: String? {
        switch self {
        case .silent:
            "it has no power, is not responding, is in binary mode or of another kind (--kind), or this is another "
                + "device's port"
        case .unintelligible:
            "another device or another kind of module (--kind) is on this port, or the cable or the power is bad"
        case .noMenu, .timedOut, .unintelligibleAddress, .tookTooLong:
            "bytes were lost, or the module reset itself (a weak power supply does that)"
        case .firmwareNotLoaded: "the firmware image in the module is missing or damaged"
        case .doesNotReset: "its firmware is not responding"
        case .silentSinceReset:
            "its firmware does not start, or starts without its boot loader (bypass mode) and is in binary mode now"
        case .keepsBeingConnected:
            "the module is not advertising; this firmware does not support non-connectable advertising"
        case .refused, .settingRefused:
            "this firmware does not support the command, or the value is out of range"
        }
    }

    public var remedy: String? {
        switch self {
        case .silent, .doesNotReset, .silentSinceReset:
            "press RESET on the module or unplug it and plug it in again, and repeat; see `ls -l /dev/serial/by-id`"
        case .unintelligible: "check the port with `ls -l /dev/serial/by-id`, then press RESET and repeat"
        case .noMenu, .timedOut, .unintelligibleAddress, .tookTooLong:
            "use a short, thick USB cable on a powered port, and repeat"
        case .keepsBeingConnected:
            "switch off Bluetooth of that phone or computer, or install firmware that can advertise non-connectably"
        case .firmwareNotLoaded: "write the firmware again: `beacon-gateway firmware update --help`"
        case .refused, .settingRefused:
            "check the interval, and the firmware version against the manufacturer's release notes"
        }
    }

    /// Whether the cause may be a device of another kind, whose answers are not understood.
    public var mayBeOfAnotherKind: Bool {
        switch self {
        case .silent, .unintelligible: true
        default: false
        }
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus { .unavailable }
}
