import Glibc
import SystemIO
import TestSupport
import Testing

/// `setup` of a matcher, with a real broker and database.
@Suite("Setup of a matcher from the command line", .timeLimit(.minutes(10))) struct SetupCommandTests {
    /// Runs setup in a directory.
    private func run(
        _ directory: TemporaryDirectory, _ answers: String, _ more: [String] = []
    ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        let file = try directory.write("answers.toml", answers)
        return try await TestMatcher.run(
            [
                "setup", "--config", directory.path + "/matcher.toml", "--answers", file, "--mosquitto",
                directory.path + "/mosquitto",
            ] + more)
    }

    private func answers(_ port: UInt16, store: String, further: String = "") -> String {
        """
        [mqtt]
        places = ["campus"]
        host = "127.0.0.1"
        port = \(port)
        tls = false
        create-user = false
        [site]
        time-zone = "Europe/Berlin"
        [store]
        location = "\(store)"
        \(further)
        """
    }

    /// Returns what was printed, without its line breaks.
    private func words(_ output: [String]) -> String {
        output.flatMap { $0.split(separator: " ") }.joined(separator: " ")
    }

    private func text(_ directory: TemporaryDirectory) throws -> String {
        String(decoding: try FileContents.read(directory.path + "/matcher.toml", limit: 100_000), as: UTF8.self)
    }

    @Test func `An answers file gives a valid configuration, and the same answers change nothing`() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let store = directory.path + "/store.sqlite"
            let answers = answers(broker.port, store: store, further: "[signing]\non = true")
            let (status, output, errors) = try await run(directory, answers)
            #expect(status == 0, "\(errors)")
            #expect(
                words(output).contains("127.0.0.1:\(broker.port) accepted the matcher after "), "\(output)")
            #expect(words(output).contains("\(store) will be created"), "\(output)")
            #expect(errors.contains { $0.contains("matcher.toml is valid: stores beacons/v1/campus/# in \(store)") })
            #expect(access(store, F_OK) != 0, "setup creates no store")
            let key = try #require(FileOwnership(of: directory.path + "/site.key"))
            #expect([0o600, 0o640].contains(key.mode))
            let text = try text(directory)
            #expect(text.contains("key-files = [\"site.key\"]"))
            let again = try await run(directory, answers.replacing("[signing]\non = true", with: ""))
            #expect(again.output.contains { $0.hasPrefix("Nothing changes: ") }, "\(again)")
            #expect(try self.text(directory) == text)
            let gateway = try await TestMatcher.run(
                ["gateway-key", "campus/main/1/east", "--config", directory.path + "/matcher.toml"])
            #expect(gateway.status == 0, "\(gateway)")
        }
    }

    @Test func `A store in a directory that isn't there, and a database without a server, are named`() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let missing = try await run(directory, answers(broker.port, store: "/none/store.sqlite"))
            #expect(missing.status == 69)
            #expect(missing.errorOutput.contains { $0.contains("there is no directory /none") }, "\(missing)")
            #expect(missing.errorOutput.contains { $0.contains("sudo install -d -o beacon-matcher -m 700 /none") })
            let server = try await run(
                directory,
                answers(broker.port, store: "postgresql://m@127.0.0.1:1/b", further: "password = \"hid den\""))
            #expect(server.status == 69)
            #expect(server.errorOutput.contains { $0.contains("check the connection string") }, "\(server)")
            #expect(
                !(server.output + server.errorOutput).contains { $0.contains("hid den") || $0.contains("hid%20den") })
            #expect(!directory.names.contains("matcher.toml"))
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `A database lets the matcher in, and its tables are not created yet`() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            try await TestPostgreSQL.with { server in
                let (status, output, errors) = try await run(
                    directory, answers(broker.port, store: server.connectionString))
                #expect(status == 0, "\(errors)")
                #expect(words(output).contains("accepted the matcher Contacts"), "\(output)")
            }
        }
    }

    @Test func `An identity provider that isn't one is named with its address`() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let login =
                "[login]\nissuer = \"http://127.0.0.1:1\"\nclient-id = \"c\"\nclient-secret = \"s\"\nofficers = \"o\""
            let (status, output, errors) = try await run(
                directory, answers(broker.port, store: directory.path + "/s.sqlite", further: login))
            #expect(status == 69, "\(output)")
            #expect(
                errors.contains { $0.contains("http://127.0.0.1:1/.well-known/openid-configuration") }, "\(errors)")
            let kept = try await run(
                directory,
                "keep-anyway = [\"identity-provider\"]\n"
                    + answers(broker.port, store: directory.path + "/s.sqlite", further: login))
            #expect(kept.status == 69)
            #expect(try text(directory).contains("[[roles]]\nrole = \"officer\"\nvalue = \"o\""), "\(kept)")
        }
    }
}
