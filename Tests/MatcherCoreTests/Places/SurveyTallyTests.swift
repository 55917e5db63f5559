import BeaconModel
import Evidence
import Localisation
import Matching
import Testing

@testable import MatcherCore

@Suite("What is heard at a spot of a survey") struct SurveyTallyTests {
    private static let badge = SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/9")!
    private static let other = SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/8")!

    private static func signals(_ receiver: String, second: Int64, _ rssi: [SubjectIdentity: Double]) -> SignalsRecord {
        SignalsRecord(
            gateway: receiver, receiver: receiver,
            place: PlaceName(
                key: receiver, site: "s", building: "b", floor: "0", gateway: receiver),
            position: nil, boot: 1, number: UInt64(second), second: second, listened: 1, clockIsSynchronized: true,
            subjects: rssi.map { .init(identity: $0.key, count: 1, rssi: $0.value) })
    }

    @Test func `Each receiver's seconds with the badge are counted, with their mean`() {
        var tally = SurveyTally(badge: Self.badge, building: "s/b")
        tally.add(Self.signals("s/b/0/east", second: 1, [Self.badge: -60, Self.other: -40]))
        tally.add(Self.signals("s/b/0/east", second: 2, [Self.badge: -64]))
        tally.add(Self.signals("s/b/1/west", second: 2, [Self.other: -50]))
        tally.add(Self.signals("s/c/0/far", second: 2, [Self.badge: -50]))
        #expect(tally.signals == [.init(receiver: "s/b/0/east", rssi: -62, seconds: 2)])
        #expect(tally.gateways == ["s/b/0/east", "s/b/1/west"])
        #expect(tally.summary.receivers == 1 && tally.summary.strongest == -62)
    }

    @Test func `A spot begins with nothing, and a second that comes twice counts once`() {
        var tally = SurveyTally(badge: Self.badge, building: "s/b")
        tally.add(Self.signals("s/b/0/east", second: 1, [Self.badge: -60]))
        tally.begin()
        #expect(tally.signals.isEmpty && tally.gateways.count == 1)
        for _ in 0..<2 { tally.add(Self.signals("s/b/0/east", second: 5, [Self.badge: -70])) }
        #expect(tally.signals == [.init(receiver: "s/b/0/east", rssi: -70, seconds: 1)])
    }
}
