import BeaconModel
import Glibc
package import ModuleDialogues
import SystemIO

extension SerialPortError {
    package init(_ path: String, _ operation: String, errorNumber: Int32) {
        self =
            switch errorNumber {
            case ENOENT, ENXIO, ENODEV: .notFound(path: path)
            case EISDIR: .notASerialPort(path: path)
            case EACCES, EPERM: .notPermitted(path: path)
            case EBUSY: .busy(path: path)
            case EIO: .vanished(path: path)
            default: .system(path: path, SystemError(operation, errorNumber: errorNumber))
            }
    }
}
