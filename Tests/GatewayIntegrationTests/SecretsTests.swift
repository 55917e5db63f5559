import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Gateway

/// Everything that the built program says, while it works and when it fails, searched for what it was told in confidence.
@Suite(
    "What the gateway is told in confidence", .timeLimit(.minutes(10)),
    .unsanitized("a crash is reported by the sanitizer, not by Swift"))
struct SecretsTests {
    private static let password = "pw-Zf7Qk2Lm9Rt4"
    private static let preSharedKey = "5ec7e7a11b2c3d4e5f60718293a4b5c6"
    private static let pseudonymKey = "pseudonym-key-Hx3Vb8Nc1Wd6"

    enum Way: CaseIterable { case preSharedKey, certificates }

    /// Looks for secrets in whatever comes out.
    private struct Search {
        var secrets: [String]

        init(_ secrets: [String]) {
            // As text, and as hexadecimal digits in the two ways in which a memory dump is written.
            self.secrets = secrets.flatMap { secret in
                let digits = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
                // Eight bytes are enough to know it by.
                return [secret, digits.prefix(8).joined(), digits.prefix(8).joined(separator: " ")]
            }
        }

        func expectNone(in texts: [String], _ place: String, location: SourceLocation = #_sourceLocation) {
            for (index, secret) in secrets.enumerated() {
                let lines = texts.filter { $0.contains(secret) }
                #expect(lines.isEmpty, "secret \(index) in \(place): \(lines.first ?? "")", sourceLocation: location)
            }
        }
    }

    /// A broker with a plain listener for those who watch, and one for the gateway.
    private func withBroker(
        _ way: Way, _ body: (TestBroker, _ mqtt: String, _ keyLine: String?) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let port = try LoopbackSocket.freePorts(1)[0]
        let passwords = try directory.write("passwords", "gateway:\(Self.password)\n")
        #expect(try await ChildProcess.run("mosquitto_passwd", ["-U", passwords]).status == 0)
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        let client = try await certificates.client("gateway")
        let keys = try directory.write("keys", "gateway:\(Self.preSharedKey)\n")
        let listener =
            way == .preSharedKey
            ? "psk_hint beacons\npsk_file \(keys)"
            : "cafile \(certificates.authority)\ncertfile \(server.certificate)\nkeyfile \(server.key)\n"
                + "require_certificate true"
        let lines = """
            allow_anonymous true
            user root
            password_file \(passwords)
            listener \(port) 127.0.0.1
            \(listener)
            """
        let secretFile = try directory.write("password", Self.password + "\n")
        let keyFile = try directory.write("psk", Self.preSharedKey + "\n")
        let mqtt =
            """
            [metrics]
            listen = "off"
            [mqtt]
            host = "127.0.0.1"
            port = \(port)
            username = "gateway"
            password-file = "\(secretFile)"
            [mqtt.tls]

            """
            + (way == .preSharedKey
                ? "psk-identity = \"gateway\"\npsk-file = \"\(keyFile)\"\n"
                : "ca-file = \"\(certificates.authority)\"\ncertificate-file = \"\(client.certificate)\"\n"
                    + "key-file = \"\(client.key)\"\n")
        let key = String(decoding: try FileContents.read(client.key, limit: 10_000), as: UTF8.self)
        let keyLine = key.split(separator: "\n").dropFirst().first.map(String.init)
        try await TestBroker.with(configuration: lines) { broker in
            try await body(broker, mqtt, way == .certificates ? keyLine : nil)
        }
    }

    private func writeConfiguration(_ directory: TemporaryDirectory, mqtt: String) throws -> String {
        let pseudonymKey = try directory.write("pseudonym-key", Self.pseudonymKey)
        return try directory.write(
            "gateway.toml",
            """
            [place]
            site = "s"
            building = "b"
            floor = "1"
            gateway = "g"
            \(mqtt)
            [beacons]
            uuids = ["\(DemoBuilding.badgeUUID)"]
            [phones]
            pseudonym-key-file = "\(pseudonymKey)"
            [place.beacon]
            uuid = "\(DemoBuilding.badgeUUID)"
            major = 1
            minor = 1
            [state]
            directory = "\(directory.path)"
            """)
    }

