import Localisation

/// Readings of one subject, second by second, as a gateway publishes signals.
struct SecondWindows {
    /// A window with what was heard in it.
    struct Window {
        /// End in seconds.
        var end: Double
        var signals: [HeardSignal]
    }

    /// Windows by subject, in order of time. Windows without a signal are there between others.
    let windows: [String: [Window]]

    /// Collects readings.
    ///
    /// - Parameter length: length of a window in seconds.
    init(_ readings: [Recording.Reading], length: Double = 1) {
        var sums: [String: [Int: [Int: (sum: Double, count: Int)]]] = [:]
        for reading in readings {
            sums[reading.subject, default: [:]][Int((reading.time / length).rounded(.down)), default: [:]][
                reading.receiver, default: (0, 0)
            ].sum += reading.rssi
            sums[reading.subject]![Int((reading.time / length).rounded(.down))]![reading.receiver]!.count += 1
        }
        windows = sums.mapValues { bySecond in
            bySecond.sorted { $0.key < $1.key }.map { second, receivers in
                Window(
                    end: Double(second + 1) * length,
                    signals: receivers.sorted { $0.key < $1.key }.map {
                        HeardSignal(
                            receiver: $0.key, rssi: $0.value.sum / Double($0.value.count), count: $0.value.count)
                    })
            }
        }
    }
}
