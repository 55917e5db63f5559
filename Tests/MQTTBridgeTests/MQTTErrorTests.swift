import TestValues
import Testing

@testable import MQTTBridge
@testable import Publishing

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

    @Test(arguments: [Int32(0x90), 0x99])
    func `A topic or content that is invalid to the broker is none of the access list, and waits`(reason: Int32) throws
    {
        let error = MQTTError(
            broker: "b:1883",
            cause: .rejected(reason, topic: "beacons/v1/mcgill/trottier/3/gw-3a/beacon/x/1/2/interaction"))
        let remedy = try #require(error.remedy)
        #expect(remedy.contains("the broker's log") && remedy.contains("validate"))
        #expect(!remedy.contains("mqtt.username"))
        #expect(remedy.hasSuffix("Until then records wait in the outbox"))
    }

    @Test func `The end of a connection is never called a success`() {
        func cause(_ status: Int32, _ errorNumber: Int32, isAccepted: Bool = true, isReset: Bool = false)
            -> MQTTError.Cause
        {
            .ofEnd(status: status, errorNumber: errorNumber, isAccepted: isAccepted, isReset: isReset)
        }
        // MOSQ_ERR_CONN_LOST is 7, MOSQ_ERR_ERRNO 14, MOSQ_ERR_PROTOCOL 2.
        #expect(cause(14, 0) == .library(7))
        #expect(cause(14, 0, isAccepted: false) == .closed)
        #expect(cause(7, 0, isAccepted: false) == .closed)
        #expect(cause(7, 0, isReset: true) == .system(104))
        #expect(cause(14, 113) == .system(113))
        #expect(cause(14, 111, isAccepted: false) == .system(111))
        #expect(cause(2, 0) == .library(2))
    }

    @Test(arguments: [
        "beacons/v1/subject/190f0a2b329c68f2949dd6e31443f5c0/exposure", "beacons/v1/mcgill/trottier/3/occupancy/3060",
        "homeassistant/device/beacon/config", "espresense/devices/x/3060/a/b/c",
    ])
    func `A topic that is no gateway's names no gateway's user`(topic: String) {
        #expect(remedy(topic)?.contains("to \"") == false)
        #expect(remedy(topic)?.contains("mqtt.username") == true)
    }

    // A gateway's user may write below its own name.
    @Test func `The guide's gateway has the user name that users.py takes`() throws {
        let guide = try String(decoding: Repository.read("docs/guide/configuration.md"), as: UTF8.self)
        let list = try String(decoding: Repository.read("deploy/mosquitto/users.py"), as: UTF8.self)
        func value(_ key: String) throws -> String {
            let line = try #require(guide.split(separator: "\n").first { $0.hasPrefix(key + " = \"") })
            return String(line.split(separator: "\"")[1])
        }
        let place = try ["site", "building", "floor", "gateway"].map(value).joined(separator: "/")
        #expect(try value("username") == place)
        #expect(list.contains("users.py add gateway \(place) "))
    }
}
