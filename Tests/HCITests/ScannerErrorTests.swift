import BeaconModel
import Glibc
import SystemIO
import Testing

@testable import BlueZScanner
@testable import HCI

@Suite("ScannerError")
struct ScannerErrorTests {
    private let adapter = Adapter(index: 1)

    private func error(_ errorNumber: Int32) -> ScannerError {
        ScannerError(adapter, "LE Set Scan Enable", errorNumber: errorNumber)
    }

    @Test("The system's refusals are told apart, each with its exit status")
    func errorNumbers() {
        #expect(error(EAFNOSUPPORT).what == "this kernel does not support Bluetooth")
        #expect(error(ENODEV).what == "there is no Bluetooth adapter hci1")
        #expect(error(EPERM).exitStatus == .permission)
        #expect(error(EACCES).exitStatus == .permission)
        #expect(error(132).what == "hci1 is blocked by rfkill")
        #expect(error(EPIPE).exitStatus == .unavailable)
        #expect(error(ETIMEDOUT).what == "hci1 does not answer \"LE Set Scan Enable\"")
        #expect(error(EIO).exitStatus == .inputOutput)
    }

    @Test("An error that isn't known is told in the system's words")
    func otherErrorNumber() {
        #expect(error(EIO).what == "hci1: cannot LE Set Scan Enable: Input/output error (errno 5)")
    }

    @Test("A controller's refusal is told with its status in two digits")
    func refused() {
        let error = ScannerError.refused(adapter, command: "LE Set Scan Enable", status: 0x0C)
        #expect(error.what == "hci1 refused \"LE Set Scan Enable\" with status 0x0c")
        #expect(error.remedy != nil)
        #expect(ScannerError.refused(adapter, command: "X", status: 0x12).what.hasSuffix("status 0x12"))
    }

    @Test("Whoever may not use the adapter is told how to be allowed")
    func notPermitted() throws {
        #expect(try #require(ScannerError.notPermitted(adapter).remedy).contains("cap_net_raw,cap_net_admin+ep"))
    }

    @Test("What is wrong between this process and bluetoothd is told apart, each with its exit status")
    func busErrors() {
        func error(_ error: BusError) -> ScannerError { ScannerError(adapter, error) }
        #expect(error(.unreachable("org.x")).what == "hci1: there is no D-Bus system bus (org.x)")
        #expect(error(.lost).exitStatus == .unavailable)
        #expect(error(.noAnswer(call: "GetAll")).what == "hci1: bluetoothd does not answer GetAll")
        #expect(
            error(.refused(call: "X", error: "org.freedesktop.DBus.Error.AccessDenied")).exitStatus == .permission)
        #expect(
            error(.refused(call: "X", error: "org.freedesktop.DBus.Error.NameHasNoOwner")).what
                == "hci1: bluetoothd is not running")
        #expect(error(.refused(call: "X", error: "org.y")).what == "hci1: bluetoothd refused X with org.y")
    }
}
