import TestSupport
import Testing

@testable import GatewayCoreTests

/// `scan` of captures.
@Suite(.timeLimit(.minutes(10))) struct ScanCommandTests {
    @Test("scan prints an object a sighting; those of no known kind only with --all")
    func scanReplay() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addBeacon(rssi: -64)
        capture.addReport(data: [0x02, 0x01, 0x06], rssi: 127)
        let path = try directory.write("hall.btsnoop", capture.bytes)
        let beacon =
            #"{"adapter":"hall.btsnoop","address":"C0:11:22:33:44:01","kind":"ibeacon","major":7,"measuredPower":-59,"#
            + #""minor":2603,"rssi":-64,"time":"2020-11-15T12:00:00.000Z","uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"}"#
        let unknown =
            #"{"adapter":"hall.btsnoop","address":"C0:11:22:33:44:01","kind":"unknown","rssi":null,"#
            + #""time":"2020-11-15T12:00:00.000Z"}"#
        #expect(try await GatewayProgram.run(["scan", "--replay", path]).output == [beacon])
        #expect(try await GatewayProgram.run(["scan", "--replay", path, "--all"]).output == [beacon, unknown])
    }

    @Test("scan says of each kind what it has")
    func scanKinds() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addReport(
            data: [0x0A, 0x16, 0xAA, 0xFE, 0x10, 0x12, 0x03] + Array("a.b/".utf8), rssi: -64)
        capture.addReport(data: [0x0B, 0xFF, 0x4C, 0x00, 0x10, 0x06, 0x06, 0x1A, 0x39, 0x63, 0x63, 0xCE], rssi: -65)
        let path = try directory.write("hall.btsnoop", capture.bytes)
        let head = #"{"adapter":"hall.btsnoop","address":"C0:11:22:33:44:01","kind":"#
        let time = #""time":"2020-11-15T12:00:00.000Z""#
        let output = try await GatewayProgram.run(["scan", "--replay", path]).output
        #expect(
            output == [
                head + #""eddystone-url","rssi":-64,"# + time + #","txPower":18,"url":"https://a.b/"}"#,
                head + #""apple-device","rssi":-65,"# + time + #","type":16}"#,
            ])
    }

    @Test(
        "scan tells the adapters of a capture apart, has no address for who has none, and all of a beacon's telemetry"
    )
    func scanOfSeveralAdapters() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture(isOfMonitor: true)
        let telemetry: [UInt8] = [
            0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00, 0x0B, 0xB8, 0x16, 0x80, 0x00, 0x00, 0x00, 0x64, 0x00,
            0x00, 0x27, 0x11,
        ]
        // LE Extended Advertising Reports: from a random address, and anonymous with octets that mean nothing.
        for (adapter, addressKind) in [(0, 0x01), (3, 0xFF)] as [(UInt64, UInt8)] {
            let report =
                [
                    0x00, 0x00, addressKind, 1, 2, 3, 4, 5, 0xC6, 0x01, 0x00, 0x00, 0x7F, 0xC4, 0x00, 0x00,
                    0x00,
                ]
                + [UInt8](repeating: 0, count: 6) + [UInt8(telemetry.count)] + telemetry
            capture.add([0x04, 0x3E, UInt8(report.count + 2), 0x0D, 0x01] + report, adapter: adapter)
        }
        let path = try directory.write("hall.btsnoop", capture.bytes)
        let tail =
            #""advertisingCount":100,"batteryMillivolts":3000,"isEncrypted":false,"kind":"eddystone-tlm","rssi":-60,"#
            + #""temperature":22.5,"time":"2020-11-15T12:00:00.000Z","uptimeSeconds":1000.1}"#
        #expect(
            try await GatewayProgram.run(["scan", "--replay", path]).output == [
                #"{"adapter":"hci0","address":"C6:05:04:03:02:01","# + tail,
                #"{"adapter":"hci3","address":null,"# + tail,
            ])
    }

    @Test("A reader that goes away ends the output without an error")
    func closedPipe() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        for _ in 0..<20_000 { capture.addBeacon() }
        let path = try directory.write("capture", capture.bytes)
        let (status, output, errors) = try await ChildProcess.run(
            "bash", ["-c", "set -o pipefail; \(BuiltProgram.path("beacon-gateway")) scan --replay \(path) | head -n 1"])
        #expect(status == 0, "\(errors)")
        #expect(output.count == 1)
    }
}
