import OperatorText
import Testing

@testable import Setup

@Suite("Setup of a matcher") struct MatcherSetupTests {
    private func script(
        present text: String? = nil, broker: BrokerQuestions.LocalBroker = .none
    ) -> MatcherSetup {
        var present = PresentConfiguration.new(MatcherSetup.notes)
        if let text, let editor = try? TOMLEditor(text) { present = PresentConfiguration(editor: editor) }
        return MatcherSetup(
            machine: .init(
                timeZone: "Europe/Berlin", broker: broker, policies: ["six-metre-five-minute", "cwa"],
                storeForm: "a path", isStore: { $0 != "postgresql:" }),
            present: present)
    }

    private func plan(
        _ script: MatcherSetup, _ given: [String: String], service: GatewaySetup.Service = .unit(isActive: false)
    ) -> (plan: SetupPlan?, failure: SetupFailure?) {
        var interview = SetupInterview(script, given: given, keepAnyway: [], canAsk: false)
        let last = interview.pass(.started).last
        guard last?.isFinished == true else { return (nil, last?.failure) }
        return (
            script.plan(
                interview.answers, paths: .init(configuration: "/m/matcher.toml", passwordFile: "/m/mqtt-password"),
                service: service, secrets: .init(password: "p", site: "s", pseudonyms: "k"), brokerConfiguration: nil),
            nil
        )
    }

    private static let answers = [
        "mqtt.host": "broker.example.org", "mqtt.password": "secret", "mqtt.places": "campus",
    ]

    private func text(_ plan: SetupPlan?) -> String? { plan?.files.first { $0.kind == .configuration }?.contents }

    @Test func `A new configuration has the answers`() {
        let plan = plan(script(), Self.answers).plan
        #expect(
            text(plan) == """
                # Written by `beacon-matcher setup`. Run it again to change answers; comments and other keys stay.
                # docs/guide/matcher/configuration.md describes every key.

                [site]
                time-zone = "Europe/Berlin"

                [store]
                location = "/var/lib/beacon-matcher/store.sqlite"

                [mqtt]
                host = "broker.example.org"
                port = 8883
                username = "consumer_matcher"
                password-file = "mqtt-password"
                places = ["campus"]

                [mqtt.tls]
                verify-server = true

                [api]
                listen = "127.0.0.1:8480"

                [page]
                base-url = "http://127.0.0.1:8480"

                """)
        #expect(plan?.commands.last?.arguments == ["systemctl", "enable", "--now", "beacon-matcher"])
    }

    @Test func `The same answers change nothing`() throws {
        let first = try #require(text(plan(script(), Self.answers).plan))
        #expect(plan(script(present: first), [:], service: .unit(isActive: true)).plan?.isEmpty == true)
    }

    @Test func `A database's password goes into a file, in the form of the connection string`() {
        var given = Self.answers
        given["store.location"] = "postgresql://matcher@db.example.org/beacons"
        given["store.password"] = "p@ss/1"
        let plan = plan(script(), given).plan
        #expect(text(plan)?.contains("location-file = \"store-location\"") == true)
        #expect(text(plan)?.contains("p@ss") == false)
        #expect(
            plan?.files.first { $0.path == "/m/store-location" }
                == .init(
                    path: "/m/store-location", contents: "postgresql://matcher:p%40ss%2F1@db.example.org/beacons\n",
                    kind: .secret))
        let keywords = SetupAnswers(["store.location": "host=db dbname=b", "store.password": "a'b"])
        #expect(MatcherSetup.location(keywords) == "host=db dbname=b password='a\\'b'")
    }

    @Test func `An identity provider needs a client, a secret and a group; keys are created`() {
        var given = Self.answers
        given["login.issuer"] = "https://id.example.org"
        #expect(
            plan(script(), given).failure == .missing("login.client-id", "Client identifier at the identity provider"))
        given["login.client-id"] = "beacons"
        given["login.client-secret"] = "hidden"
        given["login.officers"] = "health"
        given["signing.on"] = "yes"
        let plan = plan(script(), given).plan
        #expect(text(plan)?.contains("[[roles]]\nrole = \"officer\"\nvalue = \"health\"") == true)
        #expect(
            plan?.files.filter { $0.kind == .secret }.map(\.path) == [
                "/m/mqtt-password", "/m/client-secret", "/m/site.key",
            ])
    }

    @Test(
        arguments: [
            ("mqtt.places", "Campus"), ("api.listen", "8480"), ("login.issuer", "id.example.org"),
            ("matching.policy", "none-such"), ("store.location", "postgresql:"),
        ])
    func `A wrong answer is refused`(key: String, answer: String) {
        var given = Self.answers
        given[key] = answer
        guard case .wrongAnswers(let problems, _)? = plan(script(), given).failure else {
            Issue.record("\(key) took \(answer)")
            return
        }
        #expect(problems.map(\.location) == [key])
    }

    @Test func `A matcher's user is created without TLS, and the refusal with TLS says what to do`() {
        let script = script(broker: .manageable(usersScript: "/usr/share/users.py"))
        var given = ["mqtt.host": "localhost", "mqtt.tls": "no", "mqtt.create-user": "yes"]
        #expect(plan(script, given).plan?.commands.first?.arguments.first == "/usr/share/users.py")
        given["mqtt.tls"] = "yes"
        guard case .wrongAnswers(let problems, _)? = plan(script, given).failure else {
            Issue.record("it was taken")
            return
        }
        #expect(problems.map(\.location) == ["mqtt.create-user"])
        #expect(problems[0].allowed.contains("set mqtt.tls = false"))
    }
}
