import BeaconModel
import HCI
import Testing

@testable import GatewayCore
@testable import OperatorText

@Suite struct ExchangeSettingsTests {
    private func read(
        _ text: String, publishesPhones: Bool = true, path: ScanPathKind? = nil
    ) -> (ExchangeSettings, [ConfigurationProblem]) {
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else { return (ExchangeSettings(), problems.all) }
        let settings = ExchangeSettings.read(root, publishesPhones: publishesPhones, path: path)
        root.finish()
        return (settings, problems.all)
    }

    @Test("Without the table nobody is connected to")
    func absent() {
        let (settings, problems) = read("", publishesPhones: false)
        #expect(!settings.isOn)
        #expect(problems.isEmpty)
    }

    @Test("A whole table is taken over")
    func whole() {
        let (settings, problems) = read(
            """
            [exchange]
            apps = ["ble-proximity", "c19x"]
            own-id-file = "/etc/code"
            parallel = 2
            per-minute = 30
            """)
        #expect(problems.isEmpty)
        #expect(settings.rules == ExchangeRules(apps: [.bleProximity, .c19x], parallel: 2, perMinute: 30))
        #expect(settings.ownCodePath(inStateDirectory: "/var") == "/etc/code")
    }

    @Test("Our code's file is in the state directory if nothing else is said")
    func codeFile() {
        let (settings, _) = read("[exchange]\napps = [\"c19x\"]")
        #expect(settings.rules == ExchangeRules(apps: [.c19x]))
        #expect(settings.ownCodePath(inStateDirectory: "/var") == "/var/contact-code")
    }

    @Test(
        "What can't be is refused",
        arguments: [
            "apps = [\"herald\"]", "apps = [\"c19x\", \"c19x\"]", "apps = \"c19x\"", "parallel = 1",
            "apps = [\"c19x\"]\nparallel = 5", "apps = [\"c19x\"]\nper-minute = 0",
            "apps = [\"c19x\"]\nown-id-file = \"\"", "apps = [\"c19x\"]\nrate = 3",
        ])
    func refused(table: String) { #expect(read("[exchange]\n" + table).1.count == 1) }

    @Test("Codes that couldn't be published aren't asked for")
    func unpublished() { #expect(read("[exchange]\napps = [\"c19x\"]", publishesPhones: false).1.count == 1) }

    @Test("A way of hearing that can't connect is refused", arguments: [ScanPathKind.dbus, .monitor, .userChannel])
    func path(path: ScanPathKind) { #expect(read("[exchange]\napps = [\"c19x\"]", path: path).1.count == 1) }
}
