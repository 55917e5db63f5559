import Testing

@testable import Publishing
@testable import RecordContract

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

    // A broker of MQTT 3.1.1 has no other way to say that it doesn't allow a topic.
    @Test("What ends two connections alone is held to be refused; what was under way beside it isn't")
    func closed() throws {
        var states = RetainedStates()
        for topic in ["a/1", "b/1", "c/1"] { _ = states.set([1], topic: topic, expiry: nil) }
        #expect(all(&states, at: now) == ["a/1", "b/1", "c/1"])
        states.acknowledge("a/1")
        #expect(states.connectionClosed(own: nil, at: now) == nil)
        for (lost, expected) in [("b/1", nil), ("b/1", "b/1"), (nil, nil)] as [(String?, String?)] {
            states.beginAnew()
            #expect(all(&states, at: now) == ["a/1"])
            states.acknowledge("a/1")
            var next = states.next(at: now)?.topic
            while let topic = next, topic != lost {
                // Nothing is under way beside one that is suspected.
                #expect(states.next(at: now) == nil)
                states.acknowledge(topic)
                next = states.next(at: now)?.topic
            }
            #expect(next == lost)
            if lost != nil { #expect(states.connectionClosed(own: nil, at: now) == expected) }
        }
        #expect(states.areGiven)
        let later = now + RetainedStates.avoidance
        #expect(states.next(at: later - .seconds(1)) == nil)
        #expect(states.next(at: later)?.topic == "b/1")
        // The next time, one connection is enough.
        #expect(states.connectionClosed(own: nil, at: later) == "b/1")
        states.beginAnew()
        #expect(!all(&states, at: later + RetainedStates.avoidance).contains("b/1"))
    }

    @Test("A connection that ends once by chance holds nothing back: what was under way is tried alone, and taken")
    func coincidence() {
        var states = RetainedStates()
        _ = states.set([1], topic: "a", expiry: nil)
        #expect(all(&states, at: now) == ["a"])
        #expect(states.connectionClosed(own: nil, at: now) == nil)
        states.beginAnew()
        #expect(all(&states, at: now) == ["a"])
        states.acknowledge("a")
        _ = states.set([2], topic: "a", expiry: nil)
        #expect(all(&states, at: now) == ["a"])
        #expect(states.connectionClosed(own: nil, at: now) == nil)
    }

    @Test("Three of one family that end connections stand for all of it, until one of it is taken")
    func family() {
        var states = RetainedStates()
        let family = (1...200).map { "subject/\($0)/exposure" } + (1...200).map { "subject/s/\($0)" }
        for topic in family + ["stored"] { _ = states.set([1], topic: topic, expiry: nil) }
        var closed = 0
        var time = now
        func run() {
            states.beginAnew()
            while let message = states.next(at: time) {
                if message.topic.hasPrefix("subject/s/") {
                    _ = states.connectionClosed(own: nil, at: time)
                    closed += 1
                    states.beginAnew()
                } else {
                    states.acknowledge(message.topic)
                }
            }
        }
        run()
        #expect(closed <= 7, "not two for each of 200 topics")
        closed = 0
        time += RetainedStates.avoidance
        run()
        #expect(closed <= 3 * 2)
        #expect(states.areGiven)
    }
}
