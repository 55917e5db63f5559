import Localisation

/// Readings by subject, second by second, as a gateway publishes signals.
struct SecondWindows {
    /// Windows in which something was heard by subject, in order of time.
    let windows: [String: [HeardWindow]]

    /// Collects readings.
    ///
    /// - Parameters:
    ///   - readings: readings with times within `RecordingLimits.times`.
    ///   - length: length of a window in seconds.
    init(_ readings: [Recording.Reading], length: Double = 1) {
        var sums: [String: [Int: [Int: (sum: Double, count: Int)]]] = [:]
        for reading in readings {
            let number = Self.number(reading.time, length)
            sums[reading.subject, default: [:]][number, default: [:]][reading.receiver, default: (0, 0)].sum +=
                reading.rssi
            sums[reading.subject]![number]![reading.receiver]!.count += 1
        }
        let listening = Self.listening(readings, length: length)
        windows = sums.mapValues { byNumber in
            byNumber.sorted { $0.key < $1.key }.map { number, receivers in
                let minute = Self.number(Double(number) * length, Self.minute)
                return HeardWindow(
                    end: Double(number + 1) * length, length: length,
                    signals: receivers.sorted { $0.key < $1.key }.map {
                        HeardSignal(
                            receiver: $0.key, rssi: $0.value.sum / Double($0.value.count), count: $0.value.count)
                    },
                    silent: (listening[minute] ?? []).subtracting(receivers.keys).sorted())
            }
        }
    }

    private static let minute = 60.0

    /// Returns the number of the interval in which a time is, also before the origin.
    private static func number(_ time: Double, _ length: Double) -> Int { Int((time / length).rounded(.down)) }

    /// Returns the receivers that heard anybody in each minute: of others it is not known whether they listened.
    private static func listening(_ readings: [Recording.Reading], length: Double) -> [Int: Set<Int>] {
        var receivers: [Int: Set<Int>] = [:]
        for reading in readings {
            receivers[number(reading.time, minute), default: []].insert(reading.receiver)
        }
        return receivers
    }
}
