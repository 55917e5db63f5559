import BeaconModel
import HCI
import SystemIO
import Testing

@Suite("CaptureError")
struct CaptureErrorTests {
    @Test("A truncated capture is told with its byte, what it means and what to do")
    func truncated() {
        #expect(
            CaptureError.truncated(path: "x.btsnoop", byte: 1234).description == """
                x.btsnoop ends inside the record at byte 1234
                  it means: everything before that byte was used, nothing after it
                  what to do: the recording may still have been in progress; stop the recorder first
                """)
    }

    @Test("Bad data and a failing disk have different exit statuses")
    func exitStatus() {
        #expect(CaptureError.notBTSnoop(path: "x").exitStatus == .data)
        #expect(CaptureError.damaged(path: "x", byte: 16, length: 1).exitStatus == .data)
        #expect(CaptureError.unreadable(SystemError("read x", errorNumber: 5)).exitStatus == .inputOutput)
    }
}
