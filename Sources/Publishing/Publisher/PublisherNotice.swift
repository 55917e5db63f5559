/// An event of a publisher that is logged.
package enum PublisherNotice: Equatable, Sendable {
    case connecting(BrokerEndpoint, MQTTVersion)
    case connected(BrokerEndpoint, MQTTVersion)
    /// The broker does not speak MQTT 5. Logged once for each broker, because of what is lost.
    case oldVersion(BrokerEndpoint)
    /// The file with the brokers' versions was not written.
    case versionNotSaved(reason: String)
    case connectionFailed(ConnectionFailure)
    /// Another client has taken the session over, or seems to have done so.
    case takenOver(ConnectionFailure, clientID: String, times: Int, ConnectionHistory.Takeover)
    /// The broker probably closed the connection because of a topic.
    case topicSuspected(broker: String, topic: String)
    case nextAttempt(after: Duration)
    case subscriptionRejected(filter: String)
    case subscriptionFailed(MQTTError)
    case certificatesRenewed
    /// No connection is possible with the renewed certificates.
    case renewedCertificatesFailed(MQTTError)
    case returningToPreferred(BrokerEndpoint)
    /// The broker rejects records: how many for this reason since the last notice.
    case recordsRejected(MQTTError, count: Int)
    /// The broker rejected a message that is not a record.
    case notPublished(MQTTError)
    /// A message could not be handed over for sending.
    case publishingFailed(topic: String, MQTTError)
    /// Messages of other publishers were dropped since the last notice.
    case messagesDropped(UInt64)
    /// Messages of the consumer could not be parsed, since the last notice.
    case progressMalformed(topic: String, messages: UInt64)
}
