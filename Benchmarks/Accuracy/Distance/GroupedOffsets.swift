import Glibc

/// How much more than others each receiver reads and each transmitter is read at, in dB.
///
/// Least squares with a level for each group, so that only differences between devices inside one group count, and
/// with a ridge, so that a device that was heard little stays near 0. Solved by fitting levels, receivers and
/// transmitters in turn.
struct GroupedOffsets: Sendable {
    struct Sample: Sendable {
        var group: String
        var receiver: String?
        var transmitter: String?
        /// RSSI brought to 1 m, in dBm.
        var level: Double
    }

    /// Measurements that an offset of 0 counts as.
    private static let ridge = 10.0
    private static let mostPasses = 200
    /// dB.
    private static let precision = 1e-4

    private var receivers: [String: Double] = [:]
    private var transmitters: [String: Double] = [:]

    init(_ samples: [Sample] = []) {
        let groups = Self.numbers(samples.map(\.group))
        let heard = Self.numbers(samples.map(\.receiver))
        let sent = Self.numbers(samples.map(\.transmitter))
        var levels = [Double](repeating: 0, count: groups.count)
        var receiving = [Double](repeating: 0, count: heard.count)
        var sending = [Double](repeating: 0, count: sent.count)
        for _ in 0..<Self.mostPasses where !samples.isEmpty {
            let before = receiving + sending
            let offsets = samples.indices.map { index in
                (heard.of[index].map { receiving[$0] } ?? 0, sent.of[index].map { sending[$0] } ?? 0)
            }
            levels = Self.means(groups, samples.indices.map { samples[$0].level - offsets[$0].0 - offsets[$0].1 }, 0)
            let residuals = samples.indices.map { samples[$0].level - (groups.of[$0].map { levels[$0] } ?? 0) }
            receiving = Self.means(heard, samples.indices.map { residuals[$0] - offsets[$0].1 }, Self.ridge)
            sending = Self.means(
                sent, samples.indices.map { index in residuals[index] - (heard.of[index].map { receiving[$0] } ?? 0) },
                Self.ridge)
            if zip(before, receiving + sending).allSatisfy({ abs($0 - $1) < Self.precision }) { break }
        }
        for (name, number) in heard.names { receivers[name] = receiving[number] }
        for (name, number) in sent.names { transmitters[name] = sending[number] }
    }

    /// 0 of those that aren't known.
    func offset(receiver: String?, transmitter: String?) -> Double {
        (receiver.flatMap { receivers[$0] } ?? 0) + (transmitter.flatMap { transmitters[$0] } ?? 0)
    }

    private typealias Numbers = (names: [String: Int], of: [Int?], count: Int)

    private static func numbers(_ names: [String?]) -> Numbers {
        var numbers: [String: Int] = [:]
        let of = names.map { name in
            name.map { name in
                let number = numbers[name] ?? numbers.count
                numbers[name] = number
                return number
            }
        }
        return (numbers, of, numbers.count)
    }

    private static func means(_ numbers: Numbers, _ values: [Double], _ ridge: Double) -> [Double] {
        var sums = [Double](repeating: 0, count: numbers.count)
        var counts = [Double](repeating: ridge, count: numbers.count)
        for (number, value) in zip(numbers.of, values) {
            guard let number else { continue }
            sums[number] += value
            counts[number] += 1
        }
        return zip(sums, counts).map { $0 / $1 }
    }
}
