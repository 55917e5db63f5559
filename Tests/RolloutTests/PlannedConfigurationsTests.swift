import GatewayCore
import OperatorText
import RecordContract
import Testing

@testable import Rollout

@Suite struct PlannedConfigurationsTests {
    @Test func `Deeper files override keys, and the place follows from the path`() throws {
        let all = DirectoryFixture.read(DirectoryFixture.files)
        #expect(all.problems.isEmpty, "\(all.problems)")
        let east = try #require(GatewayPath("campus/main/1/east").flatMap { all[$0] })
        #expect(
            east.text == """
                [beacons]
                uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]

                [interactions]
                silence = "30s"

                [mqtt]
                host = "floor.example.org"
                password-file = "mqtt-password"
                port = 8883
                username = "u"

                [place]
                building = "main"
                floor = "1"
                gateway = "east"
                room = "101"
                site = "campus"

                """)
        #expect(east.digest == ConfigurationDigest(of: Array(east.text.utf8)))
        let hall = try #require(GatewayPath("campus/main/2/hall").flatMap { all[$0] })
        #expect(hall.text.contains("host = \"broker.example.org\""))
    }

    @Test func `Lists are replaced and not joined`() throws {
        let file = RolloutFile(
            path: "campus/main/1/east.toml",
            text: "[beacons]\nuuids = [\"00000000-0000-0000-0000-000000000001\"]\n")
        let all = DirectoryFixture.read([DirectoryFixture.common, DirectoryFixture.floor, file])
        let east = try #require(GatewayPath("campus/main/1/east").flatMap { all[$0] })
        #expect(east.text.contains("uuids = [\"00000000-0000-0000-0000-000000000001\"]"))
        #expect(!east.text.contains("e2c56db5"))
    }

    @Test func `The order of files and keys does not change a byte`() {
        let reordered = RolloutFile(
            path: "common.toml",
            text: """
                # moved
                interactions.silence = "30s"
                beacons = { uuids = [ "e2c56db5-dffb-48d2-b060-d0f5a71096e0" ] }
                [mqtt]
                password-file = 'mqtt-password'
                port = 8_883
                host = "broker.example.org"
                """)
        let one = DirectoryFixture.read(DirectoryFixture.files)
        let other = DirectoryFixture.read([reordered] + DirectoryFixture.files.dropFirst().reversed())
        #expect(one.documents.mapValues(\.text) == other.documents.mapValues(\.text))
    }

    @Test func `A mistake is named once, in the file that makes it`() {
        #expect(
            DirectoryFixture.problems(
                RolloutFile(path: "common.toml", text: DirectoryFixture.common.text + "shortest = \"1s\"\n")
            ).map { $0.prefix(40) } == ["common.toml:9:1: interactions.shortest: "])
        let floor = DirectoryFixture.problems(
            RolloutFile(path: "campus/main/1/common.toml", text: "\n[mqtt]\nusername = \"u\"\nport = 99999\n"))
        #expect(floor.count == 1 && floor[0].hasPrefix("campus/main/1/common.toml:4:1: mqtt.port: "), "\(floor)")
    }

    @Test(
        "What cannot be in the directory is refused, with its line",
        arguments: [
            (
                "campus/main/1/east.toml", "[mqtt]\npassword = \"x\"\n",
                "campus/main/1/east.toml:2:1: mqtt.password: is a secret"
            ),
            ("campus/main/1/east.toml", "[mqtt.tls]\nkey-file = \"-----BEGIN PRIVATE KEY-----\"\n", "is a secret"),
            (
                "campus/main/1/east.toml", "[place]\nfloor = \"2\"\n",
                "east.toml:2:1: place.floor: is given; follows from"
            ),
            (
                "campus/main/1/east.toml", "[commands]\nkey-file = \"k\"\n",
                "east.toml:2:1: commands.key-file: cannot be set"
            ),
            (
                "campus/main/1/east.toml", "[state]\ndirectory = \"/x\"\n",
                "east.toml:1:2: state: cannot be set from afar"
            ),
            ("campus/main/1/east.toml", "[mqtt]\nprefix = \"other\"\n", "east.toml:2:1: mqtt.prefix: is \"other\""),
            ("campus/main/1/east.toml", "= 1\n", "campus/main/1/east.toml:1:1: found"),
            ("campus/main/east.toml", "", "campus/main/east.toml: is at no place"),
            ("campus/main/1/lab/east.toml", "", "is at no place"),
            ("campus/main/1/East.toml", "", "campus/main/1/East.toml: is no place of a gateway"),
            ("campus/main/1/x/common.toml", "", "is at no place"),
        ])
    func refused(path: String, text: String, expected: String) {
        let problems = DirectoryFixture.problems(RolloutFile(path: path, text: text))
        #expect(problems.contains { $0.contains(expected) }, "\(problems)")
    }

    @Test func `A place that repeats the path is no mistake`() {
        #expect(
            DirectoryFixture.problems(
                RolloutFile(path: "campus/main/1/east.toml", text: "[place]\nsite = \"campus\"\nfloor = \"1\"\n")
            ).isEmpty)
    }

    @Test func `A configuration that is longer than a command takes is refused`() {
        let rows = (0..<1200).map { "[[known-beacons]]\nname = \"beacon-number-\($0)\"\n" }.joined()
        let problems = DirectoryFixture.problems(RolloutFile(path: "campus/main/1/east.toml", text: rows))
        #expect(
            problems.contains { $0.contains("at most 65536") } || rows.utf8.count < 65_536, "\(problems.first ?? "")")
        let long = String(repeating: "x", count: 70_000)
        let other = DirectoryFixture.problems(
            RolloutFile(path: "campus/main/1/east.toml", text: "[place]\nroom = \"\(long)\"\n"))
        #expect(other.contains { $0.contains("at most 65536") }, "\(other.count)")
    }

    @Test func `Files of the gateway are not looked for here, and are named`() throws {
        let all = DirectoryFixture.read(
            DirectoryFixture.files.dropLast() + [
                RolloutFile(
                    path: "campus/main/2/hall.toml", text: "inventory = \"modules.csv\"\n[mqtt]\nusername = \"h\"\n")
            ])
        #expect(all.problems.isEmpty, "\(all.problems)")
        let hall = try #require(GatewayPath("campus/main/2/hall").flatMap { all[$0] })
        #expect(hall.uncheckedFiles == ["modules.csv"])
    }

    @Test func `A directory without gateways is refused`() {
        #expect(DirectoryFixture.read([DirectoryFixture.common]).problems.count == 1)
    }

    @Test func `The example directory is valid`() {
        let all = DirectoryFixture.read(ExampleDirectory.files)
        #expect(all.problems.isEmpty, "\(all.problems)")
        #expect(all.gateways.map(\.description) == ["campus/main/1/east"])
    }
}
