import BeaconModel
import Testing

@testable import RecordContract

@Suite struct RecordFactoryTests {
    private func text(_ record: Record?, historical: Bool = false) -> String {
        record.map { String(decoding: $0.encoded(historical: historical), as: UTF8.self) } ?? ""
    }

    @Test("An interaction of the run before keeps the id that it had, whichever run ends it")
    func earlierRun() {
        var factory = Fixtures.factory(boot: 9)
        var event = Fixtures.event(.ended, number: 4)
        (event.interaction.run, event.interaction.continues, event.interaction.continuesRun) = (7, 3, 6)
        let json = text(factory.record(for: event, clockIsSynchronized: true))
        #expect(json.contains(#""interaction":"mcgill/trottier/3/gw-3a/7/i4""#), "\(json)")
        #expect(json.contains(#""continues":"mcgill/trottier/3/gw-3a/6/i3""#), "\(json)")
        #expect(json.contains(#""id":"mcgill/trottier/3/gw-3a/9/1""#), "\(json)")
    }

    @Test("Two badges that were too near each other make a record of their own, under the gateway's beacon")
    func socialDistance() throws {
        var factory = Fixtures.factory()
        func distance(_ metres: Double) -> DistanceEstimate {
            DistanceEstimate(
                metres: metres, lower: metres / 2, upper: metres * 2,
                probabilityWithin: Within(threeMetres: 1, sixMetres: 1))
        }
        let other = BeaconID(uuid: Fixtures.uuid, major: 7, minor: 2604)
        let event = SocialDistanceEvent(
            kind: .ended, time: Fixtures.noon + .seconds(60), first: Fixtures.badge, second: other,
            since: Fixtures.noon, until: Fixtures.noon + .seconds(40), reason: .apart, peakProbability: 0.87654,
            meanProbability: 0.7, distance: MutualDistance(metres: 1.234, lower: 0.2, upper: 2.5),
            firstDistance: distance(0.6), secondDistance: distance(0.8))
        let made = factory.record(for: event, within: 2, clockIsSynchronized: true)
        let record = try #require(made)
        #expect(
            record.topic
                == "beacons/v1/mcgill/trottier/3/gw-3a/beacon/e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2/social-distance")
        let json = text(record)
        for part in [
            #""type":"social-distance.ended""#, #""endReason":"apart""#, #""startedAt":"2020-11-15T12:00:00.000Z""#,
            #""endedAt":"2020-11-15T12:00:40.000Z""#, #""probability":{"mean":0.7,"peak":0.877,"within":2}"#,
            #""distance":{"lower":0.2,"metres":1.23,"upper":2.5}"#, #""minor":2603"#, #""minor":2604"#,
            #""sequence":1"#,
        ] { #expect(json.contains(part), "\(part) in \(json)") }
    }

