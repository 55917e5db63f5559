public import BeaconModel

/// What was measured of beacons and receivers, so that RSSI means a distance.
public struct Calibration: Equatable, Sendable {
    public var beacons: [BeaconID: BeaconCalibration]
    /// By the address of the adapter.
    public var receivers: [BluetoothAddress: ReceiverCalibration]

    public init(
        beacons: [BeaconID: BeaconCalibration] = [:], receivers: [BluetoothAddress: ReceiverCalibration] = [:]
    ) {
        self.beacons = beacons
        self.receivers = receivers
    }
}

/// How strong one beacon is.
public struct BeaconCalibration: Equatable, Sendable {
    /// dBm at 1 m, as a receiver of offset 0 hears it.
    public var measuredPower: Double
    /// Standard deviation of the packets' RSSI while it was measured, dB.
    public var deviation: Double
    /// Packets that were measured.
    public var samples: Int
    /// Path-loss exponent where the beacon is; `nil` when it was measured at one distance only.
    public var exponent: Double?
    /// `nil` when that isn't known.
    public var measuredAt: Timestamp?

    public init(
        measuredPower: Double, deviation: Double, samples: Int, exponent: Double? = nil, measuredAt: Timestamp? = nil
    ) {
        self.measuredPower = measuredPower
        self.deviation = deviation
        self.samples = samples
        self.exponent = exponent
        self.measuredAt = measuredAt
    }
}

/// How one receiver reads.
public struct ReceiverCalibration: Equatable, Sendable {
    /// How much more than a receiver of offset 0 it reads, dB: to be subtracted from its RSSI.
    public var offset: Double
    /// `nil` when that isn't known.
    public var measuredAt: Timestamp?

    public init(offset: Double, measuredAt: Timestamp? = nil) {
        self.offset = offset
        self.measuredAt = measuredAt
    }
}
