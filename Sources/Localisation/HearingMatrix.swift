/// Differences between the expected and the heard levels of beacons, for each beacon at a receiver and each receiver
/// that can hear it.
///
/// A row that is off shows a beacon that sends more weakly or strongly than others; a column, a receiver that hears so.
package struct HearingMatrix: Equatable, Sendable {
    /// A beacon and a receiver, by paths.
    package struct Link: Hashable, Sendable {
        /// Path of the receiver at which the beacon hangs.
        package var beacon: String
        /// Path of the receiver that hears it.
        package var receiver: String

        package init(beacon: String, receiver: String) {
            self.beacon = beacon
            self.receiver = receiver
        }
    }

    /// Comparison of one beacon at one receiver, or the reason why there is none.
    package enum Cell: Equatable, Sendable {
        /// The receiver's own beacon, which is too near to tell anything.
        case own
        /// Expected minus heard level in dB: above 0, it is heard more weakly than expected.
        case difference(Double)
        /// Heard, and the expected level is not known.
        case heard
        /// Not heard, although it is expected so loudly that it would be.
        case notHeard
        /// Not heard, and not surely expected.
        case nothing
    }

    /// Sums of a row or a column.
    package struct Sum: Equatable, Sendable {
        /// Number of differences.
        package var count = 0
        /// Number of cells that are not heard although they are expected.
        package var notHeard = 0
        /// Mean of the differences in dB; `nil` if there are none.
        package var mean: Double?
        /// Root of the mean square of the differences in dB; `nil` if there are none.
        package var rootMeanSquare: Double?
        /// Whether it differs from the others by so much that something is wrong.
        package var isOff = false
    }

    package let beacons: [String]
    package let receivers: [String]
    /// Cells by row, in the order of beacons and receivers.
    package let cells: [[Cell]]
    /// Mean of all differences in dB, to which the power of the beacons adds; `nil` if there are none.
    package let mean: Double?
    /// Sums of the beacons.
    package private(set) var rows: [Sum]
    /// Sums of the receivers.
    package private(set) var columns: [Sum]

    /// Difference of a mean from that of all from which a row or column is off, in dB.
    package static let mostDifference = 8.0
    /// Number of differences, or of cells that are not heard, from which something is said.
    package static let leastCount = 2

    /// Compares levels.
    ///
    /// - Parameters:
    ///   - heard: levels in dBm.
    ///   - expected: levels of a beacon of the reference power in dBm.
    ///   - surelyHeard: level in dBm from which a receiver hears a beacon if it hears anything.
    package init(
        beacons: [String], receivers: [String], heard: [Link: Double], expected: [Link: Double],
        surelyHeard: Double = RadioSettings().surelyHeard
    ) {
        self.beacons = beacons
        self.receivers = receivers
        cells = beacons.map { beacon in
            receivers.map { receiver -> Cell in
                if beacon == receiver { return .own }
                let link = Link(beacon: beacon, receiver: receiver)
                let model = expected[link] ?? .nan
                guard let level = heard[link], level.isFinite else {
                    return model.isFinite && model >= surelyHeard ? .notHeard : .nothing
                }
                return model.isFinite ? .difference(model - level) : .heard
            }
        }
        let all = cells
        rows = all.map(Self.sum)
        columns = receivers.indices.map { column in Self.sum(all.map { $0[column] }) }
        let differences = all.joined().compactMap(\.difference)
        let middle = differences.isEmpty ? nil : differences.reduce(0, +) / Double(differences.count)
        mean = middle
        // The presets' reference power is no beacon's in particular: all can be off alike, and none is broken.
        for index in rows.indices { rows[index].judge(against: middle) }
        for index in columns.indices { columns[index].judge(against: middle) }
    }

    private static func sum(_ cells: [Cell]) -> Sum {
        let differences = cells.compactMap(\.difference)
        var sum = Sum(count: differences.count, notHeard: cells.count { $0 == .notHeard })
        if differences.isEmpty { return sum }
        let count = Double(differences.count)
        sum.mean = differences.reduce(0, +) / count
        sum.rootMeanSquare = (differences.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
        return sum
    }
}

extension HearingMatrix.Cell {
    /// Expected minus heard level in dB; `nil` if it is not known.
    package var difference: Double? { if case .difference(let value) = self { value } else { nil } }
}

extension HearingMatrix.Sum {
    /// Returns how much more weakly than others it is heard, or hears, in dB; `nil` if that is not known.
    package func departure(from middle: Double?) -> Double? {
        mean.flatMap { mean in middle.map { mean - $0 } }
    }

    /// Judges the sum: most of what was expected is not heard, or the mean is far from that of all.
    fileprivate mutating func judge(against middle: Double?) {
        let isLost = notHeard >= HearingMatrix.leastCount && notHeard > count
        let isFar =
            count >= HearingMatrix.leastCount
            && departure(from: middle).map { abs($0) >= HearingMatrix.mostDifference } ?? false
        isOff = isLost || isFar
    }
}
