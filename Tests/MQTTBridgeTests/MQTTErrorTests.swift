import MQTTBridge
import TestValues
import Testing

@Suite("What to do about a broker") struct MQTTErrorTests {
    private func remedy(_ topic: String) -> String? {
        MQTTError(broker: "b:1883", cause: .rejected(135, topic: topic)).remedy
    }

    @Test func `A topic that is forbidden says which user name may write there`() throws {
        let records = try #require(remedy("beacons/v1/mcgill/trottier/3/gw-3a/beacon/x/1/2/interaction"))
        #expect(records.contains("set mqtt.username to \"mcgill/trottier/3/gw-3a\""))
        let state = MQTTError(
            broker: "b:1883", cause: .notTaken(135, topic: "beacons/v1/mcgill/trottier/3/gw-3a/status")
        ).remedy
        #expect(state?.contains("\"mcgill/trottier/3/gw-3a\"") == true)
    }

    @Test(arguments: [
        "beacons/v1/subject/190f0a2b329c68f2949dd6e31443f5c0/exposure", "beacons/v1/mcgill/trottier/3/occupancy/3060",
        "homeassistant/device/beacon/config", "espresense/devices/x/3060/a/b/c",
    ])
    func `A topic that is no gateway's names no gateway's user`(topic: String) {
        #expect(remedy(topic)?.contains("to \"") == false)
        #expect(remedy(topic)?.contains("mqtt.username") == true)
    }

    // `pattern write beacons/v1/%u/#` has to fit what README tells to write.
    @Test func `README's gateway has the user name that the access list lets write`() throws {
        let readme = try String(decoding: Repository.read("README.md"), as: UTF8.self)
        let list = try String(decoding: Repository.read("deploy/mosquitto/acl"), as: UTF8.self)
        func value(_ key: String) throws -> String {
            let line = try #require(readme.split(separator: "\n").first { $0.hasPrefix(key + " = \"") })
            return String(line.split(separator: "\"")[1])
        }
        let place = try ["site", "building", "floor", "gateway"].map(value).joined(separator: "/")
        #expect(try value("username") == place)
        #expect(list.contains("pattern write beacons/v1/%u/#"))
    }
}
