import BeaconModel
import Proximity

/// What the gateway's filter makes of a stream of packets up to some moment.
struct SmoothedRSSI: Equatable, Sendable {
    /// dBm.
    var value: Double
    /// How uncertain `value` is, in dB².
    var variance: Double

    /// Fills `smoothed` in: packets of one run at one distance, or of one walk, are a stream, which the filter takes
    /// in as they come, so that a window knows of what came before it and nothing of what comes after.
    static func fill(_ windows: inout [DistanceWindow]) {
        struct Stream: Hashable {
            var run: String
            var receiver: String?
            var transmitter: String?
            var metres: Double?
        }
        var filters: [Stream: (filter: RSSIFilter, last: Double)] = [:]
        for index in windows.indices {
            let window = windows[index]
            let stream = Stream(
                run: "\(window.group) \(window.run)", receiver: window.receiver, transmitter: window.transmitter,
                metres: window.isOfWalk ? nil : window.metres)
            guard let first = window.packets.first, let last = window.packets.last else { continue }
            if window.packets.count > 1, first.time == last.time {
                windows[index].smoothed = withoutClock(window)
                continue
            }
            var packets = window.packets[...]
            var filter: RSSIFilter
            if let known = filters[stream], known.last <= first.time {
                filter = known.filter
            } else {
                filter = RSSIFilter(first.rssi, at: time(first))
                packets = packets.dropFirst()
            }
            for packet in packets { filter.update(packet.rssi, at: time(packet)) }
            filters[stream] = (filter, last.time)
            windows[index].smoothed = SmoothedRSSI(value: filter.value, variance: filter.variance)
        }
    }

    /// The filter weighs packets by the time between them. Where a recording has no times their mean is all there is.
    private static func withoutClock(_ window: DistanceWindow) -> SmoothedRSSI {
        let filter = RSSIFilter(window.meanRSSI, at: .epoch)
        return SmoothedRSSI(value: window.meanRSSI, variance: filter.variance)
    }

    private static func time(_ packet: Packet) -> Timestamp {
        Timestamp(microseconds: Int64(exactly: (packet.time * 1e6).rounded()) ?? 0)
    }
}
