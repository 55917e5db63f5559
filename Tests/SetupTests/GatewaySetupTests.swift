import BeaconModel
import ModuleDialogues
import OperatorText
import Testing

@testable import Setup

@Suite("Setup of a gateway") struct GatewaySetupTests {
    /// Answers everything from `given`, and by proposals.
    private func answered(
        _ script: GatewaySetup, _ given: [String: String], modules: [FoundModule] = []
    ) -> SetupInterview<GatewaySetup> {
        var interview = SetupFixture.interview(script, given: given, canAsk: false)
        let (said, last) = interview.pass(.started, knowledge: modules)
        #expect(last?.isFinished == true, "\(said)")
        return interview
    }

    private func plan(
        _ interview: SetupInterview<GatewaySetup>, service: GatewaySetup.Service = .unit(isActive: false)
    ) -> SetupPlan {
        interview.script.plan(
            interview.answers, paths: SetupFixture.paths, service: service, newPassword: "random",
            brokerConfiguration: nil)
    }

    private func configuration(_ plan: SetupPlan) -> String? {
        plan.files.first { $0.kind == .configuration }?.contents
    }

    @Test func `A new configuration has the answers, and the password a file of its own`() {
        let plan = plan(answered(SetupFixture.script(), SetupFixture.answers))
        #expect(
            configuration(plan) == """
                # Written by `beacon-gateway setup`. Run it again to change answers; comments and other keys stay.
                # docs/guide/configuration.md describes every key.

                [place]
                site = "campus"
                building = "main"
                floor = "1"
                gateway = "east"

                [mqtt]
                host = "broker.example.org"
                port = 8883
                username = "campus/main/1/east"
                password-file = "mqtt-password"

                [mqtt.tls]
                verify-server = true

                [beacons]
                uuids = ["\(SetupFixture.uuid)"]

                """)
        #expect(
            plan.files.first
                == .init(path: "/etc/beacon-gateway/mqtt-password", contents: "secret\n", kind: .secret))
        #expect(plan.commands.map(\.arguments) == [["systemctl", "enable", "--now", "beacon-gateway"]])
        #expect(!plan.difference.contains { $0.contains("secret") })
    }

    private static let present = """
        # Ours. Don't touch!
        [place]
        site = "campus"  # the old name
        building = "main"
        floor = "1"
        gateway = "east"
        room = "3060"

        [mqtt]
        host = "broker.example.org"  # in the cellar
        port = 8883
        username = "campus/main/1/east"
        password-file = "mqtt-password"
        keep-alive = "20s"

        [mqtt.tls]
        ca-file = "ca.pem"

        [beacons]
        uuids = ["\(SetupFixture.uuid)"]

        [[modules]]
        name = "door"
        module = "any"
        uuid = "\(SetupFixture.uuid)"
        major = 1
        minor = 2

        """

    private static let inventory = Inventory(entries: [
        InventoryEntry(
            name: "door", module: .anyNew,
            configuration: BeaconConfiguration(
                beacon: BeaconID(
                    uuid: ProximityUUID(SetupFixture.uuid) ?? ProximityUUID(bits: 0), major: 1, minor: 2),
                measuredPower: -59, interval: .appleIBeacon, transmitPower: nil))
    ])

    @Test func `The same answers change nothing`() {
        let script = SetupFixture.script(present: Self.present, inventory: Self.inventory)
        let plan = plan(answered(script, [:]), service: .unit(isActive: true))
        #expect(plan.isEmpty, "\(plan)")
    }

    @Test func `One other answer changes its value only; comments and other keys stay`() {
        let script = SetupFixture.script(present: Self.present, inventory: Self.inventory)
        let plan = plan(answered(script, ["mqtt.host": "other.example.org"]), service: .unit(isActive: true))
        #expect(
            configuration(plan) == Self.present.replacing("\"broker.example.org\"", with: "\"other.example.org\""))
        #expect(plan.commands.map(\.arguments) == [["systemctl", "restart", "beacon-gateway"]])
        #expect(plan.difference.filter { !$0.hasPrefix(" ") }.count == 2)
    }

    @Test func `TLS that is switched off goes with its table, and a user with the password's key`() {
        let script = SetupFixture.script(present: Self.present, inventory: Self.inventory)
        let text = configuration(plan(answered(script, ["mqtt.tls": "no", "mqtt.username": "none"])))
        #expect(text?.contains("[mqtt.tls]") == false)
        #expect(text?.contains("ca.pem") == false)
        #expect(text?.contains("password-file") == false)
        #expect(text?.contains("keep-alive = \"20s\"") == true)
    }

    @Test func `New modules get rows with the next free minor; present rows stay`() {
        let script = SetupFixture.script(present: Self.present, inventory: Self.inventory)
        let interview = answered(script, [:], modules: [SetupFixture.module])
        #expect(interview.script.rows(interview.answers).map(\.beacon.minor) == [3])
        let text = configuration(plan(interview))
        #expect(text?.hasPrefix(Self.present) == true)
        #expect(
            text?.hasSuffix(
                """

                [[modules]]
                name = "beacon-1-3"
                module = "88:DA:1A:E8:06:6F"
                uuid = "\(SetupFixture.uuid)"
                major = 1
                minor = 3
                measured-power = -59

                """) == true, "\(text ?? "")")
    }

    @Test func `A module with a row, and one that stays as it is, add no row`() {
        var known = SetupFixture.module
        known.row = "door"
        let script = SetupFixture.script(present: Self.present, inventory: Self.inventory)
        #expect(plan(answered(script, [:], modules: [known]), service: .none(reason: "x")).isEmpty)
        let declined = answered(script, ["modules.provision": "no"], modules: [SetupFixture.module])
        #expect(plan(declined, service: .none(reason: "x")).isEmpty)
    }

    @Test func `A beacon that another module has is refused, with that module's name`() {
        let script = SetupFixture.script(present: Self.present, inventory: Self.inventory)
        var interview = SetupFixture.interview(script, given: ["modules.as-proposed": "no"])
        var (said, last) = interview.pass(.started, knowledge: [SetupFixture.module])
        while let asked = last?.asked, asked != "modules.beacon-0" {
            (said, last) = interview.pass(.typed(""), knowledge: [SetupFixture.module])
        }
        (said, last) = interview.pass(.typed("\(SetupFixture.uuid)/1/2"))
        #expect(last?.asked == "modules.beacon-0")
        #expect(said.first?.contains("is that of the module door") == true, "\(said)")
        #expect(said.first?.contains("choose another minor") == true)
    }

    private static let withoutUUID = SetupFixture.answers.filter { $0.key != "beacons.uuids" }

    @Test func `A gateway of a site without beacons is proposed a new UUID to listen for`() {
        let interview = answered(SetupFixture.script(), Self.withoutUUID)
        #expect(interview.answers["beacons.uuids"] == ProximityUUID(bits: 7).description)
    }

    @Test func `A gateway with nothing to listen for needs a UUID`() {
        var given = SetupFixture.answers
        given["beacons.uuids"] = "none"
        var interview = SetupFixture.interview(given: given, canAsk: false)
        guard case .wrongAnswers(let problems, _)? = interview.pass(.started).last?.failure else {
            Issue.record("it was taken")
            return
        }
        #expect(problems.map(\.location) == ["beacons.uuids"])
        #expect(problems[0].found == "found none")
        #expect(problems[0].allowed.hasPrefix("must be one UUID at least"))
        let withModule = answered(SetupFixture.script(), given, modules: [SetupFixture.module])
        #expect(withModule.answers["beacons.uuids"] == "")
    }

    @Test func `The UUID of a module that advertises is proposed, for it and to listen for`() {
        var module = SetupFixture.module
        module.beacon = BeaconID("\(SetupFixture.uuid)/1/2")
        let provisioned = answered(SetupFixture.script(), Self.withoutUUID, modules: [module])
        #expect(provisioned.answers["modules.uuid"] == SetupFixture.uuid)
        #expect(provisioned.answers["beacons.uuids"] == "", "its own are listened for anyway")
        var given = Self.withoutUUID
        given["modules.provision"] = "no"
        let left = answered(SetupFixture.script(), given, modules: [module])
        #expect(left.answers["beacons.uuids"] == SetupFixture.uuid)
    }

    @Test func `The UUID of the configuration comes before that of a module`() {
        let present = "[beacons]\nuuids = [\"\(SetupFixture.uuid)\"]\n"
        var module = SetupFixture.module
        module.beacon = BeaconID("00000000-0000-0000-0000-000000000009/1/2")
        let interview = answered(
            SetupFixture.script(present: present), Self.withoutUUID, modules: [module])
        #expect(interview.answers["modules.uuid"] == SetupFixture.uuid)
        #expect(interview.answers["beacons.uuids"] == SetupFixture.uuid)
    }

    private static let manageable = BrokerQuestions.LocalBroker.manageable(usersScript: "/usr/share/users.py")

    /// A configuration with the user that `users.py` gives this gateway.
    private static let withUser = """
        [place]
        site = "campus"
        building = "main"
        floor = "1"
        gateway = "east"

        [mqtt]
        host = "localhost"
        port = 1883
        username = "campus/main/1/east"
        password-file = "mqtt-password"

        [beacons]
        uuids = ["\(SetupFixture.uuid)"]

        """

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `A user that is to be created, and exists already, is kept`(host: String) {
        let script = SetupFixture.script(present: Self.withUser, broker: Self.manageable)
        var interview = SetupFixture.interview(
            script, given: ["mqtt.create-user": "yes", "mqtt.host": host], canAsk: false)
        let (said, last) = interview.pass(.started)
        #expect(last?.isFinished == true, "\(said)")
        #expect(
            said.contains(
                "Create a user at the broker (campus/main/1/east exists already, and is kept): no (answers file)"),
            "\(said)")
        #expect(interview.answers["mqtt.username"] == "campus/main/1/east")
        let plan = plan(interview, service: .none(reason: "x"))
        #expect(plan.commands.isEmpty)
        #expect(!plan.files.contains { $0.kind == .secret })
        #expect(plan.isEmpty == (host == "localhost"))
    }

    @Test func `A user that exists without a known password needs one, and the error says where`() {
        let text = Self.withUser.replacing("password-file = \"mqtt-password\"\n", with: "")
        let script = SetupFixture.script(present: text, broker: Self.manageable)
        var interview = SetupFixture.interview(script, given: ["mqtt.create-user": "yes"], canAsk: false)
        let failure = interview.pass(.started).last?.failure
        #expect(
            failure
                == .missing(
                    "mqtt.password",
                    "Password of the user campus/main/1/east, who exists already without mqtt.password-file"))
        #expect(failure?.remedy?.contains("[mqtt] password = ...") == true)
        var other = SetupFixture.interview(
            script, given: ["mqtt.create-user": "yes", "mqtt.password": "known"], canAsk: false)
        #expect(other.pass(.started).last?.isFinished == true)
        #expect(plan(other).files.first?.contents == "known\n")
    }

    @Test(
        arguments: [
            (BrokerQuestions.LocalBroker.none, "localhost", "sudo apt-get install mosquitto"),
            (BrokerQuestions.LocalBroker.installed, "localhost", "run setup with sudo"),
            (
                BrokerQuestions.LocalBroker.manageable(usersScript: "/usr/share/users.py"), "broker.example.org",
                "have its operator add the user campus/main/1/east"
            ),
        ])
    func `A user that cannot be created is refused with what to do, beside other mistakes`(
        broker: BrokerQuestions.LocalBroker, host: String, remedy: String
    ) {
        var given = SetupFixture.answers
        given["mqtt.create-user"] = "yes"
        given["mqtt.host"] = host
        given["beacons.uuids"] = "x"
        var interview = SetupFixture.interview(SetupFixture.script(broker: broker), given: given, canAsk: false)
        guard case .wrongAnswers(let problems, _)? = interview.pass(.started).last?.failure else {
            Issue.record("it was taken")
            return
        }
        #expect(problems.map(\.location) == ["mqtt.create-user", "beacons.uuids"])
        #expect(problems[0].found == "found true")
        #expect(problems[0].allowed.contains(remedy), "\(problems[0].allowed)")
    }

    @Test func `A user of another name than the configuration's is refused with what to do`() {
        let script = SetupFixture.script(present: Self.withUser, broker: Self.manageable)
        var interview = SetupFixture.interview(
            script, given: ["mqtt.create-user": "yes", "place.gateway": "west"], canAsk: false)
        let said = interview.pass(.started).last?.failure?.description ?? ""
        #expect(said.contains("the configuration has a user already (campus/main/1/east)"), "\(said)")
        #expect(said.contains("remove mqtt.username"))
    }

    @Test(arguments: ["localhost", "pi-7"])
    func `A gateway's user is created with TLS too, under the name of this machine`(host: String) {
        let script = SetupFixture.script(hostName: "pi-7", broker: Self.manageable)
        var given = SetupFixture.answers
        given["mqtt.host"] = host
        given["mqtt.create-user"] = "yes"
        let plan = plan(answered(script, given))
        #expect(plan.commands.first?.arguments.first == "/usr/share/users.py")
        #expect(configuration(plan)?.contains("[mqtt.tls]") == true)
    }

    @Test func `On a machine with mosquitto the user is created, by the script, before the service starts`() {
        let script = SetupFixture.script(broker: .manageable(usersScript: "/usr/share/users.py"))
        var given = SetupFixture.answers
        given["mqtt.host"] = "localhost"
        given["mqtt.tls"] = "no"
        given["mqtt.password"] = nil
        let plan = plan(answered(script, given))
        #expect(
            plan.commands.map(\.arguments) == [
                [
                    "/usr/share/users.py", "--file", "/etc/mosquitto/beacons-users.json", "add", "gateway",
                    "campus/main/1/east", "--prefix", "beacons", "--free-identifier", "--password-file",
                    "/etc/beacon-gateway/mqtt-password",
                ], ["systemctl", "restart", "mosquitto"], ["systemctl", "enable", "--now", "beacon-gateway"],
            ])
        #expect(plan.files.first?.contents == "random\n")
        #expect(configuration(plan)?.contains("username = \"campus/main/1/east\"") == true)
    }

    @Test func `A file that cannot be edited is left alone, and the new one is written beside it`() {
        let inline = "place = { site = \"a\", building = \"b\", floor = \"1\", gateway = \"g\" }\n"
        let script = SetupFixture.script(present: inline)
        let plan = plan(answered(script, SetupFixture.answers))
        #expect(plan.obstacle?.hasPrefix("place.site cannot be changed") == true)
        #expect(plan.files.last?.path == "/etc/beacon-gateway/gateway.toml.new")
        #expect(plan.files.last?.contents.contains("[place]\nsite = \"campus\"") == true)
        #expect(plan.commands.isEmpty, "the present service goes on with the present file")
    }
}
