import BeaconModel
import GatewayCore
import Proximity
import Testing

extension ConfigurationTests {
    @Test("A remote receiver needs a name and a kind; the rest follows from them")
    func remoteReceivers() throws {
        let configuration = try parse(
            Self.minimal + """

                [[remote-receivers]]
                name = "kitchen"
                kind = "espresense"
                room = "Kitchen"
                position = { x = 1.0, y = 2.0, z = 2.2 }
                [[remote-receivers]]
                name = "hall"
                kind = "openmqttgateway"
                node = "OMG_ESP32_BLE"
                silence = "5m"
                deaf-after = "20m"
                [[remote-receivers]]
                name = "attic"
                kind = "theengs"
                topic = "attic/ble/+"
                status-topic = "attic/LWT"
                """)
        let receivers = configuration.remoteReceivers
        #expect(
            receivers.map(\.devicesTopic) == [
                "espresense/devices/+/kitchen", "home/OMG_ESP32_BLE/BTtoMQTT/+", "attic/ble/+",
            ])
        #expect(
            receivers.map(\.statusTopic) == ["espresense/rooms/kitchen/status", "home/OMG_ESP32_BLE/LWT", "attic/LWT"])
        #expect(receivers.map(\.telemetryTopic) == ["espresense/rooms/kitchen/telemetry", nil, nil])
        #expect(receivers.map(\.silence.assumed) == [.seconds(30), .seconds(300), .seconds(60)])
        #expect(receivers.map(\.deafAfter) == [.seconds(300), .seconds(1200), .seconds(300)])
        let place = try #require(receivers.first).place(beside: configuration.place)
        #expect((place.ear, place.room, place.position?.z, place.beacon) == ("kitchen", "Kitchen", 2.2, nil))
    }

    @Test(
        "What is wrong about a remote receiver, or about commands, is said by key",
        arguments: [
            ("[[remote-receivers]]\nkind = \"theengs\"", "remote-receivers[0].name: is missing"),
            ("[[remote-receivers]]\nname = \"x\"", "remote-receivers[0].kind: is missing"),
            ("[[remote-receivers]]\nname = \"Küche\"\nkind = \"theengs\"", "remote-receivers[0].name: found"),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"esphome\"",
                "must be one of espresense, openmqttgateway, theengs"
            ),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"theengs\"\nnode = \"a/b\"",
                "remote-receivers[0].node: found"
            ),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"theengs\"\ntopic = \"a#/b\"",
                "remote-receivers[0].topic: found"
            ),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"theengs\"\nrooms = 1",
                "remote-receivers[0].rooms: is unknown"
            ),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"espresense\"\n[[remote-receivers]]\nname = \"x\"\nkind = \"theengs\"",
                "remote-receivers[1].name: x is used twice"
            ),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"theengs\"\n[[remote-receivers]]\nname = \"y\"\nkind = \"theengs\"",
                "remote-receivers[1].topic: home/TheengsGateway/BTtoMQTT/+ and home/TheengsGateway/BTtoMQTT/+ of x overlap"
            ),
            (
                """
                [[remote-receivers]]
                name = "x"
                kind = "espresense"
                [[remote-receivers]]
                name = "y"
                kind = "espresense"
                topic = "espresense/devices/#"
                """,
                "remote-receivers[1].topic: espresense/devices/# and espresense/devices/+/x of x overlap"
            ),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"theengs\"\ntopic = \"beacons/v1/+/+/#\"",
                "remote-receivers[0].topic: beacons/v1/+/+/# has topics on which this gateway publishes itself ([mqtt])"
            ),
            (
                "[mqtt-room]\n[[remote-receivers]]\nname = \"gw-3a\"\nkind = \"espresense\"",
                "remote-receivers[0].topic: espresense/devices/+/gw-3a has topics on which this gateway publishes itself ([mqtt-room])"
            ),
            (
                "[[remote-receivers]]\nname = \"x\"\nkind = \"theengs\"\ntopic = \"$share/g/home/x/#\"",
                "remote-receivers[0].topic: found"
            ),
            ("[commands]\nper-minute = 0", "commands.per-minute: found 0; must be from 1 to 600"),
        ])
    func remoteReceiverProblems(tables: String, problem: String) {
        let found = problems(Self.minimal + "\n" + tables)
        #expect(found.contains { $0.contains(problem) }, "\(found)")
    }
}
