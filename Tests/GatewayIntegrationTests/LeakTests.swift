import BeaconModel
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Gateway
@testable import GatewayCoreTests

/// Known addresses go in; everything that comes out is searched for them (DESIGN.md, section 8).
@Suite("Addresses of strangers' devices", .timeLimit(.minutes(10)))
struct LeakTests {
    private static let stranger = BeaconID(
        uuid: ProximityUUID(bits: 0x0123_4567_89AB_CDEF_1032_5476_98BA_DCFE), major: 4711, minor: 1147)
    private static let addresses: [[UInt8]] = [
        Capture.badgeAddress, [0xDE, 0xAD, 0xBE, 0xEF, 0x5A, 0xA5], [0x7A, 0x1B, 0x2C, 0x3D, 0x4E, 0x5F],
        [0x4F, 0x8E, 0x6D, 0x7C, 0x5B, 0x3A],
    ]

    /// Each address as text with and without separators and in either order, and in Base64.
    private static func traces(of address: [UInt8]) -> [String] {
        [address, Array(address.reversed())].flatMap { bytes in
            [bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), base64(bytes)]
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return String(
            stride(from: 0, to: bytes.count - 2, by: 3).flatMap { start in
                let word = bytes[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
                return [18, 12, 6, 0].map { alphabet[word >> $0 & 63] }
            })
    }

    private func expectNone(
        of addresses: [[UInt8]], in contents: [UInt8], _ place: String, location: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: contents, as: UTF8.self)
        let digits = text.lowercased().filter { !":-_. ".contains($0) }
        for address in addresses {
            for trace in Self.traces(of: address) {
                let isThere = trace.count == 8 ? text.contains(trace) : digits.contains(trace)
                #expect(!isThere, "\(trace) in \(place)", sourceLocation: location)
            }
            // A byte that is there often says nothing.
            for bytes in [address, Array(address.reversed())] where Set(bytes).count == bytes.count {
                let isThere = contents.indices.contains { contents[$0...].starts(with: bytes) }
                #expect(!isThere, "\(address) as bytes in \(place)", sourceLocation: location)
            }
        }
    }

    /// Everything in the state directory but what the test has put there.
    private func expectNone(of addresses: [[UInt8]], inFilesOf directory: TemporaryDirectory, but own: Set<String>)
        throws
    {
        let names = directory.names.filter { !own.contains($0) }
        #expect(!names.isEmpty)
        for name in names {
            guard let contents = try? FileContents.read(directory.path + "/" + name, limit: 100_000_000) else {
                continue
            }
            expectNone(of: addresses, in: contents, name)
        }
    }

    @Test("Neither a stranger's address nor identity, nor a phone's, is in anything that a replayed capture makes")
    func replay() async throws {
        var capture = Capture()
        for _ in 0..<60 {
            capture.addBeacon(address: Self.addresses[0], after: .milliseconds(500))
            capture.addBeacon(Self.stranger, address: Self.addresses[1], after: .milliseconds(100))
            capture.addPhone(0x5A, address: Self.addresses[2], after: .milliseconds(100))
            // A device that says its name.
            let name = Array("Anna's phone".utf8)
            capture.addReport(
                data: [UInt8(name.count + 1), 0x09] + name, rssi: -50, address: Self.addresses[3],
                after: .milliseconds(100))
        }
        let bytes = capture.bytes
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let key = try directory.write("pseudonym-key", "0123456789abcdef0123")
            let configuration = try directory.writeConfiguration(
                brokerPort: broker.port,
                further: """
                    [phones]
                    pseudonym-key-file = "\(key)"
                    [place.beacon]
                    uuid = "7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3"
                    major = 1
                    minor = 1
                    """)
            let file = try directory.write("capture.btsnoop", bytes)
            let messages = try await broker.subscribe(to: "#")
            let run = try await ChildProcess.run(
                BuiltProgram.path("beacon-gateway"), ["replay", file, "--config", configuration, "--publish"])
            #expect(run.status == 0, "\(run.errorOutput)")
            await broker.kill()
            let seen = await messages.all()
            #expect(seen.contains { $0.contains("/\(Capture.badge.major)/\(Capture.badge.minor)/interaction {") })
            #expect(seen.contains { $0.contains("\"kind\":\"exposure-notification\"") }, "\(seen.last ?? "")")
            let everything = Array((seen + run.output + run.errorOutput).joined(separator: "\n").utf8)
            expectNone(of: Self.addresses, in: everything, "messages and output")
            let text = String(decoding: everything, as: UTF8.self).lowercased()
            for trace in ["01234567-89ab", "4711", "anna", String(repeating: "5a", count: 8)] {
                #expect(!text.contains(trace), "\(trace)")
            }
        }
    }

    @Test("No address is in a running gateway's messages, its log, or the files that it keeps, whatever is switched on")
    func running() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(
                brokerPort: broker.port, uuid: DemoBuilding.badgeUUID,
                further: """
                    [interactions]
                    update-interval = "1s"
                    [home-assistant]
                    [mqtt-room]
                    interval = "1s"
                    [homie]
                    [raddec]
                    interval = "1s"
                    [[known-beacons]]
                    uuid = "\(DemoBuilding.badgeUUID)"
                    major = 9
                    minor = 1
                    name = "badge"
                    """)
            let messages = try await broker.subscribe(to: "#")
            let gateway = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "20"])
            var seen: [String] = []
            var missing = [
                "/interaction {", "/presence {", "/raddec {", "espresense/devices/", "homie/5/", "/health {",
            ]
            while !missing.isEmpty, let line = await messages.first() {
                seen.append(line)
                missing.removeAll { line.contains($0) }
            }
            // As it lies there while it runs, with what isn't published yet.
            let own: Set<String> = ["gateway.toml"]
            // Of the simulated crowd.
            let addresses: [[UInt8]] = [[0xC0, 0, 0, 0, 0, 1]]
            try expectNone(of: addresses, inFilesOf: directory, but: own)
            gateway.send(signal: SIGTERM)
            let log = await gateway.errorOutput.all() + gateway.output.all()
            #expect(await gateway.exitStatus() == 0)
            await broker.kill()
            seen += await messages.all()
            expectNone(of: addresses, in: Array(seen.joined(separator: "\n").utf8), "messages")
            expectNone(of: addresses, in: Array(log.joined(separator: "\n").utf8), "log")
            try expectNone(of: addresses, inFilesOf: directory, but: own)
        }
    }
}
