public import BeaconModel

/// Measurements of beacons and receivers by which RSSI is converted to distance.
public struct Calibration: Equatable, Sendable {
    /// Measured beacons.
    public var beacons: [BeaconID: BeaconCalibration]
    /// Receiver calibrations by the address of the adapter.
    public var receivers: [BluetoothAddress: ReceiverCalibration]

    /// Creates a table from its parts.
    public init(
        beacons: [BeaconID: BeaconCalibration] = [:], receivers: [BluetoothAddress: ReceiverCalibration] = [:]
    ) {
        self.beacons = beacons
        self.receivers = receivers
    }
}

/// Signal strength of one beacon.
public struct BeaconCalibration: Equatable, Sendable {
    /// RSSI at 1 m, in dBm, at a receiver with offset 0.
    public var measuredPower: Double
    /// Standard deviation of the packets' RSSI during the measurement, in dB.
    public var deviation: Double
    /// Number of measured packets.
    public var samples: Int
    /// Path-loss exponent at the beacon's location; `nil` when it was measured at one distance only.
    public var exponent: Double?
    /// Time of the measurement; `nil` when unknown.
    public var measuredAt: Timestamp?

    /// Creates a measurement from its parts.
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

/// Offset of one receiver.
public struct ReceiverCalibration: Equatable, Sendable {
    /// Excess of its readings over a receiver with offset 0, in dB; it is subtracted from the RSSI.
    public var offset: Double
    /// Time of the measurement; `nil` when unknown.
    public var measuredAt: Timestamp?

    /// Creates a measurement from its parts.
    public init(offset: Double, measuredAt: Timestamp? = nil) {
        self.offset = offset
        self.measuredAt = measuredAt
    }
}
