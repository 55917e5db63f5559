import TestSupport
import Testing

@testable import GatewayCoreTests

/// `replay` of captures.
@Suite(.timeLimit(.minutes(10))) struct ReplayCommandTests {
    @Test("The same capture gives the same records, byte for byte: started, updated, ended")
    func replay() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        for _ in 0..<50 { capture.addBeacon(after: .seconds(1)) }
        for index in 0..<20 { capture.addPhone(UInt8(index), address: [1, 2, 3, 4, 5, UInt8(index)]) }
        let path = try directory.write("capture", capture.bytes)
        let first = try await GatewayProgram.run(["replay", path])
        let second = try await GatewayProgram.run(["replay", path])
        #expect(first.status == 0)
        #expect(first.output == second.output)
        let badge = first.output.filter { $0.contains(#""kind":"gateway""#) }
        let kinds = badge.map {
            $0.contains("interaction.started") ? "s" : $0.contains("interaction.updated") ? "u" : "e"
        }
        #expect(kinds == ["s", "u", "e"])
        #expect(badge.last?.contains(#""samples":50"#) == true)
        let readings = first.output.filter { $0.contains(#""type":"readings""#) }
        #expect(readings.count == 1)
        #expect(first.output.count == 3 + 2 * 20 + readings.count)
        #expect(first.errorOutput.first == "70 reports: 50 iBeacon, 20 exposure notification, 0 of no known kind")
    }

    @Test("A capture that is cut off gives everything before the cut, and status 65 with the byte")
    func truncatedCapture() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addBeacon()
        let whole = capture.bytes.count
        capture.addBeacon(after: .seconds(1))
        let path = try directory.write("capture", Array(capture.bytes.dropLast(5)))
        let (status, output, errors) = try await GatewayProgram.run(["replay", path])
        #expect(status == 65)
        // A beginning, an end and a minute's readings.
        #expect(output.count == 3)
        #expect(errors.contains("error: \(path) ends inside the record at byte \(whole)"), "\(errors)")
    }

    @Test("replay --publish brings the records to the broker")
    func replayPublish() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            var capture = Capture()
            capture.addBeacon()
            let path = try directory.write("capture", capture.bytes)
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/beacon/#")
            let (status, output, errors) = try await GatewayProgram.run([
                "replay", path, "--config", configuration, "--publish",
            ])
            #expect(status == 0 && output.isEmpty, "\(errors)")
            #expect(errors.last == "3 records published")
            #expect(await received.first()?.contains("interaction.started") == true)
            #expect(await received.first()?.contains("interaction.ended") == true)
        }
    }

    @Test("With a configuration, strangers' beacons give no record")
    func replayListed() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addBeacon()
        capture.addPhone(1, address: [1, 2, 3, 4, 5, 6])
        let path = try directory.write("capture", capture.bytes)
        let configuration = try directory.writeConfiguration(brokerPort: 1)
        let (status, output, errors) = try await GatewayProgram.run(["replay", path, "--config", configuration])
        #expect(status == 0)
        // A beginning, an end and a minute's readings.
        #expect(output.count == 3)
        #expect(errors.contains { $0.hasPrefix("1 of them skipped") }, "\(errors)")
    }
}
