public import BeaconModel
import RealModule

/// Calibration of a gateway's receivers and of its building's attenuation, learned from fixed beacons at known
/// distances.
///
/// `RSSI = A + o - 10 n log10(d) + u + e`: measured power `A` of the beacon, offset `o` of the adapter, exponent `n` of
/// the gateway, effect `u` of the beacon's walls and mounting, and fading `e`. Values are fitted repeatedly to a memory
/// of some hours, with the configured values as a prior (`Fit`). They are applied in small steps. Each step must prove
/// itself on beacons and a period that it was not fitted to (`Trial`), and is taken back when it turns out worse.
///
/// Pure: time arrives with the packets and through `advance`, and equal inputs give equal values.
public struct AutomaticCalibration: Sendable {
    let rules: Rules
    let configured: Values
    /// Configured offsets, for adapters with any number.
    private let configuredOffsets: [Adapter: Double]
    /// Fixed beacons in order; the record of each has the same index.
    let beacons: [BeaconID]
    private let numbers: [BeaconID: Int]
    /// State to persist for a restart.
    public internal(set) var state: State

    /// Creates a calibration.
    ///
    /// - Parameters:
    ///   - gateway: the position of this gateway.
    ///   - fixed: the positions of beacons that do not move, on the same plan. Beacons nearer than 0.5 m, and all but
    ///     the nearest 256, are ignored.
    ///   - exponent: the configured exponent.
    ///   - offsets: the configured offsets, in dB; 0 for other adapters. They are clamped to the range that can be
    ///     learned.
    ///   - earlier: the state before a restart, from any storage. Implausible parts are left out.
    public init(
        rules: Rules = Rules(), gateway: Place.Position, fixed: [BeaconID: Place.Position],
        exponent: Double = DistanceModel.general.exponent, offsets: [Adapter: Double] = [:],
        resuming earlier: State? = nil
    ) {
        let plain = Values(
            exponent: DistanceModel.general.exponent, offsets: Array(repeating: 0, count: Constants.mostAdapters))
        configured = Values(
            exponent: exponent,
            offsets: (0..<Constants.mostAdapters).map { offsets[Adapter(index: UInt16($0))] ?? 0 }
        ).bounded(else: plain)
        let nearest =
            fixed
            .map { (beacon: $0.key, distance: distance(gateway, $0.value)) }
            .filter { $0.distance.isFinite && $0.distance >= Constants.nearest }
            .sorted { ($0.distance, $0.beacon) < ($1.distance, $1.beacon) }
            .prefix(Constants.mostBeacons)
            .sorted { $0.beacon < $1.beacon }
        let beacons = nearest.map(\.beacon)
        self.rules = rules
        configuredOffsets = offsets.filter { $0.value.isFinite }
        self.beacons = beacons
        numbers = Dictionary(uniqueKeysWithValues: zip(beacons, beacons.indices))
        state = State(beacons: beacons, distances: nearest.map(\.distance), configured: configured)
        if let earlier { state.resume(earlier, rules: rules) }
    }

    /// Returns the excess of the adapter's readings, in dB. Nothing is learned about adapters with numbers above 15.
    public func offset(of adapter: Adapter) -> Double {
        let index = Int(adapter.index)
        return index < Constants.mostAdapters ? applied.offsets[index] : configuredOffsets[adapter] ?? 0
    }

    /// Path-loss exponent of this gateway's building.
    public var exponent: Double { applied.exponent }

    /// Number of completed periods; values change only at the end of a period.
    public private(set) var periods: UInt64 = 0

    var applied: Values { rules.isEnabled ? state.applied : configured }

    /// Adds one packet. Packets of other devices and implausible values are ignored.
    ///
    /// It updates a sum and a count, and allocates memory only for the first packets of a beacon at an adapter.
    ///
    /// - Parameter measuredPower: RSSI at 1 m in dBm, -127 to 20.
    public mutating func observe(
        beacon: BeaconID, measuredPower: Double, adapter: Adapter, rssi: RSSI, at time: Timestamp
    ) {
        guard rules.isEnabled, let number = numbers[beacon], adapter.index < Constants.mostAdapters, rssi.isPlausible,
            (-127...20).contains(measuredPower)
        else { return }
        advance(to: time)
        state.records[number].add(Double(rssi.dBm) - measuredPower, adapter: Int(adapter.index))
    }

    /// Advances the time of the data, and fits the values when a period is over.
    ///
    /// When the clock was set back, the period begins anew; everything learned and received stays.
    public mutating func advance(to time: Timestamp) {
        guard rules.isEnabled else { return }
        let period = rules.periodMicroseconds
        guard let now = state.now, Timestamp(microseconds: now) - time <= rules.largestDisorder else {
            state.now = time.microseconds
            state.periodEnd = time.microseconds + period
            return
        }
        guard time.microseconds > now else { return }
        state.now = time.microseconds
        guard time.microseconds >= state.periodEnd else { return }
        closePeriod()
        // A silence counts as no period, however long it is.
        state.periodEnd += ((time.microseconds - state.periodEnd) / period + 1) * period
    }

    private mutating func closePeriod() {
        let heard = (0..<Constants.mostAdapters).map { adapter in
            state.records.contains { $0.cells.indices.contains(adapter) && $0.cells[adapter].count > 0 }
        }
        guard heard.contains(true) else { return }
        periods &+= 1
        state.findMoved()
        state.learn(rules)
        for index in state.records.indices {
            state.records[index].fold(adapters: heard, retention: rules.retention)
        }
    }
}

/// Returns the distance between two positions, in metres.
private func distance(_ one: Place.Position, _ other: Place.Position) -> Double {
    let (x, y, z) = (one.x - other.x, one.y - other.y, one.z - other.z)
    return (x * x + y * y + z * z).squareRoot()
}
