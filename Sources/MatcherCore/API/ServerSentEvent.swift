import RecordContract

/// Form of the events of a stream (`text/event-stream`, HTML Living Standard, section 9.2).
package enum ServerSentEvent {
    /// Returns an event.
    ///
    /// - Parameters:
    ///   - id: number after which a client that connects again has missed something; `nil` if it does not matter.
    ///   - data: the content, in one line.
    package static func text(_ name: String, id: Int64? = nil, data: String) -> String {
        "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: \(data)\n\n"
    }

    /// Returns an event whose content is JSON.
    package static func text(_ name: String, _ content: some Encodable) -> String {
        text(name, data: String(decoding: JSON.encode(content), as: UTF8.self))
    }
}
