import Exposition
import OperatorText
import Publishing
import Testing

@Suite("The table [metrics]") struct MetricsSettingsTests {
    private func read(_ text: String) throws -> (settings: MetricsSettings?, problems: [String]) {
        let problems = TOMLReader.Problems()
        let root = try #require(TOMLReader(text, problems: problems))
        let settings = MetricsSettings.read(root, port: 9469)
        root.finish()
        return (settings, problems.all.map { "\($0)" })
    }

    @Test(
        "Without the table, or without an address, a program listens on this machine",
        arguments: ["", "[metrics]", "[metrics]\nallow-remote = true"])
    func usual(text: String) throws {
        let (settings, problems) = try read(text)
        #expect(settings == MetricsSettings(host: "127.0.0.1", port: 9469))
        #expect(problems.isEmpty)
        #expect(settings?.warning == nil)
    }

    @Test("It listens nowhere if it is off")
    func off() throws {
        let (settings, problems) = try read("[metrics]\nlisten = \"off\"")
        #expect(settings == nil && problems.isEmpty)
    }

    @Test(
        "Addresses of this machine alone are taken",
        arguments: [
            ("127.0.0.2:0", "127.0.0.2:0"), ("[::1]:9000", "[::1]:9000"), ("localhost:1", "localhost:1"),
        ])
    func loopback(listen: String, shown: String) throws {
        let (settings, problems) = try read("[metrics]\nlisten = \"\(listen)\"")
        #expect(settings?.text == shown)
        #expect(problems.isEmpty)
    }

    @Test("Another address is refused unless it is allowed, and then there is a warning")
    func remote() throws {
        for host in ["0.0.0.0", "[::]", "192.0.2.7", "gateway.example"] {
            let refused = try read("[metrics]\nlisten = \"\(host):9469\"")
            #expect(refused.problems.count == 1, "\(host)")
            #expect(refused.problems.first?.contains("allow-remote = true") == true, "\(refused.problems)")
            let allowed = try read("[metrics]\nlisten = \"\(host):9469\"\nallow-remote = true")
            #expect(allowed.problems.isEmpty)
            #expect(allowed.settings?.warning?.key == "metrics.listen")
        }
    }

    @Test(
        "What is no address is refused, and it is said what one is",
        arguments: ["", "9469", ":9469", "127.0.0.1", "127.0.0.1:65536", "::1:9469", "unix:/run/metrics", "on"])
    func noAddress(listen: String) throws {
        let (settings, problems) = try read("[metrics]\nlisten = \"\(listen)\"")
        #expect(settings == nil)
        #expect(problems.count == 1 && problems[0].contains("ADDRESS:PORT"), "\(problems)")
    }
}
