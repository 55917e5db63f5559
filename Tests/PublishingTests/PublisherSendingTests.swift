import BeaconModel
import Testing

@testable import Publishing
@testable import RecordContract

@Suite("PublisherMachine: sending") struct PublisherSendingTests {
    @Test("A full window is filled again by shares, and records are confirmed only when the broker has them")
    func window() {
        var publisher = PlayedPublisher.connected(window: 8)
        publisher.append(1...10)
        #expect(publisher.said() == ["fetch 8", "send records 1 2 3 4 5 6 7 8"])
        publisher.append(11...11)
        #expect(publisher.said() == [])
        publisher.acknowledge(1)
        #expect(publisher.said() == ["confirm 1"])
        publisher.acknowledge(2)
        #expect(publisher.said() == ["confirm 2", "fetch 2", "send records 9 10"])
        #expect(publisher.confirmed == [1, 2])
        #expect(publisher.machine.acknowledgedRecords == 2)
    }

    @Test("A broker's smaller window is kept to")
    func smallerWindow() {
        var publisher = PlayedPublisher()
        publisher.tell(.start)
        var session = MQTTSession(version: .five)
        session.receiveMaximum = 2
        publisher.hear(.accepted(session))
        publisher.acknowledgeAll()
        _ = publisher.said()
        publisher.append(1...3)
        #expect(publisher.said() == ["fetch 2", "send records 1 2"])
    }

