import BeaconModel
import ModuleDialogues
import ModuleEmulator
import TestValues
import Testing

@testable import Gateway

@Suite struct TransferBarTests {
    private static func progress(_ sent: Int, _ elapsed: Duration) -> TransferProgress {
        TransferProgress(sent: sent, total: 2000, repetitions: 0, elapsed: elapsed)
    }

    @Test("In a pipe there is a line every 10 %")
    func pipe() {
        var bar = TransferBar(isInteractive: false)
        let lines = (1...200).compactMap { bar.text(for: Self.progress($0 * 10, .milliseconds($0 * 10)), columns: 80) }
        #expect(lines.count == 10)
        #expect(lines.first == "transfer    10 %  200 of 2000 bytes  1.0 kB/s  2 s left\n")
        #expect(lines.last == "transfer   100 %  2000 of 2000 bytes  1.0 kB/s  0 s left\n")
        #expect(bar.end() == nil)
    }

    @Test("On a terminal one line is drawn anew, five times a second at most, and never longer than the terminal")
    func terminal() {
        var bar = TransferBar(isInteractive: true)
        let texts = (1...199).compactMap { bar.text(for: Self.progress($0 * 10, .milliseconds($0 * 10)), columns: 20) }
        #expect(texts.count == 10)
        #expect(texts.first == "\rtransfer     0 %  1\u{1B}[K")
        #expect(bar.end() == "\n")
        #expect(bar.end() == nil)
    }

    @Test("Nothing sent, nothing elapsed and nothing to send are no reason to trap")
    func edges() {
        var bar = TransferBar(isInteractive: true)
        #expect(bar.text(for: Self.progress(0, .zero), columns: 0) == "\rt\u{1B}[K")
        let nothing = TransferProgress(sent: 0, total: 0, repetitions: 0, elapsed: .zero)
        #expect(nothing.percent == 100)
        #expect(bar.text(for: nothing, columns: 80) != nil)
    }

    @Test("The estimate for an image of the manufacturer's size is what was measured by others: 3 to 10 minutes")
    func estimate() {
        let estimate = TransferEstimate((0..<1_667_888).map { UInt8(truncatingIfNeeded: $0) })
        #expect(estimate.text == "3 to 10 min at 115200 baud")
        #expect(TransferEstimate([0x23, 0x41]).packets == 1)
        #expect(TransferEstimate([UInt8](repeating: 0x80, count: 910)).packets == 20)
    }

    @Test("What is installed is told before the question; an unknown family is the person's to see to")
    func installed() throws {
        let image = try RPSImage(RPSFile(body: [1]).bytes)
        #expect(
            InstalledFirmware(version: "1610.2.5.2.0.4").line(for: image) == "installed  1610.2.5.2.0.4, family RS9116W"
        )
        let nothing =
            "installed  no working firmware; its family cannot be determined; make sure that it is an RS9116W "
            + "(silicon 1.3/1.4)"
        #expect(InstalledFirmware(version: nil).line(for: image) == nothing)
        #expect(InstalledFirmware(version: "17.1").line(for: image).contains("of an unknown family"))
    }
}
