import Testing

@testable import VirtualController

/// In which ways the virtual controller fails, and what ends each.
@Suite struct ConditionTests {
    @Test(
        "Every way to fail keeps reports back until its own end",
        arguments: [("hang", "recover"), ("mute", "unmute"), ("wedge", "unmute"), ("quiet", "loud")])
    func ends(fault: String, end: String) throws {
        var condition = Condition()
        #expect(condition.reports)
        condition.follow(try #require(ControlCommand(rawValue: fault)))
        #expect(!condition.reports)
        for other in ["plug", "calm", "flood", "hardware-error"] {
            condition.follow(try #require(ControlCommand(rawValue: other)))
            #expect(!condition.reports)
        }
        condition.follow(try #require(ControlCommand(rawValue: end)))
        #expect(condition.reports)
    }

    @Test("A reset cures what is wedged, and nothing else", arguments: ["hang", "mute", "wedge", "quiet"])
    func reset(fault: String) throws {
        var condition = Condition()
        // A wedge of before is no excuse.
        condition.follow(.wedge)
        condition.follow(.unmute)
        condition.follow(try #require(ControlCommand(rawValue: fault)))
        condition.controllerWasReset()
        #expect(condition.reports == (fault == "wedge"))
    }
}
