/// Five minutes of two people, whether or not they heard each other.
struct ContactWindow: Sendable {
    /// Seconds, and the share of them that must have a truth.
    static let length = 300
    private static let leastKnown = 0.6

    /// As in the names of figures: `dp3t_exp05`.
    var dataSet: String
    /// What is left out together, with its experiment: `dp3t_exp05 scenario01`.
    var scenario: String
    /// Names, the same in all scenarios of a data set.
    var people: [String]
    /// Indices of `people`; `first` < `second`.
    var first: Int
    var second: Int
    /// Seconds since the scenario began.
    var start: Double
    /// Of both directions, in the order of time; receivers and transmitters are indices of `people`.
    private(set) var packets: [ContactPacket]
    /// Whether they were within each of `ContactTruth.radii` for half of the known seconds or longer; `nil` where too
    /// few are known.
    private(set) var labels: [Bool?]
    /// Median of the distances in metres of the seconds of which the packets say it; `nil` when there are none.
    private(set) var medianMetres: Double?

    /// The same without the truth, as estimators are given it.
    var blind: ContactWindow {
        var window = self
        window.labels = labels.map { _ in nil }
        window.medianMetres = nil
        for index in packets.indices { window.packets[index].metres = nil }
        return window
    }

    /// All windows of all pairs, without those of which nothing is known.
    static func windows(of recording: ContactRecording) -> [ContactWindow] {
        let truth = ContactTruth(recording)
        let count = recording.people.count
        let slots = Int((recording.length / Double(length)).rounded(.up))
        let packets = Dictionary(grouping: recording.packets) { packet in
            let pair = min(packet.receiver, packet.transmitter) * count + max(packet.receiver, packet.transmitter)
            return pair * slots + min(slots - 1, Int(packet.time) / length)
        }
        var windows: [ContactWindow] = []
        for first in 0..<count {
            for second in (first + 1)..<max(count, first + 1) {
                for slot in 0..<slots {
                    let labels = labels(truth, first, second, slot, recording.length)
                    guard labels.contains(where: { $0 != nil }) else { continue }
                    windows.append(
                        ContactWindow(
                            dataSet: recording.dataSet,
                            scenario: "\(recording.dataSet) \(recording.scenario)", people: recording.people,
                            first: first, second: second, start: Double(slot * length),
                            packets: packets[(first * count + second) * slots + slot] ?? [], labels: labels,
                            medianMetres: (slot * length..<(slot + 1) * length).compactMap {
                                truth.metres(first, second, at: $0)
                            }.median))
                }
            }
        }
        return windows
    }

    private static func labels(
        _ truth: ContactTruth, _ first: Int, _ second: Int, _ slot: Int, _ end: Double
    ) -> [Bool?] {
        var within = ContactTruth.radii.map { _ in 0 }
        var known = within
        for time in slot * length..<(slot + 1) * length where Double(time) <= end {
            for (index, value) in truth.isWithin(first, second, at: time).enumerated() {
                guard let value else { continue }
                known[index] += 1
                if value { within[index] += 1 }
            }
        }
        return zip(within, known).map { within, known in
            Double(known) >= leastKnown * Double(length) ? 2 * within >= known : nil
        }
    }
}
