public import BeaconModel

extension AutomaticCalibration {
    /// Published status of the calibration.
    public struct Status: Equatable, Sendable {
        /// The present phase.
        public var state: Phase
        /// Offsets in dB of the adapters that have received a fixed beacon.
        public var offsets: [Adapter: Double]
        /// The path-loss exponent in use.
        public var exponent: Double
        /// Number of fixed beacons whose means are remembered and trusted.
        public var beaconsUsed: Int
        /// Error of the latest period in which a fixed beacon was received.
        public var heldOutError: HeldOutError?
        /// Number of fits that were reverted.
        public var rollbacks: UInt64
        /// Beacons that are probably not where the inventory places them, in order.
        public var suspects: [BeaconID]

        /// Creates a status from its parts.
        public init(
            state: Phase, offsets: [Adapter: Double], exponent: Double, beaconsUsed: Int,
            heldOutError: HeldOutError? = nil, rollbacks: UInt64 = 0, suspects: [BeaconID] = []
        ) {
            self.state = state
            self.offsets = offsets
            self.exponent = exponent
            self.beaconsUsed = beaconsUsed
            self.heldOutError = heldOutError
            self.rollbacks = rollbacks
            self.suspects = suspects
        }
    }

    /// The phases of automatic calibration.
    public enum Phase: String, Sendable {
        /// Disabled, or without a fixed beacon at a known distance.
        case off
        /// Learning; the configured values are applied.
        case learning
        /// Learned values are applied.
        case applied
        /// Learned values were taken back; learning is paused.
        case rolledBack = "rolled-back"
    }

    /// Deviation of values from the signals of beacons that they were not fitted to, in a period that they were not
    /// fitted to.
    public struct HeldOutError: Codable, Equatable, Sendable {
        /// RMS errors in dB, with outliers beyond 10 dB counted linearly.
        public var configured: Double
        /// Error with the values in use.
        public var applied: Double
        /// Error of the next candidate; `nil` when there was nothing to fit or learning was paused.
        public var candidate: Double?
        /// Errors as factors of distance, at least 1: 2 means half or twice the distance.
        public var configuredFactor: Double
        /// Factor of the error with the values in use.
        public var appliedFactor: Double
        /// Factor of the error with the latest fit, if there is one.
        public var candidateFactor: Double?

        /// Creates a value from its parts.
        public init(
            configured: Double, applied: Double, candidate: Double? = nil, configuredFactor: Double,
            appliedFactor: Double, candidateFactor: Double? = nil
        ) {
            self.configured = configured
            self.applied = applied
            self.candidate = candidate
            self.configuredFactor = configuredFactor
            self.appliedFactor = appliedFactor
            self.candidateFactor = candidateFactor
        }
    }

    /// Applied values, with their state and evidence.
    public var status: Status {
        var offsets: [Adapter: Double] = [:]
        for index in state.adaptersHeard { offsets[Adapter(index: UInt16(index))] = applied.offsets[index] }
        return Status(
            state: phase, offsets: offsets, exponent: exponent, beaconsUsed: state.records.count(where: \.isUsable),
            heldOutError: state.heldOutError, rollbacks: state.rollbacks,
            suspects: zip(beacons, state.records).filter(\.1.isSuspect).map(\.0))
    }

    private var phase: Phase {
        if !rules.isEnabled || beacons.isEmpty { return .off }
        if state.pauseLeft > 0 { return .rolledBack }
        return state.applied == configured ? .learning : .applied
    }
}
