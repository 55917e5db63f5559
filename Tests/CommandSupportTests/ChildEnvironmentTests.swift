import BeaconModel
import SystemIO
import Testing

@Suite struct ChildEnvironmentTests {
    @Test(
        "Variables by which a program speaks to the service manager are for this process alone",
        arguments: ["NOTIFY_SOCKET=/run/systemd/notify", "WATCHDOG_USEC=1", "WATCHDOG_PID=2"])
    func own(variable: String) { #expect(ChildProgram.isOwn(variable)) }

    @Test("Other variables are inherited", arguments: ["PATH=/usr/bin", "NOTIFY_SOCKETS=x", "NOTIFY=NOTIFY_SOCKET="])
    func inherited(variable: String) { #expect(!ChildProgram.isOwn(variable)) }

    @Test("A boot identifier of the service manager has the kernel's form")
    func bootIdentifier() {
        #expect(
            ClockReading.dashed("0123456789abcdef0123456789abcdef") == "01234567-89ab-cdef-0123-456789abcdef")
        for text in ["", "0123", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcdeg"] {
            #expect(ClockReading.dashed(text) == nil)
        }
    }
}
