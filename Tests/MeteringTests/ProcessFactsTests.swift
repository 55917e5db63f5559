import Exposition
import Testing

@testable import Metering

@Suite struct ProcessFactsTests {
    @Test("The kernel's line is read, whatever the program's name is")
    func status() throws {
        let line =
            "4711 (a) b (c) S 1 4711 4711 0 -1 4194304 2000 0 0 0 150 50 0 0 20 0 7 0 123456 500000000 2560 "
            + "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0\n"
        let status = try #require(ProcessFacts.Status(line))
        #expect(status.cpuTicks == 200)
        #expect(status.threads == 7)
        #expect(status.startTicks == 123_456)
        #expect(status.residentPages == 2560)
    }

    @Test("A line that is no such line gives nothing", arguments: ["", "1 (x)", "1 (x) S 1 2 3", ") a b c"])
    func damaged(line: String) {
        #expect(ProcessFacts.Status(line) == nil)
    }
}
