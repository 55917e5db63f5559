import BeaconModel
import Proximity

/// Corrections of what the adapters measure: the configured ones, and those learned from our own fixed beacons. Pure.
struct ReceiverCorrections: Sendable {
    private let measured: Calibration
    /// Calibration from beacons at known distances, for the receivers and the building; `nil` where positions are not
    /// known.
    private var automatic: AutomaticCalibration?
    /// Configured offsets of the receivers in use, in dB.
    private var configured: [Adapter: Double] = [:]
    /// Number of calibration periods already applied.
    private var applied: UInt64 = 0

    init(_ measured: Calibration, automatic: AutomaticCalibration?) {
        self.measured = measured
        self.automatic = automatic
    }

    /// Whether corrections are learned.
    var areLearned: Bool { automatic != nil }
    var status: AutomaticCalibration.Status? { automatic?.status }
    /// State to persist.
    var state: AutomaticCalibration.State? { automatic?.state }

    /// Goes on with a calibration of the previous run.
    mutating func resume(_ calibration: AutomaticCalibration?) { automatic = calibration }

    /// Learns from a packet of one of our own modules.
    mutating func observe(_ beacon: BeaconID, measuredPower: Int8, adapter: Adapter, rssi: RSSI, at time: Timestamp) {
        // The receiver's configured offset is already known, so it must not be learned again.
        automatic?.observe(
            beacon: beacon,
            measuredPower: (measured.beacons[beacon]?.measuredPower ?? Double(measuredPower))
                + configured[adapter, default: 0],
            adapter: adapter, rssi: rssi, at: time)
    }

    /// Applies all corrections to an adapter that has been opened.
    mutating func open(_ adapter: Adapter, address: BluetoothAddress?, _ tracker: inout InteractionTracker) {
        let offset = address.flatMap { measured.receivers[$0]?.offset } ?? 0
        configured[adapter] = offset
        tracker.setOffset(offset + (automatic?.offset(of: adapter) ?? 0), of: adapter)
    }

    /// Applies the learned path-loss exponent.
    func setExponent(of tracker: inout InteractionTracker) {
        if let automatic { tracker.setExponent(automatic.exponent) }
    }

    /// Advances the time, and applies what a period that has ended has taught.
    ///
    /// - Returns: whether there is a new status.
    mutating func advance(to time: Timestamp, _ tracker: inout InteractionTracker) -> Bool {
        automatic?.advance(to: time)
        guard let automatic, automatic.periods != applied else { return false }
        applied = automatic.periods
        for (adapter, offset) in automatic.status.offsets {
            tracker.setOffset(configured[adapter, default: 0] + offset, of: adapter)
        }
        tracker.setExponent(automatic.exponent)
        return true
    }
}
