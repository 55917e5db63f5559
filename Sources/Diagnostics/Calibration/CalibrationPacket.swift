package import BeaconModel

/// An advertisement of a beacon, as far as a calibration needs it.
package struct CalibrationPacket: Equatable, Sendable {
    package var beacon: BeaconID
    /// dBm at 1 m, as the beacon says.
    package var measuredPower: Int8
    package var rssi: RSSI
    package var time: Timestamp

    package init(beacon: BeaconID, measuredPower: Int8, rssi: RSSI, time: Timestamp) {
        self.beacon = beacon
        self.measuredPower = measuredPower
        self.rssi = rssi
        self.time = time
    }

    /// `nil` when it is no beacon's, or wasn't measured.
    package init?(_ report: AdvertisingReport, _ identity: AdvertisedIdentity?) {
        guard let rssi = report.rssi, rssi.isPlausible else { return nil }
        switch identity {
        case .iBeacon(let beacon, let power), .altBeacon(let beacon, _, let power):
            self.init(beacon: beacon, measuredPower: power, rssi: rssi, time: report.time)
        default: return nil
        }
    }
}
