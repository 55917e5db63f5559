import RecordContract

/// Where a subject is told of its exposures.
enum NoticeTopic {
    /// - Parameter key: of the subject, which says nothing of it to others.
    static func topic(prefix: String, key: String) -> String {
        "\(prefix)/v\(Contract.version)/subject/\(key)/exposure"
    }

    /// Whether a text is the key of a subject's topic: nothing else may become a level of one.
    static func isKey(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
