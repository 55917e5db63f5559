import RecordContract

/// Topics on which subjects are notified of exposures.
package enum NoticeTopic {
    /// Returns the topic of a subject.
    ///
    /// - Parameter key: key of the subject, which reveals nothing about it.
    package static func topic(prefix: String, key: String) -> String {
        "\(prefix)/v\(Contract.version)/subject/\(key)/exposure"
    }

    /// Returns whether a text is the key of a subject's topic: nothing else may become a level of a topic.
    package static func isKey(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
