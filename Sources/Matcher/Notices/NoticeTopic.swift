import MQTTBridge

/// Where a subject is told of its exposures.
enum NoticeTopic {
    /// - Parameter key: of the subject, which says nothing of it to others.
    static func topic(prefix: String, key: String) -> String {
        "\(prefix)/v\(Contract.version)/subject/\(key)/exposure"
    }
}
