import Localisation

/// Readings by subject, second by second, as a gateway publishes signals.
struct SecondWindows {
    /// Windows in which something was heard by subject, in order of time.
    let windows: [String: [HeardWindow]]

    /// Collects readings.
    ///
    /// - Parameter length: length of a window in seconds.
    init(_ readings: [Recording.Reading], length: Double = 1) {
        var sums: [String: [Int: [Int: (sum: Double, count: Int)]]] = [:]
        for reading in readings {
            let number = Int((reading.time / length).rounded(.down))
            sums[reading.subject, default: [:]][number, default: [:]][reading.receiver, default: (0, 0)].sum +=
                reading.rssi
            sums[reading.subject]![number]![reading.receiver]!.count += 1
        }
        let listening = Self.listening(readings, length: length)
        windows = sums.mapValues { byNumber in
            byNumber.sorted { $0.key < $1.key }.map { number, receivers in
                HeardWindow(
                    end: Double(number + 1) * length, length: length,
                    signals: receivers.sorted { $0.key < $1.key }.map {
                        HeardSignal(
                            receiver: $0.key, rssi: $0.value.sum / Double($0.value.count), count: $0.value.count)
                    },
                    silent: (listening[Int(Double(number) * length / Self.minute)] ?? []).subtracting(receivers.keys)
                        .sorted())
            }
        }
    }

    private static let minute = 60.0

    /// Returns the receivers that heard anybody in each minute: of others it is not known whether they listened.
    private static func listening(_ readings: [Recording.Reading], length: Double) -> [Int: Set<Int>] {
        var receivers: [Int: Set<Int>] = [:]
        for reading in readings {
            receivers[Int((reading.time / minute).rounded(.down)), default: []].insert(reading.receiver)
        }
        return receivers
    }
}
