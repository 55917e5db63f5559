import BeaconModel
import TestValues
import Testing

@testable import RecordContract

@Suite struct TopicAccessTests {
    @Test(
        "Whoever sends on a channel of the contract, and nobody else, may publish there",
        arguments: Contract.all.map(\.name))
    func channel(name: String) throws {
        let contract = try #require(Contract.named(name))
        let access = try #require(
            TopicAccess.named(name), "give it a row in TopicAccess, and the files of deploy/ its rule")
        let sender = try #require(TopicAccess.Role(rawValue: contract.sender.rawValue))
        #expect(access.address == TopicAccess.root + contract.address)
        #expect(access.writers == [sender])
    }

    @Test func `Each channel of the AsyncAPI document is in the table`() {
        let addresses = Contract.asyncAPI.split(separator: "\n").compactMap { line -> String? in
            let parts = line.split(separator: "'")
            return parts.first == "    address: " && parts.count == 2 ? String(parts[1]) : nil
        }
        #expect(addresses.count == Contract.all.count)
        for address in addresses {
            #expect(TopicAccess.all.contains { $0.topic(prefix: "{prefix}", [:]) == address }, "\(address)")
        }
    }

    private static let beacon = BeaconID(uuid: Fixtures.uuid, major: 3, minor: 1)
    private static let topics = Fixtures.topics

    @Test(
        "Each topic of a gateway has a form",
        arguments: [
            (topics.status, "status"), (topics.info, "info"), (topics.health, "health"), (topics.readings, "readings"),
            (topics.signals, "signals"), (topics.configuration, "configuration"),
            (topics.stored, "stored"), (topics.interaction(beacon), "interaction"),
            (topics.presence(beacon), "presence"),
            (topics.socialDistance(beacon), "social-distance"), (topics.command(named: "reset"), "command"),
            (topics.reply("reset"), "reply"), (topics.moduleState("door"), "module-state"),
            (topics.moduleEvent("door"), "module-event"),
        ])
    func form(topic: String, name: String) {
        #expect(TopicAccess.of(topic, prefix: "beacons")?.name == name)
    }

    @Test(
        "No other topic has one",
        arguments: [
            "beacons/v1/s/b/1/g", "beacons/v1/s/b/1/g/x", "beacons/v2/s/b/1/g/status", "other/v1/s/b/1/g/status",
            "beacons/v1/s//1/g/status", "beacons/v1/subject/k", "",
        ])
    func noForm(topic: String) { #expect(TopicAccess.of(topic, prefix: "beacons") == nil) }

    @Test func `A gateway and a subject have nothing of others'`() {
        for access in TopicAccess.all {
            for role in [TopicAccess.Role.gateway, .subject] {
                #expect(!access.mayPublish(role, isOwn: false))
                #expect(!access.mayRead(role, isOwn: false, checksDelivery: false))
            }
        }
    }

    @Test func `The guide has the table of who may do what`() throws {
        let guide = try String(decoding: Repository.read("docs/guide/access.md"), as: UTF8.self)
        #expect(guide.contains(TopicAccess.table + "\n"), "put TopicAccess.table there:\n\(TopicAccess.table)")
    }
}
