import BeaconModel
import BlueZScanner
import Integrations
import Proximity
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import GatewayCore
@testable import GatewayCoreTests
@testable import GatewayDaemon

@Suite struct RetainedTopicsFileTests {
    private func topics() -> RetainedTopics {
        let place = Place(site: "s", building: "b", floor: "1", gateway: "g")
        let gateway = OutputGateway(place: place, topics: Topics(prefix: "b", place: place), version: "0")
        var outputs = Outputs(settings: OutputSettings(homeAssistant: .init()), gateway: gateway)
        _ = outputs.handle(.named([NamedBeacon(beacon: Capture.badge, name: "Anna")]))
        return outputs.retained
    }

    @Test("What was written is read again; without a file there is nothing")
    func roundTrip() throws {
        let directory = try TemporaryDirectory()
        let file = RetainedTopicsFile(path: directory.path + "/outputs.json")
        #expect(try file.read() == RetainedTopics())
        try file.write(topics())
        #expect(try file.read() == topics())
        #expect(topics() != RetainedTopics())
    }

    @Test("A damaged file is said to be so, with what it means and what to do")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let file = RetainedTopicsFile(path: try directory.write("outputs.json", "{\"published\":[\"a\""))
        let error = #expect(throws: DamagedRetainedTopics.self) { try file.read() }
        #expect(error?.what == "\(file.path) is damaged")
        #expect(error?.remedy != nil)
    }
}

@Suite struct CountedDecodingsTests {
    /// What was decoded of a capture with the badge twice, another beacon of its UUID, and a stranger's.
    private func decodings(_ tally: DecodingTally?, of beacons: Set<BeaconID>) throws -> [BeaconDecodings] {
        var capture = Capture()
        capture.addBeacon(rssi: -60)
        capture.addBeacon(rssi: -64)
        capture.addBeacon(BeaconID(uuid: Capture.badge.uuid, major: 7, minor: 1))
        capture.addBeacon(BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 1))
        let directory = try TemporaryDirectory()
        var file = try BTSnoopFile(path: directory.write("capture", capture.bytes))
        let batch = try #require(try file.next(limit: 100))
        var ingest = Ingest(
            audience: Audience(listedUUIDs: [Capture.badge.uuid], includesPhones: false), rules: InteractionRules(),
            decodings: tally)
        ingest.countDecodings(of: beacons)
        var output = IngestOutput()
        ingest.receive(batch, into: &output)
        return ingest.finishDecodings()
    }

    @Test("Packets of named beacons are counted, and of nobody else, not even where a stranger is named")
    func counted() throws {
        let stranger = BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 1)
        let decodings = try decodings(DecodingTally(), of: [Capture.badge, stranger])
        #expect(decodings.map(\.beacon) == [Capture.badge])
        #expect(decodings.first?.receivers.map(\.count) == [2])
        #expect(decodings.first?.receivers.map(\.rssi) == [-62])
        #expect(decodings.first?.measuredPower == -59)
    }

    @Test("Where nobody asks for them, none are")
    func uncounted() throws { #expect(try decodings(nil, of: [Capture.badge]).isEmpty) }
}