    @Test("A record has every field of the contract, in one line with sorted keys")
    func contract() {
        var factory = Fixtures.factory()
        let record = factory.record(for: Fixtures.event(.ended), clockIsSynchronized: true)
        let place =
            #"{"beacon":{"major":1,"minor":2,"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"},"building":"trottier","#
            + #""floor":"3","gateway":"gw-3a","position":{"x":1.5,"y":2,"z":2.4},"room":"3060","site":"mcgill"}"#
        let expected =
            #"{"data":{"beacon":{"major":7,"minor":2603,"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"},"boot":3,"#
            + #""clProximity":2,"clock":"synchronized","connectedAt":"2020-11-15T12:00:00.000Z","#
            + #""counterpart":{"id":"mcgill/trottier/3/gw-3a","kind":"gateway"},"#
            + #""disconnectedAt":"2020-11-15T12:01:30.000Z","#
            + #""distance":{"lower":0.8,"metres":1.67,"upper":3.46},"endReason":"departed","#
            + #""endedAt":"2020-11-15T12:01:30.000Z","expectedMinutesWithin":{"3m":1.235,"6m":1.5},"#
            + #""historical":false,"interaction":"mcgill/trottier/3/gw-3a/3/i1","lastSeenAt":"2020-11-15T12:01:30.000Z","place":"#
            + place + #","probabilityWithin":{"3m":0.912,"6m":0.999},"proximity":"near","#
            + #""reception":{"heardShare":0.88,"intervalSeconds":0.105,"silenceSeconds":12.3},"#
            + #""rssi":{"max":-58,"median":-64,"min":-71},"samples":42,"sequence":1,"#
            + #""startedAt":"2020-11-15T12:00:00.000Z"},"datacontenttype":"application/json","id":"mcgill/trottier/3/gw-3a/3/1","#
            + #""source":"/mcgill/trottier/3/gw-3a","specversion":"1.0","time":"2020-11-15T12:02:00.000Z","#
            + #""type":"interaction.ended"}"#
        #expect(text(record) == expected)
        #expect(
            record?.topic
                == "beacons/v1/mcgill/trottier/3/gw-3a/beacon/e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/2603/interaction")
    }

    @Test("Ids count the records of one boot without gaps")
    func ids() {
        var factory = Fixtures.factory(boot: 9)
        let ids = [InteractionEvent.Kind.started, .updated, .ended].map {
            factory.record(for: Fixtures.event($0), clockIsSynchronized: true)?.id
        }
        #expect(ids == (1...3).map { "mcgill/trottier/3/gw-3a/9/\($0)" })
    }

    @Test("A record that waited out an outage says so, and is otherwise the same")
    func historical() {
        let record = Fixtures.records([.updated]).first
        #expect(text(record, historical: true).contains(#""historical":true"#))
        #expect(
            text(record, historical: true).replacing(#""historical":true"#, with: #""historical":false"#)
                == text(record))
    }

    @Test("An unsynchronized clock is said")
    func clock() {
        var factory = Fixtures.factory()
        let record = factory.record(for: Fixtures.event(.started), clockIsSynchronized: false)
        #expect(text(record).contains(#""clock":"unsynchronized""#))
    }

    @Test("A phone is published under the gateway's own beacon, by a pseudonym, without its identifier")
    func phone() {
        let identifier = RollingProximityIdentifier(bits: 0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF)
        let pseudonymizer = Pseudonymizer(secret: Array("0123456789abcdef".utf8))
        var factory = Fixtures.factory(pseudonymizer: pseudonymizer)
        let event = InteractionEvent(
            kind: .started, time: Fixtures.noon,
            interaction: Fixtures.interaction(subject: .exposureNotification(identifier)))
        let record = factory.record(for: event, clockIsSynchronized: true)
        #expect(record?.topic.hasSuffix("/1/2/interaction") == true)
        #expect(text(record).contains(#""kind":"exposure-notification""#))
        #expect(!text(record).lowercased().contains("00112233"))
    }

    @Test("A phone of an app is published by the app's name and a pseudonym, without address or code")
    func contactApps() {
        let pseudonymizer = Pseudonymizer(secret: Array("0123456789abcdef".utf8))
        var factory = Fixtures.factory(pseudonymizer: pseudonymizer)
        var texts: [String] = []
        let address = BluetoothAddress(bits: 0xC011_2233_4401)
        let subjects = ContactApp.allCases.flatMap { [Subject.contactApp($0, address), .contactUser($0, 123_456_789)] }
        for subject in subjects {
            let event = InteractionEvent(
                kind: .started, time: Fixtures.noon, interaction: Fixtures.interaction(subject: subject))
            texts.append(text(factory.record(for: event, clockIsSynchronized: true)))
        }
        let kinds = ["ble-proximity", "ble-proximity", "further", "further", "c19x", "c19x", "herald", "herald"]
        for (text, kind) in zip(texts, kinds) {
            #expect(text.contains("\"kind\":\"\(kind)\""))
            #expect(!text.lowercased().contains("33:44"))
            #expect(!text.contains("123456789"))
        }
        let pseudonyms = texts.compactMap {
            $0.split(separator: "\"counterpart\":{\"id\":\"").dropFirst().first?.prefix(32)
        }
        #expect(Set(pseudonyms).count == subjects.count)
    }

    @Test("Without a key phones aren't published, and are counted")
    func phoneWithoutKey() {
        var factory = Fixtures.factory()
        let event = InteractionEvent(
            kind: .started, time: Fixtures.noon,
            interaction: Fixtures.interaction(
                subject: .exposureNotification(RollingProximityIdentifier(bits: 1))))
        #expect(factory.record(for: event, clockIsSynchronized: true) == nil)
        #expect(factory.unpublishable == 1)
        let next = factory.record(for: Fixtures.event(.started), clockIsSynchronized: true)
        #expect(next?.sequence == 1, "what isn't published makes no gap")
    }
}
