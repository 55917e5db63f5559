import BeaconModel
import TestValues
import Testing

@testable import Integrations
@testable import RecordContract
@testable import RecordContractTests

extension Fixtures {
    static let gateway = OutputGateway(place: place, topics: topics, version: "0.1.0")
    static let namedBadge = NamedBeacon(beacon: badge, name: "Anna's badge")
    static let door = NamedBeacon(
        beacon: BeaconID(uuid: uuid, major: 3, minor: 1), name: "door", module: .init(name: "door", room: "3060"))
    static let stranger = BeaconID(uuid: ProximityUUID(bits: 0xBAD), major: 666, minor: 667)

    static let everyOutput = OutputSettings(
        homeAssistant: .init(), roomPresence: .init(), homie: .init(), raddec: .init())

    static func health(secondsLeft: Double? = nil) -> OutputEvent {
        .health(.init(reportsPerSecond: 12.34, outboxRecords: 5, outboxSecondsLeft: secondsLeft))
    }

    static func decodings(_ beacon: BeaconID, _ adapters: [UInt16] = [0], count: Int = 3) -> BeaconDecodings {
        BeaconDecodings(
            beacon: beacon, measuredPower: -59, lastAt: noon + .microseconds(1_234_567),
            receivers: adapters.map { .init(adapter: Adapter(index: $0), count: count, rssi: -64) })
    }

    static let adapterAddress = BluetoothAddress(bits: 0x001A_7DDA_7113)

    /// Each of the named beacons in every kind of event, and whatever comes beside it.
    static func events(of beacons: [BeaconID]) -> [OutputEvent] {
        beacons.flatMap { beacon -> [OutputEvent] in
            let ending = Interaction.Ending(at: noon + .seconds(90), reason: .departed)
            return [
                .interaction(
                    .init(kind: .started, time: noon, interaction: interaction(subject: .beacon(beacon)))),
                .present([interaction(subject: .beacon(beacon))]), .decodings([decodings(beacon)]),
                .interaction(
                    .init(
                        kind: .ended, time: noon,
                        interaction: interaction(subject: .beacon(beacon), ending: ending))),
            ]
        }
    }
}

extension Outputs {
    /// Outputs that have been told of the badge and the door.
    static func told(
        _ settings: OutputSettings, _ beacons: [NamedBeacon] = [Fixtures.namedBadge, Fixtures.door]
    ) -> Outputs {
        var outputs = Outputs(settings: settings, gateway: Fixtures.gateway)
        _ = outputs.handle(.named(beacons))
        return outputs
    }

    mutating func batch(_ event: OutputEvent) -> OutputBatch { handle(event).batch }
}

extension MQTTMessage {
    var text: String { String(decoding: payload, as: UTF8.self) }
}

/// Payloads that were compared with what their readers' code asks for.
enum Golden {
    /// The first line of a file.
    static func line(_ name: String) throws -> String {
        let bytes = try Repository.read("Tests/IntegrationsTests/Golden/\(name)")
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
