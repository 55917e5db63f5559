/// What several receivers at known places hear of one badge that stays at a known position, or the other way around.
struct Visit: Sendable {
    struct Heard: Equatable, Sendable {
        /// The number of the receiver.
        var anchor: Int
        /// Packets.
        var count: Int
        /// dBm.
        var mean: Double
    }

    /// Metres.
    var x: Double
    var y: Double
    /// In the order of anchors, at least one.
    var heard: [Heard]
    /// Seconds since any moment that is the same for a recording; `nil`: it isn't one recording.
    var time: Double?

    var strongest: Heard? { heard.max { ($0.mean, $1.anchor) < ($1.mean, $0.anchor) } }
}

/// Visits among the same receivers.
struct VisitRecording: Sendable {
    /// As in the names of figures.
    var dataSet: String
    /// Metres.
    var anchors: [(x: Double, y: Double)]
    var visits: [Visit] = []
}
