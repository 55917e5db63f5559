import BeaconModel
import RealModule

extension AutomaticCalibration {
    /// What is remembered of one fixed beacon.
    struct Record: Codable, Equatable, Sendable {
        private let uuid: String
        private let major: UInt16
        private let minor: UInt16
        /// Metres.
        let distance: Double
        /// -10 log10 of the distance: how much the RSSI falls with the exponent.
        let gain: Double
        /// By the number of the adapter, as many as have heard it.
        private(set) var cells: [Cell] = []
        /// Periods running in which it was heard elsewhere than in memory, or, of a suspect, where it was before.
        var differentPeriods = 0
        /// Probably moved.
        var isSuspect = false
        /// What would be applied without this beacon; `nil` while that is what is applied.
        var appliedWithout: Values?
        /// What would be gone back to without this beacon; `nil` while that is what is gone back to.
        var goodWithout: Values?

        init(_ beacon: BeaconID, distance: Double) {
            uuid = beacon.uuid.description
            major = beacon.major
            minor = beacon.minor
            self.distance = distance
            gain = -10 * Double.log10(distance)
        }

        /// `nil` when it isn't one.
        var beacon: BeaconID? {
            ProximityUUID(uuid).map { BeaconID(uuid: $0, major: major, minor: minor) }
        }

        /// Takes from another record of the beacon, at the same distance, what can be true.
        mutating func resume(_ other: Record, configured: Values) {
            cells = other.cells.prefix(Constants.mostAdapters).map(\.bounded)
            differentPeriods = min(max(other.differentPeriods, 0), Constants.jumpPeriods)
            isSuspect = other.isSuspect
            appliedWithout = other.appliedWithout?.bounded(else: configured)
            goodWithout = other.goodWithout?.bounded(else: configured)
        }

        mutating func add(_ value: Double, adapter: Int) {
            // Only the first packets of a beacon come here.
            while cells.count <= adapter { cells.append(Cell()) }
            cells[adapter].add(value)
        }

        /// Closes the period.
        ///
        /// - Parameter adapters: those that heard any fixed beacon. What others knew stays.
        mutating func fold(adapters: [Bool], retention: Double) {
            // A baseline isn't mixed with what contradicts it.
            let isKept = !isTrusted
            for index in cells.indices where adapters[index] {
                if !isKept { cells[index].fold(retention: retention) }
                cells[index].count = 0
                cells[index].sum = 0
            }
        }

        mutating func forgetMeans() {
            for index in cells.indices {
                cells[index].weight = 0
                cells[index].mean = 0
            }
            differentPeriods = 0
            isSuspect = false
        }

        /// Whether its place isn't in doubt.
        var isTrusted: Bool { !isSuspect && differentPeriods == 0 }

        /// Whether its means can be fitted.
        var isUsable: Bool { isTrusted && cells.contains { $0.weight >= Constants.leastWeight } }
    }

    /// RSSI less measured power of one beacon at one adapter, in dB.
    struct Cell: Codable, Equatable, Sendable {
        /// Packets of this period and their sum.
        var count = 0.0
        var sum = 0.0
        /// Of the periods before, with their weight in periods.
        var weight = 0.0
        var mean = 0.0

        /// One packet that is far from what is known, such as a copy's, pulls no harder than one that is `outlier` away.
        mutating func add(_ value: Double) {
            let isKnown = weight >= Constants.leastBaseline
            count += 1
            sum += isKnown ? min(max(value, mean - Constants.outlier), mean + Constants.outlier) : value
        }

        /// Of this period; only with `latestWeight` above 0.
        var latestMean: Double { sum / count }

        /// Of this period, below 1.
        var latestWeight: Double { count / (count + Constants.packetsOfHalfWeight) }

        mutating func fold(retention: Double) {
            weight *= retention
            guard count > 0 else { return }
            let sum = weight + latestWeight
            mean += latestWeight / sum * (latestMean - mean)
            weight = sum
        }

        /// What a file says, as far as it can be true.
        fileprivate var bounded: Cell {
            guard count >= 0, count < 1e12, abs(sum) <= 256 * count, weight >= 0, weight < 1e6, abs(mean) <= 256 else {
                return Cell()
            }
            return self
        }
    }
}
