import Testing

@testable import MQTTBridge

@Suite struct RetainedStatesTests {
    private let now = ContinuousClock.now

    private func all(_ states: inout RetainedStates, at time: ContinuousClock.Instant) -> [String] {
        var topics: [String] = []
        while let message = states.next(at: time) { topics.append(message.topic) }
        return topics
    }

    @Test("Only what is new is given to the broker, in the order in which it was set; another connection is given all")
    func order() {
        var states = RetainedStates()
        let news = ["b", "a", "c", "b"].map { states.set(Array($0.utf8), topic: $0, expiry: nil) }
        #expect(news == [true, true, true, false])
        #expect(all(&states, at: now) == ["b", "a", "c"])
        #expect(states.areGiven)
        states.beginAnew()
        #expect(all(&states, at: now) == ["b", "a", "c"])
    }

    @Test("What was emptied is forgotten once the broker has it")
    func emptied() {
        var states = RetainedStates()
        _ = states.set([1], topic: "a", expiry: nil)
        _ = states.set([], topic: "a", expiry: nil)
        #expect(all(&states, at: now) == ["a"])
        states.acknowledge("a")
        states.beginAnew()
        #expect(all(&states, at: now) == [])
    }

    @Test("Where the broker refuses one nothing is tried for ten minutes, but beside the gateway's own topics always")
    func refused() {
        var states = RetainedStates()
        for topic in ["tool/1", "tool/2", "beacons/x/info"] { _ = states.set([1], topic: topic, expiry: nil) }
        #expect(all(&states, at: now).count == 3)
        states.refuse("tool/1", own: "beacons/x/status", at: now)
        states.refuse("beacons/x/info", own: "beacons/x/status", at: now)
        states.beginAnew()
        #expect(all(&states, at: now + .seconds(599)) == ["beacons/x/info"])
        states.beginAnew()
        #expect(all(&states, at: now + .seconds(601)) == ["tool/1", "tool/2", "beacons/x/info"])
    }
}
