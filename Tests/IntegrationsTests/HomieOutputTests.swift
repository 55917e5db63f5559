import BeaconModel
import Testing

@testable import Integrations
@testable import RecordContract
@testable import RecordContractTests

@Suite struct HomieOutputTests {
    private let settings = OutputSettings(homie: .init())
    private static let root = "homie/5/bg-mcgill-trottier-3-gw-3a-\(digest)"
    private static let digest = TopicLevel.digest(of: "mcgill/trottier/3/gw-3a", count: 4)
    private static let child = root + "-e2c56db5dffb48d2b060d0f5a71096e0-7-2603"
    private static let door = root + "-e2c56db5dffb48d2b060d0f5a71096e0-3-1"

    private func announced(_ beacons: [NamedBeacon] = [Fixtures.namedBadge, Fixtures.door]) -> [MQTTMessage] {
        var outputs = Outputs(settings: settings, gateway: Fixtures.gateway)
        return outputs.batch(.named(beacons)).homie
    }

    private func values(_ messages: [MQTTMessage]) -> [String: String] {
        [String: String](messages.map { ($0.topic, $0.text) }) { $1 }
    }

    @Test("Everything is retained and on Homie's own connection, below prefix and version")
    func retained() {
        var outputs = Outputs(settings: settings, gateway: Fixtures.gateway)
        let batch = outputs.batch(.named([Fixtures.namedBadge, Fixtures.door]))
        #expect(batch.gateway.isEmpty)
        #expect(!batch.homie.isEmpty)
        #expect(batch.homie.allSatisfy { $0.isRetained && $0.topic.hasPrefix("homie/5/") })
    }

