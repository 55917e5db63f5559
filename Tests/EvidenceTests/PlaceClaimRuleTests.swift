import Testing

@testable import Evidence

@Suite("Which beacon hangs at a receiver's place") struct PlaceClaimRuleTests {
    private static let receiver = "campus/main/1/east"

    private func verdict(
        of receiver: String = receiver, _ change: (inout PlaceClaimRule.Knowledge) -> Void = { _ in }
    ) -> PlaceClaimRule.Verdict {
        var knowledge = PlaceClaimRule.Knowledge()
        change(&knowledge)
        return PlaceClaimRule(beacon: "b", receiver: receiver, knowledge: knowledge).verdict
    }

    @Test func `The first that names a beacon has it, with its remote receivers, and its floor shares it`() {
        #expect(verdict() == .owner)
        for receiver in [Self.receiver, "campus/main/1/east/module-1"] {
            #expect(verdict(of: receiver) { $0.owner = Self.receiver } == .owner)
        }
        #expect(verdict(of: "campus/main/1/west") { $0.owner = Self.receiver } == .shared)
    }

    @Test(arguments: ["campus/main/2/east", "campus/other/1/east", "elsewhere/main/1/east", "campus/main/10/east"])
    func `A gateway of another floor takes over no place`(other: String) {
        #expect(verdict(of: other) { $0.owner = Self.receiver } == .refused(.ofAnother))
        #expect(
            verdict(of: other) { ($0.owner, $0.isConfigured) = (Self.receiver, true) } == .refused(.ofAnother))
        #expect(verdict(of: other) { $0.accepted = Self.receiver } == .refused(.ofAnother))
    }

    @Test func `What somebody carries is no place's by a gateway's word`() {
        #expect(verdict { $0.isOfPerson = true } == .refused(.ofPerson))
        #expect(verdict { $0.wasErased = true } == .refused(.erased))
        #expect(verdict { $0.wasHeardElsewhere = true } == .refused(.heardElsewhere))
        // Also when it was believed before.
        #expect(verdict { ($0.owner, $0.wasHeardElsewhere) = (Self.receiver, true) } == .refused(.heardElsewhere))
    }

    @Test func `A receiver has one beacon, and a gateway a few dozen`() {
        #expect(verdict { $0.other = "c" } == .refused(.another))
        #expect(verdict { ($0.other, $0.owner) = ("c", Self.receiver) } == .owner)
        #expect(verdict { $0.countOfGateway = PlaceClaimRule.mostOfGateway - 1 } == .owner)
        #expect(verdict { $0.countOfGateway = PlaceClaimRule.mostOfGateway } == .refused(.tooMany))
    }

    @Test func `An operator decides against everything, and the configuration against what was heard`() {
        func everything(_ knowledge: inout PlaceClaimRule.Knowledge) {
            (knowledge.isOfPerson, knowledge.wasErased, knowledge.wasHeardElsewhere) = (true, true, true)
            (knowledge.other, knowledge.owner) = ("c", "campus/main/2/east")
        }
        #expect(
            verdict {
                everything(&$0)
                $0.accepted = Self.receiver
            } == .owner)
        #expect(
            verdict {
                everything(&$0)
                ($0.accepted, $0.isDenied) = (Self.receiver, true)
            } == .refused(.denied))
        #expect(
            verdict { ($0.isConfigured, $0.isOfPerson, $0.other, $0.countOfGateway) = (true, true, "c", 100) } == .owner
        )
        // It says that the beacon hangs, and not where.
        #expect(verdict { ($0.isConfigured, $0.wasHeardElsewhere) = (true, true) } == .refused(.heardElsewhere))
        #expect(
            verdict { ($0.isConfigured, $0.wasHeardElsewhere, $0.owner) = (true, true, Self.receiver) } == .owner)
    }
}
