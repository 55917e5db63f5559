public import BeaconModel

extension AutomaticCalibration {
    /// What is published of the calibration.
    public struct Status: Equatable, Sendable {
        public var state: Phase
        /// dB, of the adapters that have heard a fixed beacon.
        public var offsets: [Adapter: Double]
        public var exponent: Double
        /// Fixed beacons whose means are remembered and trusted.
        public var beaconsUsed: Int
        /// Of the latest period in which a fixed beacon was heard.
        public var heldOutError: HeldOutError?
        public var rollbacks: UInt64
        /// Beacons that are probably not where the inventory says, in their order.
        public var suspects: [BeaconID]

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

    public enum Phase: String, Sendable {
        /// Disabled, or there is no fixed beacon at a known distance.
        case off
        /// What is applied is what was configured.
        case learning
        case applied
        /// What was learned was taken back; nothing is learned for a while.
        case rolledBack = "rolled-back"
    }

    /// How far values are from what was heard of beacons that they weren't fitted to, in a period that they weren't
    /// fitted to.
    public struct HeldOutError: Codable, Equatable, Sendable {
        /// dB RMS, with outliers beyond 10 dB counted linearly.
        public var configured: Double
        public var applied: Double
        /// What would have been applied; `nil` when there was nothing to fit or learning paused.
        public var candidate: Double?
        /// The same errors as factors of distance, at least 1: 2 is half or twice the distance.
        public var configuredFactor: Double
        public var appliedFactor: Double
        public var candidateFactor: Double?

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

    /// What is applied, and how it came about.
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
