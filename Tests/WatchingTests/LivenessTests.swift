import Testing
import Watching

@Suite struct LivenessTests {
    @Test("A program is live only if all three parts work")
    func isLive() {
        #expect(Liveness(receiving: .working, storing: .working, delivering: .working).isLive)
        #expect(!Liveness(receiving: .working, storing: .working, delivering: .starting("x")).isLive)
        #expect(!Liveness(receiving: .failing(what: "x", remedy: nil), storing: .working, delivering: .working).isLive)
    }

    @Test("The status line of a live program names what works")
    func liveStatusLine() {
        let liveness = Liveness(receiving: .working, storing: .working, delivering: .working)
        #expect(liveness.statusLine == "receiving, storing, delivering")
    }

    @Test("The status line begins with what fails, and what to do")
    func failingStatusLine() {
        let liveness = Liveness(
            receiving: .failing(what: "hci0 is blocked by rfkill", remedy: "sudo rfkill unblock bluetooth"),
            storing: .working, delivering: .working)
        #expect(
            liveness.statusLine
                == "not receiving: hci0 is blocked by rfkill (what to do: sudo rfkill unblock bluetooth); "
                + "storing, delivering")
    }

    @Test("What is true of all parts is said once")
    func commonState() {
        let state = Working.starting("standby")
        #expect(Liveness(receiving: state, storing: state, delivering: state).statusLine == "standby")
    }

    @Test("The status line is one line of limited length, without control characters")
    func hostileText() {
        let text = "a\nb\u{1B}[2J" + String(repeating: "x", count: 10_000)
        let line = Liveness(receiving: .failing(what: text, remedy: nil), storing: .working, delivering: .working)
            .statusLine
        #expect(line.hasPrefix("not receiving: a?b?[2J"))
        #expect(line.unicodeScalars.count <= Liveness.longestStatus + 3)
    }
}
