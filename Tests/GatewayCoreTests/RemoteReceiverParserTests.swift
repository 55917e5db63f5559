import BeaconModel
import RecordContract
import TestValues
import Testing

@testable import GatewayCore

@Suite("RemoteReceiverParser") struct RemoteReceiverParserTests {
    private func parse(
        _ payload: String, _ kind: RemoteReceiverKind, on topic: RemoteReceiverTopic = .devices,
        isRetained: Bool = false
    ) -> Result<RemoteReceiverMessage, RemoteReceiverMessage.Refusal> {
        RemoteReceiverParser.parse(RemoteReceiverPayloads.message(payload, isRetained: isRetained), on: topic, of: kind)
    }

    private func heard(_ rssi: Int8, power: Int8?) throws -> Result<
        RemoteReceiverMessage, RemoteReceiverMessage.Refusal
    > {
        .success(
            .heard(
                .init(beacon: RemoteReceiverPayloads.beacon, rssi: try #require(RSSI(dBm: rssi)), measuredPower: power))
        )
    }

    @Test("An ESPresense node's reading has beacon, strength and measured power, whole or with decimals")
    func espresense() throws {
        #expect(parse(RemoteReceiverPayloads.espresense3, .espresense) == (try heard(-72, power: -59)))
        #expect(parse(RemoteReceiverPayloads.espresense4, .espresense) == (try heard(-81, power: -59)))
    }

    @Test("An AltBeacon is told in the same form")
    func altBeacon() throws {
        let payload = RemoteReceiverPayloads.espresense3.split(separator: "iBeacon").joined(separator: "altBeacon")
        #expect(parse(payload, .espresense) == (try heard(-72, power: -59)))
    }

    @Test(
        "Devices without an iBeacon's identity prove that the node hears, and are nobody",
        arguments: [
            "keys", "irk:0123456789abcdef0123456789abcdef", "apple:1005:9-12", "iBeacon:",
            "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0", "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3",
            "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3-65536",
            "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0--3-1", "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-+3-1",
            "iBeacon:zzzz6db5-dffb-48d2-b060-d0f5a71096e0-3-1", "eddy:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3-1",
        ])
    func strangers(id: String) {
        #expect(parse(#"{"id":"\#(id)","rssi":-60,"rssi@1m":-59}"#, .espresense) == .success(.heardSomebody))
    }

    @Test("What the Theengs decoder makes of an iBeacon is read, and so are the advertising data themselves")
    func theengs() throws {
        for kind in [RemoteReceiverKind.theengs, .openmqttgateway] {
            #expect(parse(RemoteReceiverPayloads.theengs, kind) == (try heard(-67, power: -59)))
            #expect(parse(RemoteReceiverPayloads.openMQTTGatewayData, kind) == (try heard(-67, power: -59)))
        }
    }

    @Test("A transmit power that isn't negative is no measured power")
    func volt() throws {
        #expect(parse(RemoteReceiverPayloads.theengsVolt, .theengs) == (try heard(-67, power: nil)))
    }

    @Test("A sensor is a stranger, and a message without a strength says that somebody isn't heard any more")
    func others() {
        #expect(parse(RemoteReceiverPayloads.openMQTTGatewaySensor, .openmqttgateway) == .success(.heardSomebody))
        #expect(parse(RemoteReceiverPayloads.openMQTTGatewayOffline, .openmqttgateway) == .failure(.noSignalStrength))
    }

    @Test("Status and telemetry are read; a retained status counts, a retained reading is an old one")
    func others2() {
        #expect(parse("online", .espresense, on: .status, isRetained: true) == .success(.online))
        #expect(parse("offline", .theengs, on: .status) == .success(.offline))
        #expect(parse("on line", .theengs, on: .status) == .failure(.unknownStatus))
        #expect(
            parse(RemoteReceiverPayloads.espresenseTelemetry, .espresense, on: .telemetry) == .success(.received(1200)))
        #expect(parse(RemoteReceiverPayloads.espresense3, .espresense, isRetained: true) == .failure(.retained))
    }

    @Test(
        "What isn't understood is refused by name",
        arguments: [
            ("", RemoteReceiverMessage.Refusal.notJSON), ("{", .notJSON), ("[]", .notJSON), ("null", .notJSON),
            (#"{"id":7,"rssi":-60}"#, .notJSON), (#"{"rssi":-60}"#, .noIdentity), (#"{"id":"x"}"#, .noSignalStrength),
            (#"{"id":"x","rssi":127}"#, .outOfRange), (#"{"id":"x","rssi":-1e300}"#, .outOfRange),
            (#"{"id":"x","rssi":-128.4}"#, .outOfRange), (#"{"id":"x","rssi":1e999}"#, .notJSON),
        ])
    func refused(payload: String, refusal: RemoteReceiverMessage.Refusal) {
        #expect(parse(payload, .espresense) == .failure(refusal))
    }

    @Test("A message or a topic that is too long isn't read")
    func tooLong() {
        #expect(parse(String(repeating: " ", count: 4097), .espresense) == .failure(.tooLong))
        let message = RemoteReceiverPayloads.message(
            RemoteReceiverPayloads.theengs, topic: String(repeating: "a", count: 513))
        #expect(RemoteReceiverParser.parse(message, on: .devices, of: .theengs) == .failure(.tooLong))
    }

    @Test("Whatever comes, nothing traps, and what is understood is possible")
    func hostile() {
        var generator = SeededGenerator("messages of remote receivers")
        let bytes = RemoteReceiverPayloads.all.map { Array($0.utf8) }
        let snippets = ["1e308", "-0", "\u{0}", "\"rssi\":", "{", "]", "99999999999999999999", "4c000215", "-"].map {
            Array($0.utf8)
        }
        for _ in 0..<4000 {
            var payload = bytes.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0...payload.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: payload.insert(.random(in: 0...255, using: &generator), at: index)
                case 1: payload.removeSubrange(index...)
                case 2: payload.insert(contentsOf: snippets.randomElement(using: &generator) ?? [], at: index)
                case 3 where index < payload.count: payload[index] = .random(in: 0x20...0x7E, using: &generator)
                default: payload += bytes.randomElement(using: &generator) ?? []
                }
            }
            let message = MQTTMessage(topic: "t", payload: payload)
            for kind in RemoteReceiverKind.allCases {
                for topic in [RemoteReceiverTopic.devices, .status, .telemetry] {
                    guard case .success(.heard(let reading)) = RemoteReceiverParser.parse(message, on: topic, of: kind)
                    else { continue }
                    let isPossible = (reading.measuredPower ?? -1) < 0 && topic == .devices
                    #expect(isPossible, generator.comment)
                }
            }
        }
    }
}
