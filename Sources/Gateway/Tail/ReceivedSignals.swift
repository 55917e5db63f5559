/// Message of signals as a subscriber decodes it: only the fields that are shown.
struct ReceivedSignals: Decodable, Sendable {
    var time: String
    var place: ReceivedRecord.Place
    /// Time in seconds for which the receiver listened.
    var listenedSeconds: Double
    var subjects: [ReceivedRecord.Group]
}
