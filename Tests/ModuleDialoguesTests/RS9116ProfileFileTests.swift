import BeaconModel
import Testing

@testable import ModuleDialogues

@Suite struct RS9116ProfileFileTests {
    private static let text = """
        # beacon-gateway module profile 1
        address = '88:DA:1A:E8:06:6F'
        firmware = '1610.2.5.2.0.4'
        date = '2020-11-15T12:00:00.000Z'
        usb = '0403:6001'

        [settled]
        handshake-0x7c = true
        non-connectable = false

        [[finding]]
        question = 'non-connectable advertising'
        sent = 'at+rsibt_advertise=1,131,0,0,0,160,160,0,7\\r\\n'
        came = 'ERROR 4E11\\r\\n'
        milliseconds = 12
        conclusion = "ERROR 4E11, it doesn't"
        settles = 'non-connectable'
        holds = false

        """

    @Test("A profile is read, and written again as it was")
    func roundTrip() throws {
        let file = try RS9116ProfileFile(Array(Self.text.utf8))
        #expect(file.address == BluetoothAddress("88:DA:1A:E8:06:6F"))
        #expect(file.profile == RS9116Profile([.handshakeWith7C: true, .nonConnectable: false]))
        #expect(file.findings.first?.milliseconds == 12)
        #expect(file.text == Self.text)
    }

    @Test("Every assumption has a place in it")
    func assumptions() throws {
        for assumption in RS9116Assumption.allCases {
            for holds in [true, false] {
                let report = ProbeReport(profile: RS9116Profile([assumption: holds]))
                let file = RS9116ProfileFile(report, date: "2020-11-15T12:00:00.000Z")
                #expect(try RS9116ProfileFile(Array(file.text.utf8)).profile[assumption] == holds)
            }
            #expect(assumption.consequence(holds: true) != assumption.consequence(holds: false))
        }
    }

    @Test(
        "What is wrong is named by its line, with what is allowed",
        arguments: [
            ("adress = 'x'", "must be one of address, firmware, date, usb"), ("address = 'x'", "must be six bytes"),
            ("firmware = 1610", "must be a string"), ("firmware = 'a\\'b'", "must be a string"),
            ("[unsettled]", "must be [settled] or [[finding]]"), ("nonsense", "must be `key = value`"),
            ("[settled]\nhandshake-0x7d = true", "must be one of handshake-0x7c"),
            ("[settled]\nhandshake-0x7c = yes", "must be true or false"),
            ("[settled]\nsoft-reset = true\nsoft-reset = true", "must occur once"),
            ("[[finding]]\nmilliseconds = -1", "must be from 0"), ("firmware = '\u{1B}[31m'", "must be text"),
        ])
    func wrong(lines: String, allowed: String) {
        do {
            _ = try RS9116ProfileFile(Array(("# beacon-gateway module profile 1\n" + lines + "\n").utf8))
            Issue.record("taken: \(lines)")
        } catch {
            guard case .line(let number, _, let text) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(number == lines.split(separator: "\n").count + 1)
            #expect(text.contains(allowed), "\(text)")
        }
    }

    @Test("Other files are no profiles")
    func otherFiles() {
        for text in ["", "hello", "# beacon-gateway module profile 2\n"] {
            #expect(throws: ModuleProfileError.noProfile) { () throws -> Void in
                _ = try RS9116ProfileFile(Array(text.utf8))
            }
        }
        #expect(throws: ModuleProfileError.tooLong) { () throws -> Void in
            _ = try RS9116ProfileFile([UInt8](repeating: 0x0A, count: RS9116ProfileFile.longestFile + 1))
        }
    }
}
