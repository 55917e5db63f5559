import BeaconModel
import Testing

@testable import RecordContract

@Suite struct TopicsTests {
    @Test("A level is made of a-z, 0-9 and hyphens", arguments: ["a", "3", "gw-3a"])
    func goodLevel(level: String) { #expect(Topics.isLevel(level)) }

    @Test("Anything else is no level", arguments: ["", "A", "a.b", "a b", "a/b", "ü", "#", "+", "a\u{0}"])
    func badLevel(level: String) { #expect(!Topics.isLevel(level)) }

    @Test("The longest topic stays below 200 bytes, or the place is refused")
    func length() {
        #expect(Fixtures.topics.isShortEnough)
        var place = Fixtures.place
        place.gateway = String(repeating: "g", count: 120)
        #expect(!Topics(prefix: "beacons", place: place).isShortEnough)
    }
}