    @Test("A device is in init until its description and its first values are there, and then ready")
    func lifecycle() {
        let ofChild = announced().filter { $0.topic.hasPrefix(Self.child + "/") }
        #expect(
            ofChild.first == MQTTMessage(topic: Self.child + "/$state", payload: Array("init".utf8), isRetained: true))
        #expect(ofChild.dropFirst().first?.topic == Self.child + "/$description")
        #expect(
            ofChild.last == MQTTMessage(topic: Self.child + "/$state", payload: Array("ready".utf8), isRetained: true))
    }

    @Test(
        "Descriptions of the gateway, a badge and a module",
        arguments: [(root, "homie-gateway.json"), (child, "homie-beacon.json"), (door, "homie-module.json")])
    func descriptions(device: String, file: String) throws {
        let message = try #require(announced().first { $0.topic == device + "/$description" })
        let expected = try Golden.line(file)
        #expect(message.text == expected)
    }

    @Test("Identifiers are made of a-z, 0-9 and hyphens, and begin and end with neither")
    func identifiers() {
        for message in announced() {
            let levels = message.topic.split(separator: "/").filter { !$0.hasPrefix("$") }
            #expect(levels.allSatisfy { Topics.isLevel(String($0)) && !$0.hasPrefix("-") && !$0.hasSuffix("-") })
        }
    }

    @Test("Places whose levels give the same name have two identifiers")
    func distinctPlaces() {
        func identifier(_ site: String, _ building: String) -> String {
            let place = Place(site: site, building: building, floor: "1", gateway: "g")
            let gateway = OutputGateway(place: place, topics: Topics(prefix: "b", place: place), version: "0")
            return HomieOutput(gateway: gateway, settings: .init()).rootID
        }
        #expect(identifier("a-b", "c") != identifier("a", "b-c"))
        #expect(identifier("a", "b") == "bg-a-b-1-g")
    }

    @Test("The root's state is lost by will, init when the connection is made, disconnected at its end")
    func announcement() throws {
        let announcement = try #require(Outputs.told(settings).homieAnnouncement)
        let messages = [
            announcement.will, announcement.online(Fixtures.noon), announcement.farewell(Fixtures.noon),
        ]
        #expect(messages.map(\.text) == ["lost", "init", "disconnected"])
        #expect(messages.allSatisfy { $0.topic == Self.root + "/$state" && $0.isRetained })
        #expect(Outputs(settings: .init(), gateway: Fixtures.gateway).homieAnnouncement == nil)
    }

    @Test("Presence, proximity and distance with its bounds follow the interaction")
    func interaction() {
        var outputs = Outputs.told(settings)
        let present = values(outputs.batch(.interaction(Fixtures.event(.started))).homie)
        #expect(
            present == [
                Self.child + "/beacon/presence": "present", Self.child + "/beacon/proximity": "near",
                Self.child + "/beacon/distance": "1.67", Self.child + "/beacon/distance-lower": "0.8",
                Self.child + "/beacon/distance-upper": "3.46",
            ])
        let absent = values(outputs.batch(.interaction(Fixtures.event(.ended))).homie)
        #expect(absent[Self.child + "/beacon/presence"] == "absent")
        #expect(absent[Self.child + "/beacon/distance"] == "")
    }

    @Test("What hasn't changed isn't published again")
    func unchanged() {
        var outputs = Outputs.told(settings)
        #expect(outputs.batch(.interaction(Fixtures.event(.started))).homie.count == 5)
        #expect(outputs.batch(.interaction(Fixtures.event(.updated))).isEmpty)
        #expect(outputs.batch(.named([Fixtures.namedBadge, Fixtures.door])).isEmpty)
    }

    @Test(
        "Who is lost or was here at the end isn't known to be away", arguments: [Interaction.EndReason.lost, .shutdown])
    func unknown(reason: Interaction.EndReason) {
        var outputs = Outputs.told(settings)
        _ = outputs.batch(.interaction(Fixtures.event(.started)))
        let interaction = Fixtures.interaction(ending: .init(at: Fixtures.noon, reason: reason))
        let batch = outputs.batch(.interaction(.init(kind: .ended, time: Fixtures.noon, interaction: interaction)))
        #expect(values(batch.homie)[Self.child + "/beacon/presence"] == "unknown")
    }

    @Test("The gateway's radio, rate and outbox are properties; a deaf radio is an alert until it hears")
    func gateway() {
        var outputs = Outputs.told(settings)
        let deaf = values(outputs.batch(.radio(.deaf, addresses: [:])).homie)
        #expect(deaf[Self.root + "/gateway/radio"] == "deaf")
        #expect(deaf[Self.root + "/$alert/radio"]?.isEmpty == false)
        #expect(values(outputs.batch(.radio(.hearing, addresses: [:])).homie)[Self.root + "/$alert/radio"] == "")
        #expect(
            values(outputs.batch(Fixtures.health(secondsLeft: 3600.4)).homie) == [
                Self.root + "/gateway/reports-per-second": "12.3", Self.root + "/gateway/outbox-records": "5",
                Self.root + "/gateway/outbox-time-left": "3600",
            ])
        #expect(
            values(outputs.batch(Fixtures.health()).homie) == [Self.root + "/gateway/outbox-time-left": ""])
    }

    @Test("A number of seconds that no integer holds is none", arguments: [Double.infinity, .nan, 1e300])
    func hostileNumber(seconds: Double) {
        var outputs = Outputs.told(settings)
        #expect(values(outputs.batch(Fixtures.health(secondsLeft: seconds)).homie).count == 2)
    }

    @Test("A module's state is a property of its beacon")
    func module() {
        var outputs = Outputs.told(settings)
        let batch = outputs.batch(.module(name: "door", state: "advertising"))
        #expect(values(batch.homie) == [Self.door + "/module/state": "advertising"])
        #expect(outputs.batch(.module(name: "door", state: "on fire")).isEmpty)
        #expect(outputs.batch(.module(name: "other", state: "failed")).isEmpty)
    }

    @Test("A device that is no more loses its state first, then the rest; the gateway's description no longer names it")
    func removal() {
        var outputs = Outputs.told(settings)
        let messages = outputs.batch(.named([Fixtures.door])).homie
        let removed = messages.filter { $0.topic.hasPrefix(Self.child + "/") }
        #expect(removed.first?.topic == Self.child + "/$state")
        #expect(removed.allSatisfy { $0.payload.isEmpty })
        #expect(removed.contains { $0.topic == Self.child + "/$description" })
        let description = values(messages)[Self.root + "/$description"]
        #expect(description?.contains("-7-2603") == false)
        #expect(!messages.contains { $0.topic.hasPrefix(Self.door + "/") })
    }

    @Test("A value of the run before that isn't known yet is emptied at the start")
    func staleValues() {
        var before = Outputs.told(settings)
        _ = before.batch(.interaction(Fixtures.event(.started)))
        var outputs = Outputs(settings: settings, gateway: Fixtures.gateway, retained: before.retained)
        let start = values(outputs.batch(.named([Fixtures.namedBadge, Fixtures.door])).homie)
        #expect(start[Self.child + "/beacon/distance"] == "")
        #expect(start[Self.child + "/beacon/presence"] == "unknown")
        #expect(start[Self.child + "/$state"] == "ready")
    }

    @Test("At the end the children are disconnected; the root is so by its connection's farewell")
    func stopping() {
        var outputs = Outputs.told(settings)
        #expect(
            values(outputs.batch(.stopping).homie) == [
                Self.child + "/$state": "disconnected", Self.door + "/$state": "disconnected",
            ])
    }
}
