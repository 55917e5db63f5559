import BeaconModel
import Testing

@testable import Publishing
@testable import RecordContract

@Suite("PublisherMachine: connecting") struct PublisherConnectingTests {
    private static let closed = MQTTError.Cause.library(.connectionLost)

    @Test("Once the broker accepts the connection, subscriptions, status, states and records follow, in this order")
    func accepted() {
        var publisher = PlayedPublisher(storedTopic: "stored")
        publisher.tell(.subscribe(filter: "command/#"))
        publisher.tell(.setState([0x61], topic: "info", expiry: nil))
        #expect(publisher.said() == [])
        publisher.tell(.start)
        #expect(publisher.said() == ["connect to first:1883 with MQTT 5"])
        #expect(!publisher.machine.isConnected(1))
        publisher.accept()
        #expect(
            publisher.said() == [
                "remember versions", "subscribe to command/#", "subscribe to stored", "send gw/status online",
                "send info a", "outbox online", "fetch 2",
            ])
        #expect(publisher.machine.connectedTo?.broker == PlayedPublisher.first)
        #expect(publisher.notices == [.connected(PlayedPublisher.first, .five)])
    }

    @Test("A broker that refuses is followed by the next at once, and the last one by a back-off that grows")
    func refused() throws {
        var publisher = PlayedPublisher()
        publisher.tell(.start)
        publisher.end(.refused(5))
        publisher.end(.refused(5), broker: "second:1883")
        #expect(
            publisher.said() == ["connect to first:1883 with MQTT 5", "connect to second:1883 with MQTT 5"])
        var wait = try #require(publisher.machine.wakesAt) - publisher.now.instant
        #expect((.milliseconds(500)...Duration.seconds(1)).contains(wait))
        #expect(publisher.notices.last == .nextAttempt(after: wait))
        publisher.pass(wait - .milliseconds(1))
        #expect(publisher.said() == [])
        publisher.pass(.milliseconds(1))
        #expect(publisher.said() == ["connect to first:1883 with MQTT 5"])
        publisher.end(.refused(5))
        publisher.end(.refused(5), broker: "second:1883")
        wait = try #require(publisher.machine.wakesAt) - publisher.now.instant
        #expect((.seconds(1)...Duration.seconds(2)).contains(wait))
        #expect(publisher.machine.lastError?.cause == .refused(5))
    }

    @Test("A broker that refuses MQTT 5 is tried with 3.1.1 at once, and the loss is logged once")
    func olderVersion() {
        var publisher = PlayedPublisher()
        publisher.tell(.start)
        publisher.end(.refused(MQTTReason.unsupportedProtocolVersion))
        #expect(
            publisher.said() == ["connect to first:1883 with MQTT 5", "connect to first:1883 with MQTT 3.1.1"])
        for _ in 1...2 {
            publisher.accept(.threeOneOne)
            publisher.acknowledgeAll()
            publisher.end(Self.closed)
            publisher.passUntilNextStep()
        }
        #expect(publisher.notices.filter { $0 == .oldVersion(PlayedPublisher.first) }.count == 1)
    }

    @Test("An attempt to which the broker does not answer is given up after the time for it")
    func timeout() {
        var publisher = PlayedPublisher(brokers: [PlayedPublisher.first])
        publisher.tell(.start)
        publisher.pass(.milliseconds(14_999))
        #expect(publisher.said() == ["connect to first:1883 with MQTT 5"])
        publisher.pass(.milliseconds(1))
        #expect(publisher.said() == ["abandon"])
        publisher.pass(.seconds(60))
        #expect(publisher.said() == [])
        publisher.end(.timedOut)
        #expect(publisher.machine.lastError?.cause == .timedOut)
        publisher.passUntilNextStep()
        #expect(publisher.said() == ["connect to first:1883 with MQTT 5"])
    }

    @Test("A system without threads or descriptors is no broker's error, and is waited for like one")
    func system() {
        var publisher = PlayedPublisher(brokers: [PlayedPublisher.first])
        let failure = ConnectionFailure.system(SystemError("start a thread", errorNumber: 11, reason: "busy"))
        publisher.tell(.start)
        publisher.hear(.ended(failure))
        #expect(publisher.machine.lastError == nil)
        #expect(publisher.notices.first == .connectionFailed(failure))
        #expect(publisher.machine.wakesAt != nil)
    }

    @Test("The outbox knows that a connection is lost before the next is tried, and records are sent again")
    func lost() {
        var publisher = PlayedPublisher.connected()
        publisher.append(1...2)
        #expect(publisher.said() == ["fetch 4", "send records 1 2"])
        publisher.end(Self.closed)
        #expect(publisher.said() == ["outbox offline"])
        #expect(publisher.confirmed == [])
        publisher.passUntilNextStep()
        #expect(publisher.said() == ["connect to first:1883 with MQTT 5"])
        publisher.accept()
        #expect(
            publisher.said() == ["send gw/status online", "outbox online", "fetch 3", "send records 1 2"])
        publisher.acknowledgeAll()
        #expect(publisher.confirmed == [1, 2])
    }

    @Test("What is heard of a connection after its end changes nothing")
    func afterwards() {
        var publisher = PlayedPublisher.connected()
        publisher.append(1...1)
        publisher.end(Self.closed)
        publisher.hear(.acknowledged(Array(publisher.records.keys)))
        publisher.hear(.ended(nil))
        publisher.passUntilNextStep()
        publisher.tell(.connection(1, .ended(nil)))
        #expect(publisher.said().suffix(2) == ["outbox offline", "connect to first:1883 with MQTT 5"])
        #expect(publisher.confirmed == [])
    }

    @Test("A takeover that the broker reports is counted, certain and logged, and is no reason to hurry")
    func takeover() throws {
        var publisher = PlayedPublisher.connected()
        publisher.end(.disconnected(MQTTReason.sessionTakenOver))
        #expect(publisher.said() == ["takeovers changed", "outbox offline"])
        #expect(
            publisher.machine.takeovers
                == SessionTakeovers(times: 1, lastAt: publisher.now.wall, isCertain: true))
        let error = MQTTError(broker: "first:1883", cause: .disconnected(MQTTReason.sessionTakenOver))
        #expect(publisher.notices.contains(.takenOver(.broker(error), clientID: "gw", times: 1, .said)))
        publisher.passUntilNextStep()
        publisher.accept()
        publisher.end(.disconnected(MQTTReason.sessionTakenOver))
        #expect(publisher.machine.takeovers?.times == 2)
        let wait = try #require(publisher.machine.wakesAt) - publisher.now.instant
        #expect(wait >= .seconds(1))
    }

    @Test("Three connections in a row that the other side closes soon after an answer are taken for a takeover")
    func inferredTakeover() {
        var publisher = PlayedPublisher.connected()
        for count in 1...3 {
            publisher.acknowledgeAll()
            #expect(publisher.machine.takeovers == nil)
            publisher.end(Self.closed)
            guard count < 3 else { break }
            publisher.passUntilNextStep()
            publisher.accept()
        }
        #expect(publisher.machine.takeovers?.isCertain == false)
        #expect(publisher.machine.takeovers?.times == 1)
    }

    @Test("A broker that rejects the status is left, said to be the trouble, and tried again later")
    func statusRejected() {
        var publisher = PlayedPublisher()
        publisher.tell(.start)
        publisher.accept()
        _ = publisher.said()
        publisher.reject(PlayedPublisher.status)
        #expect(publisher.said() == ["abandon", "outbox offline"])
        #expect(publisher.machine.complaint?.contains("rejects messages on gw/status") == true)
        publisher.hear(.ended(nil))
        #expect(publisher.said() == [])
        publisher.passUntilNextStep()
        #expect(publisher.said() == ["connect to first:1883 with MQTT 5"])
        publisher.accept()
        publisher.acknowledgeAll()
        #expect(publisher.machine.complaint == nil)
    }

    @Test("Readers' topics are subscribed to with each connection, and a rejected subscription is logged")
    func subscriptions() {
        var publisher = PlayedPublisher.connected()
        publisher.tell(.subscribe(filter: "command/#"))
        #expect(publisher.said() == ["subscribe to command/#"])
        publisher.hear(.subscribed(2, isGranted: false))
        #expect(publisher.notices.last == .subscriptionRejected(filter: "command/#"))
        publisher.end(Self.closed)
        publisher.passUntilNextStep()
        publisher.accept()
        #expect(publisher.said().contains("subscribe to command/#"))
    }
}
