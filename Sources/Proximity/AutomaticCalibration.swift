public import BeaconModel
import RealModule

/// Learns from fixed beacons, whose distances are known, how a gateway's receivers read and how its building attenuates.
///
/// `RSSI = A + o - 10 n log10(d) + u + e`: measured power `A` of the beacon, offset `o` of the adapter, exponent `n` of
/// the gateway, effect `u` of the beacon's walls and mounting, and fading `e`. Values are fitted again and again to a
/// memory of some hours and drawn to what was configured (`Fit`); they are applied in small steps, each of which has to
/// prove itself on beacons and a period that it wasn't fitted to (`Trial`), and taken back when they turn out worse.
///
/// Pure: time arrives with the packets and through `advance`, and equal inputs give equal values.
public struct AutomaticCalibration: Sendable {
    let rules: Rules
    let configured: Values
    /// As configured, of adapters with any number.
    private let configuredOffsets: [Adapter: Double]
    /// Fixed beacons in their order; each has the record of its number.
    let beacons: [BeaconID]
    private let numbers: [BeaconID: Int]
    /// For a restart.
    public internal(set) var state: State

    /// - Parameters:
    ///   - gateway: where this gateway is.
    ///   - fixed: where the beacons are that don't move, on the same plan. Those nearer than 0.5 m, and all but the
    ///     nearest 256, are ignored.
    ///   - exponent: as configured.
    ///   - offsets: as configured, in dB; 0 for other adapters. Brought within what can be learned.
    ///   - earlier: of the time before a restart, from wherever it was kept: what can't be true of it is left out.
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

    /// dB that the adapter reads more than it should. Of those with numbers above 15 nothing is learned.
    public func offset(of adapter: Adapter) -> Double {
        let index = Int(adapter.index)
        return index < Constants.mostAdapters ? applied.offsets[index] : configuredOffsets[adapter] ?? 0
    }

    /// Path-loss exponent of this gateway's building.
    public var exponent: Double { applied.exponent }

    /// Periods that ended: values change with nothing else.
    public private(set) var periods: UInt64 = 0

    var applied: Values { rules.isEnabled ? state.applied : configured }

    /// Takes one packet in. Whoever isn't a fixed beacon, and what can't be true, is passed over.
    ///
    /// A sum and a count: it takes no memory but for the first packets that an adapter hears of a beacon.
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

    /// Says what time it is by the data: when a period is over, values are fitted.
    ///
    /// When the clock was set back the period begins anew; what was learned and heard stays.
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
        // A silence is no period, however long.
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

/// Metres.
private func distance(_ one: Place.Position, _ other: Place.Position) -> Double {
    let (x, y, z) = (one.x - other.x, one.y - other.y, one.z - other.z)
    return (x * x + y * y + z * z).squareRoot()
}
