/// All that one receiver heard, in the order of time.
struct PresenceRecording: Sendable {
    struct Packet: Sendable {
        /// Seconds since an hour before the first.
        var time: Double
        /// Counted from 0.
        var transmitter: Int
    }

    private(set) var packets: [Packet] = []
    /// By transmitter: when it was heard last.
    private(set) var lastHeard: [Double] = []
    /// Between the first packet and the last, of all transmitters.
    private(set) var hours = 0.0

    /// Seconds between recordings that follow each other.
    private static let pause = 3600.0

    /// - Parameters:
    ///   - streams: of one receiver.
    ///   - keeps: whether a packet isn't lost.
    init(_ streams: [PresenceStream], keeping keeps: () -> Bool) {
        let isTogether = streams.first?.receiver != nil
        let start = streams.compactMap(\.times.first).min() ?? 0
        var end = 0.0
        for stream in streams {
            let times = stream.times.filter { _ in keeps() }
            guard let first = times.first, let last = times.last, last > first else { continue }
            let offset = isTogether ? Self.pause - start : end + Self.pause - first
            packets += times.map { Packet(time: $0 + offset, transmitter: lastHeard.count) }
            lastHeard.append(last + offset)
            hours += (last - first) / 3600
            end = max(end, last + offset)
        }
        packets.sort { ($0.time, $0.transmitter) < ($1.time, $1.transmitter) }
    }

    /// The streams of each receiver.
    static func byReceiver(_ streams: [PresenceStream]) -> [[PresenceStream]] {
        Dictionary(grouping: streams) { $0.receiver ?? "" }.sorted { $0.key < $1.key }.map(\.value)
    }
}
