import Testing
import Watching

@Suite struct ServiceMessageTests {
    @Test("Messages have the form of sd_notify(3)")
    func form() {
        #expect(ServiceMessage.ready(status: "receiving").text == "READY=1\nSTATUS=receiving")
        #expect(ServiceMessage.watchdog.text == "WATCHDOG=1")
        #expect(ServiceMessage.reloading(monotonicMicroseconds: 12).text == "RELOADING=1\nMONOTONIC_USEC=12")
        #expect(ServiceMessage.stopping(status: "s").text == "STOPPING=1\nSTATUS=s")
        #expect(
            ServiceMessage.extendTimeout(.milliseconds(15_500), status: "s").text
                == "EXTEND_TIMEOUT_USEC=15500000\nSTATUS=s")
    }

    @Test("A status with line breaks sets nothing else")
    func injection() {
        #expect(ServiceMessage.status("a\nREADY=1").text == "STATUS=a?READY=1")
    }

    @Test("A duration of any length is sent", arguments: [Duration.seconds(-1), .seconds(Int64.max)])
    func bounds(duration: Duration) {
        #expect(ServiceMessage.extendTimeout(duration, status: "").text.hasPrefix("EXTEND_TIMEOUT_USEC="))
    }
}
