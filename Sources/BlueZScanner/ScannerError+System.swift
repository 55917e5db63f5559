package import BeaconModel
import Glibc
package import HCI
import SystemIO

/// Linux error number for "Operation not possible due to RF-kill" (ERFKILL), which Glibc's module lacks.
private let erfkill: Int32 = 132

extension ScannerError {
    package init(_ adapter: Adapter, _ operation: String, errorNumber: Int32) {
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

    package init(_ adapter: Adapter, _ error: BusError) {
        self =
            switch error {
            case .unreachable(let name): .noSystemBus(adapter, error: name)
            case .lost: .noSystemBus(adapter, error: "it closed the connection")
            case .noAnswer(let call): .serviceNotAnswering(adapter, call: call)
            case .outOfMemory: .system(adapter, SystemError("use D-Bus", errorNumber: ENOMEM))
            case .refused(let call, let name):
                switch name {
                case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
                    "org.freedesktop.DBus.Error.NoReply":
                    .noBluetoothService(adapter)
                case "org.freedesktop.DBus.Error.UnknownObject": .noSuchAdapter(adapter)
                case "org.freedesktop.DBus.Error.AccessDenied": .serviceNotPermitted(adapter)
                case "org.bluez.Error.NotReady": .poweredOff(adapter)
                case "org.bluez.Error.Blocked": .blocked(adapter)
                default: .serviceRefused(adapter, call: call, error: name)
                }
            }
    }

    package static func wrap<Value>(
        _ adapter: Adapter, _ body: () throws(SystemError) -> Value
    ) throws(ScannerError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(adapter, error) }
    }
}
