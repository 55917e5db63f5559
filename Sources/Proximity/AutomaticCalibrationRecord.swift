import BeaconModel
import RealModule

extension AutomaticCalibration {
    /// Memory of one fixed beacon.
    struct Record: Codable, Equatable, Sendable {
        private let uuid: String
        private let major: UInt16
        private let minor: UInt16
        /// Distance in metres.
        let distance: Double
        /// Change of the RSSI per unit of the exponent, in dB: -10 log10 of the distance.
        let gain: Double
        /// Means by the number of the adapter, up to the highest that received the beacon.
        private(set) var cells: [Cell] = []
        /// Consecutive periods in which the beacon's signal differed from memory or, for a suspect, agreed with it
        /// again.
        var differentPeriods = 0
        /// Whether the beacon has probably been moved.
        var isSuspect = false
        /// Values that would be applied without this beacon; `nil` while they equal the applied ones.
        var appliedWithout: Values?
        /// Values that a rollback would restore without this beacon; `nil` while they equal the actual ones.
        var goodWithout: Values?

        init(_ beacon: BeaconID, distance: Double) {
            uuid = beacon.uuid.description
            major = beacon.major
            minor = beacon.minor
            self.distance = distance
            gain = -10 * Double.log10(distance)
        }

        /// Identity of the beacon; `nil` when the stored UUID is invalid.
        var beacon: BeaconID? {
            ProximityUUID(uuid).map { BeaconID(uuid: $0, major: major, minor: minor) }
        }

        /// Restores the plausible parts of another record of the beacon at the same distance.
        mutating func resume(_ other: Record, configured: Values) {
            cells = other.cells.prefix(Constants.mostAdapters).map(\.bounded)
            differentPeriods = min(max(other.differentPeriods, 0), Constants.jumpPeriods)
            isSuspect = other.isSuspect
            appliedWithout = other.appliedWithout?.bounded(else: configured)
            goodWithout = other.goodWithout?.bounded(else: configured)
        }

        mutating func add(_ value: Double, adapter: Int) {
            // This appends only for the first packets of a beacon.
            while cells.count <= adapter { cells.append(Cell()) }
            cells[adapter].add(value)
        }

        /// Closes the period.
        ///
        /// - Parameter adapters: the adapters that received any fixed beacon. The means of the others stay.
        mutating func fold(adapters: [Bool], retention: Double) {
            // A baseline is not mixed with data that contradicts it.
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

        /// Whether the beacon's place is not in doubt.
        var isTrusted: Bool { !isSuspect && differentPeriods == 0 }

        /// Whether the beacon's means can be fitted.
        var isUsable: Bool { isTrusted && cells.contains { $0.weight >= Constants.leastWeight } }
    }

    /// RSSI minus measured power of one beacon at one adapter, in dB.
    struct Cell: Codable, Equatable, Sendable {
        /// Packets of this period and their sum.
        var count = 0.0
        var sum = 0.0
        /// Weight of earlier periods, in periods, and their mean.
        var weight = 0.0
        var mean = 0.0

        /// Adds a packet. One that is far from the known mean, such as one from a copy of the beacon, has no more
        /// influence than one that is `outlier` away.
        mutating func add(_ value: Double) {
            let isKnown = weight >= Constants.leastBaseline
            count += 1
            sum += isKnown ? min(max(value, mean - Constants.outlier), mean + Constants.outlier) : value
        }

        /// Mean of this period; defined only when `latestWeight` is above 0.
        var latestMean: Double { sum / count }

        /// Weight of this period, below 1.
        var latestWeight: Double { count / (count + Constants.packetsOfHalfWeight) }

        mutating func fold(retention: Double) {
            weight *= retention
            guard count > 0 else { return }
            let sum = weight + latestWeight
            mean += latestWeight / sum * (latestMean - mean)
            weight = sum
        }

        /// Cell read from a file, or an empty one when it is implausible.
        fileprivate var bounded: Cell {
            guard count >= 0, count < 1e12, abs(sum) <= 256 * count, weight >= 0, weight < 1e6, abs(mean) <= 256 else {
                return Cell()
            }
            return self
        }
    }
}
