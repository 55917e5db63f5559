import Glibc
import TestSupport
import Testing

/// What an installer reads after a mistake: what happened, and what to do.
@Suite("Mistakes in setup", .timeLimit(.minutes(10))) struct SetupMistakesTests {
    private typealias Site = SetupCommandTests.Site

    /// Runs setup, which must fail and change nothing.
    private func fail(
        _ site: SetupCommandTests.Site, _ answers: String, status expected: Int32 = 69, saying texts: String...
    ) async throws {
        let (status, output, errors) = try await site.run(answers)
        #expect(status == expected, "\(output) \(errors)")
        let said = errors.joined(separator: "\n")
        for text in texts { #expect(said.contains(text), "\(text) is missing in \(said)") }
        #expect(said.contains("what to do: "), "\(said)")
        #expect(!site.directory.names.contains("gateway.toml"))
    }

    @Test func `No broker: connection refused, and how one is started`() async throws {
        let site = try Site()
        let port = try await LoopbackSocket.withFreePorts(1) { $0[0] }
        try await fail(site, site.answers(port), saying: "Connection refused", "mosquitto")
    }

    @Test func `All wrong answers of a file at once, with the file, the keys and what to do`() async throws {
        let site = try Site()
        let answers = site.answers(1883, mqtt: "create-user = true")
            .replacing("\"127.0.0.1\"", with: "\"broker.example.org\"").replacing("d0f5a71096e0", with: "d0f5")
        try await fail(
            site, answers, status: 65,
            saying: "answers.toml has 2 problems",
            "answers.toml: mqtt.create-user: found true; must be false: the broker is not on this machine",
            "answers.toml: beacons.uuids: found")
    }

    @Test func `A host name that is unknown`() async throws {
        let site = try Site()
        let answers = site.answers(1883, mqtt: "username = \"none\"").replacing(
            "\"127.0.0.1\"", with: "\"no-such-host.invalid\"")
        try await fail(site, answers, saying: "no-such-host.invalid", "getent hosts", "correct mqtt.host")
    }

    @Test func `TLS at a port without it`() async throws {
        let site = try Site()
        try await TestBroker.with { broker in
            try await fail(
                site, site.answers(broker.port, mqtt: "tls = true"), saying: "check that the port is one for TLS")
        }
    }

    @Test func `No TLS at a port with it; an authority that is unknown; a CA file that isn't there`() async throws {
        let site = try Site()
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        let configuration = """
            allow_anonymous true
            user root
            cafile \(certificates.authority)
            certfile \(server.certificate)
            keyfile \(server.key)
            """
        try await TestBroker.with(configuration: configuration) { broker in
            try await fail(site, site.answers(broker.port), saying: "switch it on with the table [mqtt.tls]")
            try await fail(
                site, site.answers(broker.port, mqtt: "tls = true"), saying: "untrusted certificate", "mqtt.tls.ca-file"
            )
            try await fail(
                site, site.answers(broker.port, mqtt: "tls = true\nca-file = \"/none/ca.pem\""),
                saying: "/none/ca.pem", "PEM file")
            let (_, output, _) = try await site.run(
                site.answers(broker.port, mqtt: "tls = true\nca-file = \"\(certificates.authority)\""))
            #expect(output.contains { $0.contains("accepted the gateway") }, "\(output)")
        }
    }

    @Test func `A wrong password, and a user who may not publish or subscribe`() async throws {
        let site = try Site()
        try await DeployedBroker.with { broker in
            let port = broker.port(of: .gateways)
            func answers(_ user: String, _ password: String) -> String {
                site.answers(
                    port,
                    mqtt: """
                        tls = true
                        ca-file = "\(broker.directory.path)/ca.crt"
                        username = "\(user)"
                        password = "\(password)"
                        """)
            }
            try await fail(site, answers("s/b/1/g", "wrong"), saying: "Not authorized", "the users of the broker")
            // A user of another gateway.
            try await fail(
                site, answers("s/b/1/g", "secret"), saying: "beacons/v1/campus/main/1/east", "users.py")
        }
    }

    @Test func `A module that is silent, and a port that another program has`() async throws {
        let site = try Site()
        try await TestBroker.with { broker in
            try await fail(
                site,
                site.answers(broker.port, further: "[modules]\nports = [\"\(site.directory.path)/none\"]\n"),
                saying: "there is no serial port", "ls -l /dev/serial/by-id")
        }
    }

    @Test func `A directory that isn't there, before anything is asked`() async throws {
        let (status, _, errors) = try await GatewayProgram.run(["setup", "--config", "/none/gateway.toml"])
        #expect(status == 74)
        #expect(
            errors.first == "error: cannot write /none/gateway.toml: No such file or directory (errno 2)", "\(errors)")
        #expect(errors.contains { $0.hasPrefix("  what to do: create its directory") })
    }

    @Test func `A present configuration with mistakes is reported, and stays`() async throws {
        let site = try Site()
        _ = try site.directory.write("gateway.toml", "[place]\nsite = \"A\"\n")
        let (status, _, errors) = try await site.run(site.answers(1))
        #expect(status == 78)
        #expect(errors.contains { $0.contains("gateway.toml:2:1: place.site: found \"A\"") }, "\(errors)")
        #expect(errors.contains { $0.contains("move it away and run setup again") })
        #expect(try site.text() == "[place]\nsite = \"A\"\n")
    }

    @Test func `A running gateway is named, and its file is changed all the same`() async throws {
        let site = try Site()
        try await TestBroker.with { broker in
            _ = try await site.run(site.answers(broker.port))
            let gateway = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["run", "--config", site.configuration])
            _ = await gateway.errorOutput.first { $0.contains("starting") }
            let (_, output, _) = try await site.run(
                site.answers(broker.port).replacing("\"campus\"", with: "\"other\""))
            #expect(
                output.contains { $0.contains("beacon-gateway (process \(gateway.identifier)) is running already") },
                "\(output)")
            #expect(try site.text().contains("site = \"other\""))
            gateway.send(signal: SIGTERM)
            _ = await gateway.exitStatus()
        }
    }
}
