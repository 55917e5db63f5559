import Testing
import Watching

@Suite struct MatcherObservationTests {
    private func observation(
        role: MatcherObservation.Role = .active, store: MatcherObservation.Store = .writable,
        broker: MatcherObservation.Broker = .subscribed, publisher: MatcherObservation.Publisher = .connected,
        lastStoredAge: Duration? = nil
    ) -> MatcherObservation {
        MatcherObservation(
            role: role, store: store, broker: broker, publisher: publisher, lastStoredAge: lastStoredAge)
    }

    @Test("A matcher that is subscribed, stores and publishes is live")
    func live() {
        #expect(observation().liveness.isLive)
        #expect(
            observation(lastStoredAge: .seconds(3)).liveness.statusLine
                == "receiving, storing, delivering; records were last stored 3 s ago")
    }

    @Test("A standby is not live, and says that it stands by")
    func standby() {
        let liveness = observation(role: .standby(clientID: "matcher")).liveness
        #expect(!liveness.isLive)
        #expect(
            liveness.statusLine
                == "standby, another matcher with the client identifier matcher is active")
    }

    @Test("A write that fails makes storing fail")
    func store() {
        let liveness = observation(store: .failing(what: "the disk is full", remedy: "free space")).liveness
        #expect(liveness.storing == .failing(what: "the disk is full", remedy: "free space"))
        #expect(liveness.receiving.isWorking)
    }

    @Test("Before the first connection the matcher is starting; a lost connection is a failure")
    func broker() {
        #expect(
            observation(broker: .away(complaint: nil, isFirst: true), publisher: .connecting).liveness.receiving
                == .starting("connection to the broker"))
        let lost = observation(broker: .away(complaint: nil, isFirst: false), publisher: .lost).liveness
        #expect(!lost.receiving.isWorking)
        #expect(lost.statusLine.hasPrefix("not receiving: the broker is not connected"))
    }
}
