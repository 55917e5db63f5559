import BeaconModel
package import Logging
package import Publishing

extension PublisherNotice {
    package func log(to logger: Logger) {
        switch self {
        case .connecting(let broker, let version):
            logger.info("connecting to the broker", metadata: Self.metadata(broker, version))
        case .connected(let broker, let version):
            logger.info("connected to the broker", metadata: Self.metadata(broker, version))
        case .oldVersion(let broker):
            logger.warning(
                "using MQTT 3.1.1, records that the broker rejects are lost without notice",
                metadata: [
                    "broker": "\(broker)",
                    "remedy":
                        "use a broker of MQTT 5, or test this one's access list; it is asked for MQTT 5 again after a day",
                ])
        case .versionNotSaved(let reason):
            logger.warning("broker version not saved", metadata: ["because": "\(reason)"])
        case .connectionFailed(let failure):
            logger.warning("broker connection failed", metadata: .init(describing: failure.underlying))
        case .takenOver(let failure, let clientID, let times, let evidence):
            var metadata = Logger.Metadata(describing: failure.underlying)
            metadata["client-id"] = "\(clientID)"
            metadata["times"] = "\(times)"
            logger.error(
                evidence == .said
                    ? "another client took this one's session" : "another client seems to take this one's session",
                metadata: metadata)
        case .topicSuspected(let broker, let topic):
            logger.error(
                "connection probably closed by the broker because of a topic",
                metadata: [
                    "broker": "\(broker)", "topic": "\(topic)",
                    "remedy": "let this program's user write there; until then it is tried again less and less often",
                ])
        case .nextAttempt(let time):
            logger.info("next attempt to reach the broker", metadata: ["in": "\(time)"])
        case .subscriptionRejected(let filter):
            logger.error(
                "subscription rejected by the broker",
                metadata: ["topics": "\(filter)", "remedy": "let this gateway's user read there"])
        case .subscriptionFailed(let error):
            logger.error("subscription failed", metadata: .init(describing: error))
        case .certificatesRenewed: logger.notice("certificates renewed")
        case .renewedCertificatesFailed(let error):
            logger.error("the renewed certificates", metadata: .init(describing: error))
        case .returningToPreferred(let broker):
            logger.notice("reconnecting to the preferred broker", metadata: ["broker": "\(broker)"])
        case .recordsRejected(let error, let count):
            var metadata = Logger.Metadata(describing: error)
            metadata["count"] = "\(count)"
            logger.error("records rejected by the broker", metadata: metadata)
        case .notPublished(let error): logger.error("message not published", metadata: .init(describing: error))
        case .publishingFailed(let topic, let error):
            logger.error("publishing failed", metadata: ["topic": "\(topic)", "error": "\(error.what)"])
        case .messagesDropped(let count):
            logger.warning(
                "messages of other publishers dropped, too many or too long",
                metadata: ["dropped": "\(count)", "longest": "\(ArrivalBudget.longestMessage) bytes"])
        case .progressMalformed(let topic, let messages):
            logger.warning(
                "malformed progress message from the consumer",
                metadata: [
                    "topic": "\(topic)", "messages": "\(messages)", "allowed": #"{"boot":1,"sequence":1}"#,
                ])
        }
    }

    private static func metadata(_ broker: BrokerEndpoint, _ version: MQTTVersion) -> Logger.Metadata {
        ["broker": "\(broker)", "mqtt": "\(version.rawValue)"]
    }
}
