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
        #expect(all(&states, at: now + .seconds(599)) == [])
        states.beginAnew()
        #expect(all(&states, at: now + .seconds(601)) == ["tool/1", "tool/2", "beacons/x/info"])
    }

    // Some brokers end the connection of whoever publishes what isn't theirs: each connection was lost by the same.
    @Test("A topic that the broker refuses waits longer each time, whatever is set there, and others don't")
    func refusedAgain() {
        var states = RetainedStates()
        for topic in ["b/1", "b/2"] { _ = states.set([1], topic: topic, expiry: nil) }
        #expect(all(&states, at: now) == ["b/1", "b/2"])
        states.refuse("b/1", own: nil, at: now)
        states.beginAnew()
        _ = states.set([2], topic: "b/1", expiry: nil)
        #expect(all(&states, at: now + .seconds(599)) == ["b/2"])
        // Without another connection.
        #expect(all(&states, at: now + .seconds(600)) == ["b/1"])
        states.refuse("b/1", own: nil, at: now + .seconds(600))
        states.beginAnew()
        #expect(all(&states, at: now + .seconds(1799)) == ["b/2"])
        #expect(all(&states, at: now + .seconds(1800)) == ["b/1"])
        states.acknowledge("b/1")
        states.beginAnew()
        #expect(all(&states, at: now + .seconds(1801)).sorted() == ["b/1", "b/2"])
    }
}
