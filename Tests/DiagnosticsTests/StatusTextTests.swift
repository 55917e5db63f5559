import GatewayCore
import OperatorText
import RecordContract
import Testing

@testable import Diagnostics
@testable import GatewayCoreTests

@Suite("The state of a gateway in a terminal") struct StatusTextTests {
    private func lines(
        width: Int = 80, isColoured: Bool = false, _ change: (inout LocalFacts) -> Void = { _ in }
    ) throws -> [String] {
        StatusText(
            LocalStatus(try LocalStatusFixture.facts(change)), width: width, isColoured: isColoured
        ).lines
    }

    @Test func `It says first whether the gateway works, and what to do`() throws {
        let text = try lines().joined(separator: "\n")
        #expect(
            text == """
                gateway s/b/1/g does not work as it should
                  broker: cannot connect to broker.example:8883: Connection refused
                    what to do: start the broker
                  module hall: is not plugged in

                program     beacon-gateway 1.2.3 (abc1234), process 4711, up 1 h 1 min
                receiving   working
                storing     working
                delivering  working
                broker      not connected to broker.example:8883 since 2026-05-28T20:25:40Z:
                            cannot connect to broker.example:8883: Connection refused
                outbox      12 records, 4.1 kB of 50.0 MB, the oldest 1 min 1 s old, full in 8 d
                            2 h at this rate
                clock       synchronized

                MODULE  STATE        PORT          BEACON
                door    advertising  /dev/ttyUSB1  e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/1
                hall    absent       /dev/ttyUSB2  e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/2

                ADAPTER  STATE    REPORTS/S  PATH  SINCE
                hci0     hearing      112.4  raw   2026-05-28T20:26:40Z

                log level info
                latest warnings and errors:
                  2026-05-28T20:25:40Z warning: broker connection failed error=Connection
                    refused
                """)
    }

    @Test(arguments: [30, 40, 60, 80, 120])
    func `No line is wider than the terminal, but for words that are`(width: Int) throws {
        for line in try lines(width: width) where line.count > width {
            #expect(line.split(separator: " ").contains { $0.count > width - 14 }, "\(line)")
        }
    }

    @Test func `A gateway that has returned says from what, and why`() throws {
        let revision = try #require(ConfigurationRevision("4f2c9a1"))
        let digest = ConfigurationDigest(of: Array("a = 1\n".utf8))
        let time = LocalStatusFixture.time
        let text = try lines(width: 200) { facts in
            facts.configuration = RolloutState(
                time: time, boot: 7, version: "1.2.3", state: .returned, digest: digest, since: time,
                returned: .init(revision: revision, digest: digest), reason: "it was not confirmed within 60 s",
                obeys: true, works: true)
        }
        let expected =
            "configured  by its own file, returned from revision 4f2c9a1 since 2026-05-28T20:26:40Z: "
            + "it was not confirmed within 60 s"
        #expect(text.contains(expected), "\(text)")
    }

    @Test func `Only the verdict is coloured, and only where that is wanted`() throws {
        #expect(try lines().allSatisfy { !$0.contains("\u{1B}") })
        let coloured = try lines(isColoured: true)
        #expect(coloured[0] == "gateway s/b/1/g \u{1B}[1;31mdoes not work as it should\u{1B}[0m")
        #expect(coloured.dropFirst().allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func `Text from outside cannot control the terminal`() throws {
        let found = try lines {
            $0.logProblems[0].message = "bad\u{1B}[2Jname\nforged: line"
            $0.broker.lastError = ("a\u{1B}]0;b\u{7}", nil)
        }
        #expect(found.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    }

    @Test(
        arguments: [
            (0, "0 s"), (59.4, "59 s"), (60, "1 min"), (3599, "59 min 59 s"), (3661, "1 h 1 min"), (90_000, "1 d 1 h"),
            (1e300, "11574074 d 1 h"), (.nan, "0 s"),
        ] as [(Double, String)])
    func `A length of time has its two largest units`(seconds: Double, text: String) {
        #expect(StatusText.span(seconds) == text)
    }
}
