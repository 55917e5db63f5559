import BeaconModel
import Testing

@testable import Publishing
@testable import RecordContract

@Suite("PublisherMachine: leaving a connection") struct PublisherLeavingTests {
    /// A publisher at the second broker, because the first refused.
    private func atSecond() -> PlayedPublisher {
        var publisher = PlayedPublisher()
        publisher.tell(.start)
        publisher.end(.refused(3))
        publisher.accept()
        publisher.acknowledgeAll()
        _ = publisher.said()
        return publisher
    }

    private func expectProbe(
        _ publisher: inout PlayedPublisher, after time: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> PublisherMachine.Probe {
        publisher.pass(time - .seconds(1))
        #expect(!publisher.said().contains { $0.hasPrefix("probe") }, sourceLocation: sourceLocation)
        publisher.pass(.seconds(1))
        #expect(publisher.said().last?.hasPrefix("probe first:1883") == true, sourceLocation: sourceLocation)
        return try #require(publisher.probe, sourceLocation: sourceLocation)
    }

    @Test("The preferred broker is tried every five minutes; when it is back, the other is left, with its will")
    func preferred() throws {
        var publisher = atSecond()
        let failure = MQTTError(broker: "first:1883", cause: .closed)
        publisher.tell(.probed(try expectProbe(&publisher, after: .seconds(300)), failure))
        #expect(publisher.said() == [])
        publisher.tell(.probed(try expectProbe(&publisher, after: .seconds(300)), nil))
        #expect(publisher.said() == ["send gw/status lost"])
        #expect(publisher.notices.last == .returningToPreferred(PlayedPublisher.first))
        publisher.acknowledgeAll()
        #expect(publisher.said() == ["disconnect"])
        publisher.end(nil)
        #expect(publisher.said() == ["outbox offline", "connect to first:1883 with MQTT 5"])
    }

    @Test("A connection that is being left is offered no more records, which would be sent twice")
    func recordsAtDeparture() throws {
        var publisher = atSecond()
        publisher.append(1...9)
        publisher.tell(.probed(try expectProbe(&publisher, after: .seconds(300)), nil))
        #expect(publisher.said() == ["send gw/status lost"])
        publisher.acknowledgeAll()
        #expect(publisher.said() == ["confirm 1 2 3 4", "disconnect"])
        publisher.append(10...10)
        #expect(publisher.said() == [])
        publisher.end(nil)
        publisher.accept()
        #expect(publisher.said().suffix(3) == ["outbox online", "fetch 3", "send records 5 6 7"])
    }

    @Test("A departure that becomes the end delivers what waits")
    func finishAtDeparture() throws {
        var publisher = atSecond()
        publisher.tell(.probed(try expectProbe(&publisher, after: .seconds(300)), nil))
        publisher.append(1...1)
        #expect(publisher.said() == ["send gw/status lost"])
        publisher.tell(.finish(within: .seconds(10)))
        publisher.pass(.zero)
        #expect(publisher.said() == ["fetch 3", "send records 1"])
    }

    @Test("A broker that doesn't acknowledge is left after 2 s, and isn't waited for longer than 1 s")
    func muteDeparture() throws {
        var publisher = atSecond()
        publisher.tell(.probed(try expectProbe(&publisher, after: .seconds(300)), nil))
        _ = publisher.said()
        publisher.pass(.milliseconds(1999))
        #expect(publisher.said() == [])
        publisher.pass(.milliseconds(1))
        #expect(publisher.said() == ["disconnect"])
        publisher.pass(.seconds(1))
        #expect(publisher.said() == ["abandon"])
        publisher.end(nil)
        #expect(publisher.said() == ["outbox offline", "connect to first:1883 with MQTT 5"])
    }

    @Test("A probe that ends after its connection makes nobody leave the next")
    func lateProbe() throws {
        var publisher = atSecond()
        let probe = try expectProbe(&publisher, after: .seconds(300))
        publisher.end(.library(.connectionLost))
        publisher.passUntilNextStep()
        publisher.accept()
        publisher.acknowledgeAll()
        _ = publisher.said()
        publisher.tell(.probed(probe, nil))
        #expect(publisher.said() == [])
    }

    @Test("Renewed certificates are tried beside the connection, which is left only if they work")
    func certificates() throws {
        var publisher = PlayedPublisher.connected(hasTLS: true)
        publisher.pass(.seconds(60))
        #expect(publisher.said() == ["read certificates"])
        publisher.certificates = CertificateFiles([.init(inode: 1, size: 1, seconds: 1, nanoseconds: 0)])
        let failure = MQTTError(broker: "first:1883", cause: .certificate("expired"))
        publisher.tell(.probed(try expectProbe(&publisher, after: .seconds(60)), failure))
        #expect(publisher.notices.last == .renewedCertificatesFailed(failure))
        publisher.pass(.seconds(60))
        #expect(publisher.said() == ["read certificates"])
        publisher.certificates = CertificateFiles([.init(inode: 2, size: 1, seconds: 2, nanoseconds: 0)])
        publisher.tell(.probed(try expectProbe(&publisher, after: .seconds(60)), nil))
        #expect(publisher.notices.last == .certificatesRenewed)
        #expect(publisher.said() == ["disconnect"])
        publisher.end(nil)
        #expect(publisher.said() == ["outbox offline", "connect to first:1883 with MQTT 5"])
    }

    @Test("The end waits for the last acknowledgement, then says good-bye, and disconnects once that is acknowledged")
    func finish() {
        var publisher = PlayedPublisher.connected()
        publisher.append(1...1)
        publisher.tell(.finish(within: .seconds(10)))
        #expect(publisher.said() == ["fetch 4", "send records 1"])
        publisher.acknowledgeAll()
        #expect(publisher.said() == ["confirm 1", "fetch 4", "count", "send gw/status stopping"])
        publisher.acknowledgeAll()
        #expect(publisher.said() == ["disconnect"])
        #expect(!publisher.machine.isOver)
        publisher.end(nil)
        #expect(publisher.said() == ["outbox offline"])
        #expect(publisher.machine.isOver)
        #expect(publisher.machine.wakesAt == nil)
    }

    @Test("Rejected records don't delay the end")
    func finishWithRejected() {
        var publisher = PlayedPublisher.connected()
        publisher.append(1...1)
        publisher.reject(record: 1)
        _ = publisher.said()
        publisher.tell(.finish(within: .seconds(3600)))
        #expect(publisher.said() == ["count", "send gw/status stopping"])
    }

    @Test("A farewell that isn't acknowledged in time is none: the connection is dropped, so the broker says lost")
    func unacknowledgedFarewell() {
        var publisher = PlayedPublisher.connected()
        publisher.append(1...9)
        _ = publisher.said()
        publisher.tell(.finish(within: .seconds(10)))
        publisher.pass(.seconds(6))
        #expect(publisher.said() == [])
        publisher.pass(.seconds(1))
        #expect(publisher.said() == ["send gw/status stopping"])
        publisher.pass(.milliseconds(1999))
        #expect(publisher.said() == [])
        publisher.pass(.milliseconds(1))
        #expect(publisher.said() == ["abandon"])
        publisher.end(nil)
        #expect(publisher.machine.isOver)
        #expect(publisher.waiting.count == 9)
    }

    @Test("A broker that doesn't close the connection after the farewell is waited for until the limit")
    func unclosed() {
        var publisher = PlayedPublisher.connected()
        publisher.tell(.finish(within: .seconds(10)))
        publisher.acknowledgeAll()
        #expect(publisher.said() == ["count", "send gw/status stopping", "disconnect"])
        publisher.pass(.milliseconds(9999))
        #expect(publisher.said() == [])
        publisher.pass(.milliseconds(1))
        #expect(publisher.said() == ["abandon"])
    }

    @Test("A connection that breaks at the end isn't followed by another")
    func brokenEnd() {
        var publisher = PlayedPublisher.connected()
        publisher.append(1...1)
        publisher.tell(.finish(within: .seconds(10)))
        _ = publisher.said()
        publisher.end(.library(.connectionLost))
        #expect(publisher.said() == ["outbox offline"])
        #expect(publisher.machine.isOver)
    }

    @Test("Without a connection the end takes no time, and an attempt is given up")
    func finishUnconnected() {
        var publisher = PlayedPublisher(brokers: [PlayedPublisher.first])
        publisher.tell(.start)
        publisher.tell(.finish(within: .seconds(10)))
        #expect(publisher.said() == ["connect to first:1883 with MQTT 5", "abandon"])
        #expect(publisher.machine.isOver)
        publisher.end(nil)
        publisher.tell(.start)
        #expect(publisher.said() == [])
        publisher = PlayedPublisher(brokers: [PlayedPublisher.first])
        publisher.tell(.start)
        publisher.end(.refused(3))
        publisher.tell(.finish(within: .seconds(10)))
        #expect(publisher.machine.isOver)
        #expect(publisher.machine.wakesAt == nil)
    }

    @Test("At the end nothing better is looked for, and the status is no longer said to be online")
    func quietEnd() {
        var publisher = PlayedPublisher.connected(hasTLS: true)
        publisher.append(1...1)
        publisher.tell(.finish(within: .seconds(1000)))
        _ = publisher.said()
        publisher.pass(.seconds(400))
        let status = MQTTMessage(topic: "gw/status", payload: [])
        publisher.tell(.announce(Announcement(will: status, online: { _ in status }, farewell: { _ in status })))
        #expect(publisher.said() == [])
    }

    @Test("A cancelled publisher drops the connection at once")
    func cancel() {
        var publisher = PlayedPublisher.connected()
        publisher.tell(.cancel)
        #expect(publisher.said() == ["abandon", "outbox offline"])
        #expect(publisher.machine.isOver)
        publisher.end(nil)
        #expect(publisher.said() == [])
    }
}