    @Test("States take at most half of the window, and free places before records do")
    func states() {
        var publisher = PlayedPublisher()
        for topic in ["a", "b", "c"] { publisher.tell(.setState([0x31], topic: topic, expiry: nil)) }
        publisher.tell(.start)
        publisher.accept()
        #expect(
            publisher.said().suffix(5) == ["send gw/status online", "send a 1", "send b 1", "outbox online", "fetch 1"])
        publisher.append(1...9)
        #expect(publisher.said() == ["fetch 1", "send records 1"])
        publisher.acknowledgeAll()
        #expect(publisher.said() == ["confirm 1", "send c 1", "fetch 3", "send records 2 3 4"])
        #expect(publisher.machine.progress == 4)
    }

    @Test("Where the broker keeps no retained messages, states are sent without the flag")
    func withoutRetain() {
        var publisher = PlayedPublisher()
        publisher.tell(.start)
        var session = MQTTSession(version: .five)
        session.retainIsAvailable = false
        publisher.hear(.accepted(session))
        #expect(publisher.messages.values.map(\.isRetained) == [false])
    }

    @Test("A rejected record is withheld and named as the trouble, and the others are sent on")
    func rejectedRecord() {
        var publisher = PlayedPublisher.connected()
        publisher.append(1...3)
        _ = publisher.said()
        publisher.reject(record: 1)
        #expect(publisher.said() == ["withhold 1", "fetch 2"])
        publisher.reject(record: 2)
        let error = MQTTError(broker: "first:1883", cause: .rejected(0x87, topic: "gw/record/1"))
        #expect(publisher.notices.filter { $0 == .recordsRejected(error, count: 1) }.count == 1)
        #expect(publisher.machine.refusal?.contains("gw/record/2") == true)
        publisher.acknowledgeAll()
        #expect(publisher.confirmed == [3])
        publisher.pass(RefusalNotes.interval)
        publisher.append(4...4)
        publisher.reject(record: 4)
        guard case .recordsRejected(_, count: 2) = publisher.notices.last else {
            Issue.record("\(publisher.notices)")
            return
        }
    }

    @Test("A record that is too long for this broker is withheld without having been sent")
    func tooLong() {
        var publisher = PlayedPublisher.connected()
        publisher.errors[1] = .library(.oversizePacket)
        publisher.append(1...2)
        #expect(publisher.said() == ["fetch 4", "send records 1 2", "withhold 1", "fetch 3"])
        #expect(publisher.machine.refusal?.contains("Packet too large") == true)
        publisher.acknowledgeAll()
        #expect(publisher.confirmed == [2])
    }

    @Test("A record that no library can send is dropped, and blocks no other")
    func impossible() {
        var publisher = PlayedPublisher.connected()
        publisher.errors[1] = .library(.invalidInput)
        publisher.append(1...2)
        #expect(publisher.said() == ["fetch 4", "send records 1 2", "refuse 1"])
        let error = MQTTError(broker: "first:1883", cause: .library(.invalidInput))
        #expect(publisher.notices.last == .publishingFailed(topic: "gw/record/1", error))
    }

    @Test("An error of the connection ends it, and all records wait for the next")
    func connectionError() {
        var publisher = PlayedPublisher.connected()
        publisher.errors[2] = .library(LibraryStatus(14))
        publisher.append(1...3)
        #expect(publisher.said() == ["fetch 4", "send records 1 2 3", "abandon"])
        publisher.end(.library(LibraryStatus(14)))
        #expect(publisher.said() == ["outbox offline"])
        #expect(publisher.waiting.map(\.id) == [1, 2, 3])
    }

    @Test("The outbox is asked once at a time, and once more if it has changed meanwhile")
    func changesMeanwhile() {
        var publisher = PlayedPublisher.connected()
        publisher.holdsFetches = true
        publisher.tell(.outboxChanged)
        publisher.tell(.outboxChanged)
        publisher.tell(.outboxChanged)
        #expect(publisher.said() == ["fetch 4"])
        publisher.tell(.fetched(OutboxOffer(entries: [PlayedPublisher.record(1)]), connection: 1))
        #expect(publisher.said() == ["send records 1", "fetch 3"])
        publisher.tell(.fetched(OutboxOffer(), connection: 1))
        #expect(publisher.said() == [])
    }

    @Test("What the outbox gives to a connection that is lost isn't sent over the next, which asks for itself")
    func lateOffer() {
        var publisher = PlayedPublisher.connected()
        publisher.holdsFetches = true
        publisher.tell(.outboxChanged)
        publisher.end(.library(.connectionLost))
        publisher.passUntilNextStep()
        publisher.accept()
        _ = publisher.said()
        publisher.tell(.fetched(OutboxOffer(entries: [PlayedPublisher.record(1)]), connection: 1))
        #expect(publisher.said() == ["fetch 3"])
    }

    @Test("Records that only their pace holds back are fetched when it is time")
    func pace() {
        var publisher = PlayedPublisher.connected()
        publisher.retryAfter = .milliseconds(200)
        publisher.tell(.outboxChanged)
        #expect(publisher.said() == ["fetch 4"])
        publisher.pass(.milliseconds(199))
        #expect(publisher.said() == [])
        publisher.pass(.milliseconds(1))
        #expect(publisher.said() == ["fetch 4"])
    }

    @Test("A state that the broker rejects is logged and left out; records go on")
    func rejectedState() {
        var publisher = PlayedPublisher.connected()
        publisher.tell(.setState([0x31], topic: "tool/a", expiry: nil))
        _ = publisher.said()
        publisher.reject("tool/a")
        let error = MQTTError(broker: "first:1883", cause: .notTaken(0x87, topic: "tool/a"))
        #expect(publisher.notices.last == .notPublished(error))
        #expect(publisher.said() == ["fetch 4"])
        publisher.tell(.setState([0x32], topic: "tool/a", expiry: nil))
        #expect(publisher.said() == [])
    }

    @Test("After a rejected state the next ones are sent")
    func statesAfterRejectedOne() {
        var publisher = PlayedPublisher.connected()
        for topic in ["tool/a", "view/b", "plan/c"] { publisher.tell(.setState([0x31], topic: topic, expiry: nil)) }
        #expect(publisher.said() == ["send tool/a 1", "send view/b 1"])
        publisher.reject("tool/a")
        #expect(publisher.said() == ["send plan/c 1", "fetch 2"])
    }

    @Test("A state that the library doesn't accept leaves its place to a record")
    func unsendableState() {
        var publisher = PlayedPublisher.connected(window: 1)
        publisher.topicErrors["b"] = .library(.oversizePacket)
        for topic in ["a", "b"] { publisher.tell(.setState([0x31], topic: topic, expiry: nil)) }
        publisher.append(1...1)
        #expect(publisher.said() == ["send a 1"])
        publisher.acknowledgeAll()
        #expect(publisher.said() == ["send b 1", "fetch 1", "send records 1"])
    }

    @Test("A message to the present subscribers is dropped without a connection")
    func once() {
        var publisher = PlayedPublisher()
        let reply = MQTTMessage(topic: "reply", payload: [0x31])
        publisher.tell(.publishOnce(reply))
        #expect(publisher.said() == [])
        publisher = .connected()
        publisher.tell(.publishOnce(reply))
        publisher.tell(.publishOnce(MQTTMessage(topic: "view", payload: [0x32], qualityOfService: .atMostOnce)))
        #expect(publisher.said() == ["send reply 1", "send view 2"])
        #expect(publisher.messages.values.map(\.topic) == ["reply"])
    }

    @Test("What the consumer has stored is told the outbox; nonsense is logged, and an empty message is neither")
    func stored() {
        var publisher = PlayedPublisher.connected(storedTopic: "stored")
        func message(_ text: String) -> PublisherMachine.ConnectionEvent {
            .received(MQTTMessage(topic: "stored", payload: Array(text.utf8)), dropped: 0)
        }
        let before = publisher.notices
        publisher.hear(message(#"{"boot":1,"sequence":7}"#))
        #expect(publisher.said() == ["deliver stored", "stored through 7", "fetch 4"])
        publisher.hear(message(""))
        #expect(publisher.notices == before)
        publisher.hear(message("nonsense"))
        publisher.hear(message("nonsense"))
        #expect(publisher.said() == ["deliver stored", "deliver stored", "deliver stored"])
        #expect(publisher.notices == before + [.progressMalformed(topic: "stored", messages: 1)])
    }

    @Test("Dropped messages are logged at once, and then at most every 30 s")
    func dropped() {
        var publisher = PlayedPublisher.connected()
        let message = MQTTMessage(topic: "command", payload: [])
        let before = publisher.notices
        publisher.hear(.received(message, dropped: 3))
        publisher.hear(.received(message, dropped: 2))
        #expect(publisher.notices == before + [.messagesDropped(3)])
        publisher.pass(.seconds(31))
        publisher.hear(.received(message, dropped: 0))
        #expect(publisher.notices == before + [.messagesDropped(3), .messagesDropped(2)])
    }
}
