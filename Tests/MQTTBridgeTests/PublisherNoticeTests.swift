import Logging
import Testing

@testable import MQTTBridge
@testable import Publishing
@testable import RecordOutboxTests

/// What the log says of a publisher.
@Suite struct PublisherNoticeTests {
    private static let broker = BrokerEndpoint(host: "b", port: 1)
    private static let error = MQTTError(broker: "b:1", cause: .timedOut)
    private static let described =
        " error=broker b:1 does not answer in time remedy=check the broker's host and port (mqtt.host, mqtt.port), that the broker is running, "
        + "and that the network allows the connection"

    @Test(
        "Whatever happens to a connection is logged: what, with which broker, and what helps",
        arguments: [
            (.connecting(broker, .five), "info connecting to the broker broker=b:1 mqtt=5"),
            (.connected(broker, .threeOneOne), "info connected to the broker broker=b:1 mqtt=3.1.1"),
            (
                .oldVersion(broker),
                "warning using MQTT 3.1.1, records that the broker rejects are lost without notice broker=b:1"
                    + " remedy=use a broker of MQTT 5, or test this one's access list; it is asked for MQTT 5 again"
                    + " after a day"
            ),
            (.versionNotSaved(reason: "full"), "warning broker version not saved because=full"),
            (.connectionFailed(.broker(error)), "warning broker connection failed" + described),
            (
                .takenOver(.broker(error), clientID: "gw", times: 2, .said),
                "error another client took this one's session client-id=gw" + described + " times=2"
            ),
            (
                .takenOver(.broker(error), clientID: "gw", times: 1, .inferred),
                "error another client seems to take this one's session client-id=gw" + described + " times=1"
            ),
            (
                .topicSuspected(broker: "b:1", topic: "t"),
                "error connection probably closed by the broker because of a topic broker=b:1 remedy=let this"
                    + " program's user write there; until then it is tried again less and less often topic=t"
            ),
            (.nextAttempt(after: .seconds(2)), "info next attempt to reach the broker in=2.0 seconds"),
            (
                .subscriptionRejected(filter: "t/#"),
                "error subscription rejected by the broker remedy=let this gateway's user read there topics=t/#"
            ),
            (.subscriptionFailed(error), "error subscription failed" + described),
            (.certificatesRenewed, "notice certificates renewed"),
            (.renewedCertificatesFailed(error), "error the renewed certificates" + described),
            (.returningToPreferred(broker), "notice reconnecting to the preferred broker broker=b:1"),
            (.recordsRejected(error, count: 3), "error records rejected by the broker count=3" + described),
            (.notPublished(error), "error message not published" + described),
            (
                .publishingFailed(topic: "t", error),
                "error publishing failed error=broker b:1 does not answer in time topic=t"
            ),
            (
                .messagesDropped(4),
                "warning messages of other publishers dropped, too many or too long dropped=4 longest=262144 bytes"
            ),
            (
                .progressMalformed(topic: "t", messages: 5),
                "warning malformed progress message from the consumer allowed={\"boot\":1,\"sequence\":1} messages=5"
                    + " topic=t"
            ),
        ] as [(PublisherNotice, String)])
    func lines(notice: PublisherNotice, line: String) {
        let log = KeptLog()
        notice.log(to: Logger(label: "test") { _ in log })
        #expect(log.lines == [line])
    }
}
