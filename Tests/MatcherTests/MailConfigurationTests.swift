import MatcherCore
import Testing

@testable import MatcherDaemon
@testable import OperatorText

@Suite("Configuration of e-mail") struct MailConfigurationTests {
    private func parse(_ text: String, password: String = "secret\n") throws(ConfigurationError) -> MatcherConfiguration
    {
        try MatcherConfiguration.parse(text, path: "m.toml") { _ in Array(password.utf8) }
    }

    private func problems(_ text: String, password: String = "secret\n") -> [String] {
        do throws(ConfigurationError) {
            _ = try parse(text, password: password)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private let whole = """
        [mail]
        server = "smtp://mail.campus.example:587"
        user = "beacons"
        password-file = "mail.password"
        from = "Health office <health@campus.example>"

        """

    @Test("A server, a name with a password and a sender are enough") func complete() throws {
        let mail = try #require(try parse(whole).mail)
        #expect(mail.server.url == "smtp://mail.campus.example:587" && mail.server.security == .startTLS)
        #expect(mail.login == MailSettings.Login(user: "beacons", password: "secret"))
        #expect(mail.from.name == "Health office" && mail.from.address.description == "health@campus.example")
        #expect(try parse("").mail == nil)
        let local = try parse("[mail]\nserver = \"smtp://127.0.0.1:25\"\nfrom = \"health@campus.example\"\n").mail
        #expect(local?.login == nil)
        let security = try #require(local?.server.security)
        #expect(security == MailServer.Security.none)
    }

    @Test(
        "What is missing or wrong is named",
        arguments: [
            ("[mail]\nfrom = \"a@b.example\"\n", "mail.server"),
            ("[mail]\nserver = \"smtps://b.example\"\n", "mail.from"),
            ("[mail]\nserver = \"b.example\"\nfrom = \"a@b.example\"\n", "mail.server"),
            ("[mail]\nserver = \"smtps://b.example\"\nfrom = \"a\"\n", "mail.from"),
            ("[mail]\nserver = \"smtps://b.example\"\nfrom = \"a@b.example\"\nuser = \"u\"\n", "mail.password-file"),
            ("[mail]\nserver = \"smtps://b.example\"\nfrom = \"a@b.example\"\npassword-file = \"p\"\n", "mail.user"),
            ("[mail]\nserver = \"smtps://b.example\"\nfrom = \"a@b.example\"\nport = 25\n", "mail.port"),
            ("[notices]\nsender = \"\"\n", "notices.sender"),
        ])
    func wrong(text: String, key: String) {
        let found = problems(text)
        #expect(found.count == 1 && found.first?.contains(key) == true, "\(found)")
    }

    @Test("An empty password is refused, and a password is in no message") func password() {
        #expect(problems(whole, password: "\n").count == 1)
        let found = problems(whole, password: "sécret")
        #expect(found.count == 1 && !found.description.contains("cret "))
    }

    @Test("Letters name who sends them: the configured text, else the sender of e-mails") func sender() throws {
        #expect(try parse("").letterSender == "The health office")
        #expect(try parse(whole).letterSender == "Health office")
        #expect(try parse(whole + "[notices]\nsender = \"Betriebsärztin\"\n").letterSender == "Betriebsärztin")
    }

    @Test("Another mail server needs a restart") func restart() throws {
        let (old, new) = (try parse(""), try parse(whole))
        #expect(old.needsRestart(to: new) == ["mail"])
        #expect(old.takingUp(new).mail == nil)
    }
}
