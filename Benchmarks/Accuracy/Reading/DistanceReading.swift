/// Windows and streams of one data set.
struct DistanceReading {
    var dataSet: String
    var windows: [DistanceWindow] = []
    var streams: [PresenceStream] = []
    /// Where several receivers hear the same badge.
    var visits: VisitRecording?
}
