import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@Suite("deploy/mosquitto: listeners and who is let in", .timeLimit(.minutes(10)))
struct DeployedListenerTests {
    @Test("At each listener a user but a matcher is known by its own name alone")
    func otherListener() async throws {
        try await DeployedBroker.with { broker in
            for (user, own) in DeployedBroker.users where own != .matchers {
                for identifier in [user, "beacon-matcher-1"] {
                    let result = try await ChildProcess.run(
                        "mosquitto_pub",
                        broker.address(of: .matchers)
                            + ["-u", user, "-P", "secret", "-i", identifier, "-q", "1", "-t", "x", "-m", "x"])
                    #expect((result.status == 0) == (identifier == user), "\(user) as \(identifier)")
                }
            }
        }
    }

    @Test("Nobody comes without a name, or with a wrong password")
    func strangers() async throws {
        try await DeployedBroker.with { broker in
            for listener in DeployedBroker.Listener.allCases {
                let address = broker.address(of: listener)
                let anonymous = try await ChildProcess.run("mosquitto_pub", address + ["-t", "x", "-m", "x"])
                #expect(anonymous.status != 0)
                for (user, _) in DeployedBroker.users {
                    let wrong = try await ChildProcess.run(
                        "mosquitto_pub", address + ["-u", user, "-P", "wrong", "-t", "x", "-m", "x"])
                    #expect(wrong.status != 0)
                }
            }
        }
    }

    @Test(
        "The listeners for the network speak TLS, with a certificate that is checked",
        arguments: ["s/b/1/g", "analyst_reports"])
    func encrypted(user: String) async throws {
        try await DeployedBroker.with { broker in
            let port = broker.port(of: user.contains("/") ? .gateways : .people)
            func publish(_ arguments: [String]) async throws -> Int32 {
                try await ChildProcess.run(
                    "mosquitto_pub",
                    [
                        "-h", "localhost", "-p", "\(port)", "-u", user, "-P", "secret", "-q", "1",
                        "-t", DeployedBroker.own + "/status", "-m", "x",
                    ] + arguments
                ).status
            }
            let trusted = try await publish(["--cafile", broker.directory.path + "/ca.crt"])
            let ofOthers = try await publish(["--cafile", "/etc/ssl/certs/ca-certificates.crt"])
            let plain = try await publish([])
            #expect(trusted == 0)
            #expect(ofOthers != 0)
            #expect(plain != 0)
        }
    }

    // 1100 connections that said nothing had taken all the descriptors that the process has.
    @Test func `Whoever fills the people's listener keeps no gateway and no matcher out`() async throws {
        try await DeployedBroker.with { broker in
            var idle: [CInt] = []
            defer { for descriptor in idle { close(descriptor) } }
            func isLetIn(_ user: String) async throws -> Bool {
                try await broker.run("mosquitto_pub", as: user, ["-q", "1", "-t", "x", "-m", "y"]).status == 0
            }
            for _ in 0..<7 {
                for _ in 0..<50 { idle.append(try LoopbackSocket.connect(to: broker.port(of: .people))) }
                // The kernel keeps a hundred for mosquitto, which has taken those when it answers somebody else.
                _ = try await isLetIn("consumer_matcher")
            }
            let isFull = try await !isLetIn("analyst_reports")
            #expect(isFull)
            for user in ["s/b/1/g", "consumer_matcher"] {
                let isIn = try await isLetIn(user)
                #expect(isIn, "\(user)")
            }
        }
    }

    // With certificates the password file isn't asked, so taking a user out of it kept nobody out.
    @Test func `A gateway whose certificate was revoked isn't let in after a reload, and others are`() async throws {
        let (servers, gateways) = (try await TestCertificates(), try await TestCertificates())
        let (server, thief, honest) = (
            try await servers.server(), try await gateways.client("s-b-1-g"), try await gateways.client("s-b-2-g")
        )
        let ofServers = try await servers.client("person")
        let list = try await gateways.revocationList(of: [])
        let file = String(
            decoding: try FileContents.read(Repository.root + "/deploy/mosquitto/beacons.conf", limit: 100_000),
            as: UTF8.self)
        let lines = file.split(separator: "\n").compactMap { line -> String? in
            switch line.split(separator: " ").first {
            case "#require_certificate", "#use_identity_as_username": String(line.dropFirst())
            case "#cafile" where line.contains("gateways-ca"): "cafile \(gateways.authority)"
            case "#crlfile": "crlfile \(list)"
            default: nil
            }
        }
        #expect(lines.count == 4)
        let configuration = (lines + ["user root", "certfile \(server.certificate)", "keyfile \(server.key)"]).joined(
            separator: "\n")
        try await TestBroker.with(configuration: configuration) { broker in
            func isLetIn(_ pair: TestCertificates.Pair) async throws -> Bool {
                try await ChildProcess.run(
                    "mosquitto_pub",
                    [
                        "-h", "localhost", "-p", "\(broker.port)", "--cafile", servers.authority, "--cert",
                        pair.certificate, "--key", pair.key, "-q", "1", "-t", "x", "-m", "y",
                    ]
                ).status == 0
            }
            var letIn = [try await isLetIn(thief), try await isLetIn(honest), try await isLetIn(ofServers)]
            #expect(letIn == [true, true, false])
            _ = try await gateways.revocationList(of: [thief])
            await broker.reload()
            let isRefused = await eventually { (try? await isLetIn(thief)) == false }
            #expect(isRefused)
            letIn = [try await isLetIn(thief), try await isLetIn(honest)]
            #expect(letIn == [false, true])
        }
    }
}
