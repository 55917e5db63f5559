import BeaconModel
import ModuleEmulator
import Testing

@testable import Integrations
@testable import RecordContract
@testable import RecordContractTests

@Suite struct OutputsTests {
    @Test("With nothing switched on nothing is published, whatever happens")
    func nothingOn() {
        var outputs = Outputs.told(.init())
        for event in Fixtures.events(of: [Fixtures.badge]) + [
            Fixtures.health(), .radio(.deaf, addresses: [:]), .stopping,
        ] {
            let (batch, hasChanged) = outputs.handle(event)
            #expect(batch.isEmpty)
            #expect(!hasChanged)
        }
        #expect(outputs.subscriptions.isEmpty)
    }

    @Test("No output says anything of an unlisted beacon or a phone, or any address but the adapter's own")
    func leaks() {
        var outputs = Outputs(settings: Fixtures.everyOutput, gateway: Fixtures.gateway)
        let phoneAddress = BluetoothAddress(bits: 0x5AFE_C0DE_1234)
        let badgeAddress = BluetoothAddress(bits: 0xC011_2233_4401)
        var messages: [MQTTMessage] = []
        func take(_ event: OutputEvent) {
            let batch = outputs.handle(event).batch
            messages += batch.gateway + batch.homie
        }
        take(.named([Fixtures.namedBadge, Fixtures.door]))
        take(.radio(.hearing, addresses: [Adapter(index: 0): Fixtures.adapterAddress]))
        for event in Fixtures.events(of: [Fixtures.badge, Fixtures.stranger, Fixtures.door.beacon]) { take(event) }
        let phones: [Subject] = [
            .contactApp(.c19x, phoneAddress), .contactUser(.herald, 0xFEED_FACE_CAFE_BEEF),
            .exposureNotification(RollingProximityIdentifier(bits: 0xDEAD_BEEF)),
        ]
        for phone in phones {
            take(
                .interaction(
                    .init(kind: .started, time: Fixtures.noon, interaction: Fixtures.interaction(subject: phone))))
            take(.present([Fixtures.interaction(subject: phone)]))
        }
        take(Fixtures.health(secondsLeft: 5))
        take(.stopping)
        let everything = messages.map { $0.topic + " " + $0.text }.joined(separator: "\n").lowercased()
        #expect(messages.count > 20)
        #expect(everything.contains("001a7dda7113"))
        let forbidden =
            [
                Fixtures.stranger.uuid.description, TopicLevel.hexadecimal(Fixtures.stranger.uuid.bytes), "666", "667",
                "feedfacecafebeef", "\(0xFEED_FACE_CAFE_BEEF as UInt64)", "deadbeef",
            ]
            + [phoneAddress, badgeAddress].flatMap { address in
                [
                    address.description.lowercased(), address.description.lowercased().filter { $0 != ":" },
                    String(address.description.lowercased().split(separator: ":").reversed().joined()),
                ]
            }
        for secret in forbidden { #expect(!everything.contains(secret), "\(secret)") }
    }

    @Test("Every topic of an output is made of levels that every broker takes, and short enough")
    func safeTopics() {
        var outputs = Outputs.told(Fixtures.everyOutput)
        var messages: [MQTTMessage] = []
        for event in Fixtures.events(of: [Fixtures.badge]) + [.named([Fixtures.namedBadge]), Fixtures.health()] {
            let batch = outputs.batch(event)
            messages += batch.gateway + batch.homie
        }
        #expect(messages.count > 10)
        for message in messages {
            // Homie's own attributes begin with a dollar sign.
            #expect(TopicLevel.areSafe(message.topic.filter { $0 != "$" }), "\(message.topic)")
            #expect(message.topic.utf8.count <= Topics.longestTopic)
        }
    }

    @Test("A table whose topics would be too long is named")
    func longTopics() {
        var settings = Fixtures.everyOutput
        #expect(Outputs.tablesWithLongTopics(settings, gateway: Fixtures.gateway).isEmpty)
        settings.raddec?.prefix = String(repeating: "p", count: 180)
        settings.homeAssistant?.discoveryPrefix = String(repeating: "p", count: 120)
        #expect(
            Outputs.tablesWithLongTopics(settings, gateway: Fixtures.gateway) == ["home-assistant", "raddec"])
    }

    @Test("A thousand beacons that come and go leave no more behind than a bound")
    func bounded() {
        var outputs = Outputs(settings: Fixtures.everyOutput, gateway: Fixtures.gateway)
        for round in 0..<40 as Range<UInt16> {
            let beacons = (0..<100 as Range<UInt16>).map {
                NamedBeacon(
                    beacon: BeaconID(uuid: Fixtures.uuid, major: round, minor: $0), name: "\(round)-\($0)")
            }
            _ = outputs.handle(.named(beacons))
        }
        #expect(outputs.retained.published.count < 1000)
        #expect(outputs.retained.emptied.count <= RetainedTopics.mostEmptied)
    }

    @Test("What is kept of retained topics is the same when it was written and read")
    func codable() throws {
        let retained = Outputs.told(Fixtures.everyOutput).retained
        #expect(try JSON.decode(RetainedTopics.self, from: JSON.encode(retained)) == retained)
        #expect(!retained.published.isEmpty)
    }
}

@Suite struct TopicLevelTests {
    @Test(
        "Any text is a level: lower case, without marks, hyphens for what is neither letter nor digit",
        arguments: [
            ("3060", "3060"), ("Entrance hall", "entrance-hall"), ("  Küche / OG.1  ", "kuche-og-1"),
            ("Straße", "strasse"), ("Ærø", "aero"), ("a//b", "a-b"), ("Łódź", "lodz"),
            (String(repeating: "ab ", count: 100), "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-a"),
        ])
    func slugs(text: String, slug: String) { #expect(TopicLevel.slug(text) == slug) }

    @Test("A text of which nothing remains is a number, another for another text", arguments: ["会議室", "", "..", "/+#"])
    func nothingLeft(text: String) {
        let slug = TopicLevel.slug(text)
        #expect(TopicLevel.areSafe(slug))
        #expect(slug.utf8.count == 9)
        #expect(slug != TopicLevel.slug(text + "室"))
    }

    @Test(
        "Levels that a broker refuses are told", arguments: ["", "a.b", "a b", "a//b", "/a", "a/", "+", "#", "$a", "ü"])
    func unsafe(topic: String) { #expect(!TopicLevel.areSafe(topic)) }

    @Test("Levels that every broker takes are told", arguments: ["a", "espresense/devices", "A_b-9"])
    func safe(topic: String) { #expect(TopicLevel.areSafe(topic)) }
}