    @Test(
        "No secret is in the log at its finest, in the process table, in any message, or in the report of a crash",
        arguments: Way.allCases)
    func nowhere(_ way: Way) async throws {
        try await withBroker(way) { broker, mqtt, keyLine in
            let directory = try TemporaryDirectory()
            let configuration = try writeConfiguration(directory, mqtt: mqtt)
            let search = Search([Self.password, Self.preSharedKey, Self.pseudonymKey] + (keyLine.map { [$0] } ?? []))
            let messages = try await broker.subscribe(to: "#")
            let gateway = try ChildProcess(
                BuiltProgram.path("beacon-gateway"),
                ["run", "--config", configuration, "--simulated-reports", "20", "--log-level", "trace"],
                environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,threads=all,registers=all,cache=no"])
            var seen: [String] = []
            while let line = await messages.first() {
                seen.append(line)
                if line.contains("/interaction {") { break }
            }
            #expect(seen.contains { $0.contains("/info {") })
            for file in ["cmdline", "environ"] {
                let contents = try FileContents.read("/proc/\(gateway.identifier)/\(file)", limit: 1_000_000)
                search.expectNone(in: [String(decoding: contents, as: UTF8.self)], file)
            }
            gateway.send(signal: SIGABRT)
            var log: [String] = []
            while let line = await gateway.errorOutput.first() {
                log.append(line)
                if line.contains("Backtrace took") { break }
            }
            // A signal that was sent by another process ends none that is reported by the runtime.
            gateway.send(signal: SIGKILL)
            log += await gateway.errorOutput.all() + gateway.output.all()
            _ = await gateway.exitStatus()
            // The broker says that it is lost.
            while let line = await messages.first() {
                seen.append(line)
                if line.contains(#""state":"lost""#) { break }
            }
            #expect(log.contains { $0.contains("connected to the broker") }, "it logged")
            #expect(log.contains { $0.contains("Backtrace took") }, "it reported the crash")
            search.expectNone(in: seen, "messages")
            search.expectNone(in: log, "log and crash report")
        }
    }

    @Test("No secret is in what is said of a configuration that is wrong, of a broker that refuses, or by doctor")
    func errors() async throws {
        try await TestBroker.with(configuration: "allow_anonymous false") { broker in
            let directory = try TemporaryDirectory()
            let password = try directory.write("password", Self.password + "\n")
            // No hexadecimal digits: it is refused, and not repeated.
            let key = try directory.write("psk", "not-hex-" + Self.preSharedKey + "\n")
            let mqtt =
                "[mqtt]\nhost = \"127.0.0.1\"\nport = \(broker.port)\nusername = \"gateway\"\npassword-file = \"\(password)\"\n"
            let search = Search([Self.password, Self.preSharedKey, Self.pseudonymKey])
            let program = BuiltProgram.path("beacon-gateway")

            let refused = try writeConfiguration(
                directory, mqtt: mqtt + "[mqtt.tls]\npsk-identity = \"gateway\"\npsk-file = \"\(key)\"\n")
            let check = try await ChildProcess.run(program, ["run", "--check", "--config", refused])
            #expect(check.status == 78)
            #expect(check.errorOutput.contains { $0.contains("psk-file") })
            search.expectNone(in: check.output + check.errorOutput, "run --check")

            let configuration = try writeConfiguration(directory, mqtt: mqtt)
            let doctor = try await ChildProcess.run(program, ["doctor", "--config", configuration])
            search.expectNone(in: doctor.output + doctor.errorOutput, "doctor")

            let gateway = try ChildProcess(
                program, ["run", "--config", configuration, "--simulated-reports", "20", "--log-level", "trace"])
            var log: [String] = []
            while let line = await gateway.errorOutput.first() {
                log.append(line)
                if line.contains("broker connection failed") { break }
            }
            gateway.send(signal: SIGTERM)
            log += await gateway.errorOutput.all()
            _ = await gateway.exitStatus()
            search.expectNone(in: log, "log")
        }
    }

    @Test("A key that everybody may read is refused with what to do, and a certificate isn't")
    func openFiles() async throws {
        let directory = try TemporaryDirectory()
        let certificates = try await TestCertificates()
        let client = try await certificates.client("gateway")
        let mqtt = """
            [mqtt.tls]
            ca-file = "\(certificates.authority)"
            certificate-file = "\(client.certificate)"
            key-file = "\(client.key)"
            """
        let configuration = try writeConfiguration(directory, mqtt: mqtt)
        for path in [certificates.authority, client.certificate] { try #require(chmod(path, 0o644) == 0) }
        for (mode, status) in [(0o600, 0), (0o640, 0), (0o644, 78), (0o660, 78)] as [(mode_t, Int32)] {
            try #require(chmod(client.key, mode) == 0)
            let check = try await ChildProcess.run(
                BuiltProgram.path("beacon-gateway"), ["run", "--check", "--config", configuration])
            #expect(check.status == status, "\(check.errorOutput)")
            guard status != 0 else { continue }
            #expect(
                check.errorOutput.contains {
                    $0.contains("mqtt.tls.key-file: \(client.key) can be") && $0.contains("chmod u=rw,g=r,o= FILE")
                }, "\(check.errorOutput)")
        }
    }

    @Test("A key is refused whose directory others may write to, or that is another user's; by a link, too")
    func replaceableFiles() async throws {
        let directory = try TemporaryDirectory()
        let password = try directory.write("password", "pw-of-the-test")
        let link = try TemporaryDirectory()
        try #require(symlink(password, link.path + "/password") == 0)
        let mqtt = "[mqtt]\nusername = \"g\"\npassword-file = \"\(link.path)/password\"\n"
        let own = try TemporaryDirectory()
        let configuration = try writeConfiguration(own, mqtt: mqtt)
        func check() async throws -> (status: Int32, errorOutput: [String]) {
            let result = try await ChildProcess.run(
                BuiltProgram.path("beacon-gateway"), ["run", "--check", "--config", configuration])
            return (result.status, result.errorOutput)
        }
        for (mode, expected) in [(0o700, 0), (0o755, 0), (0o1777, 0), (0o777, 78), (0o775, 78)] as [(mode_t, Int32)] {
            try #require(chmod(directory.path, mode) == 0)
            let result = try await check()
            #expect(result.status == expected, "\(mode) \(result.errorOutput)")
            guard expected != 0 else { continue }
            let line = result.errorOutput.first { $0.contains("mqtt.password-file: \(link.path)/password can be") }
            #expect(line?.contains("chmod go-w DIRECTORY") == true, "\(result.errorOutput)")
        }
        try #require(chmod(directory.path, 0o700) == 0)
        // Nobody else gives files away.
        guard geteuid() == 0 else { return }
        try #require(chown(password, 65_534, 65_534) == 0)
        let result = try await check()
        #expect(
            result.status == 78 && result.errorOutput.contains { $0.contains("belongs to user 65534") }, "\(result)")
    }
}
