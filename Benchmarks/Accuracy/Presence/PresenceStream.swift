/// When one receiver heard one transmitter, in one recording.
struct PresenceStream: Sendable {
    var dataSet: String
    /// Streams of one receiver run at the same time, and one tracker takes them all in; receivers of different names have
    /// nothing in common. Streams of a receiver that isn't named are of one receiver, one after the other.
    var receiver: String?
    var recording: String
    /// Seconds, in order.
    var times: [Double]
}
