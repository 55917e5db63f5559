package import BeaconModel

/// Advertisement of a beacon, reduced to what a calibration needs.
package struct CalibrationPacket: Equatable, Sendable {
    package var beacon: BeaconID
    /// Measured power that the beacon advertises, in dBm at 1 m.
    package var measuredPower: Int8
    package var rssi: RSSI
    package var time: Timestamp

    package init(beacon: BeaconID, measuredPower: Int8, rssi: RSSI, time: Timestamp) {
        self.beacon = beacon
        self.measuredPower = measuredPower
        self.rssi = rssi
        self.time = time
    }

    /// Extracts the packet from a report; `nil` when the report is not from a beacon or has no plausible RSSI.
    package init?(_ report: AdvertisingReport, _ identity: AdvertisedIdentity?) {
        guard let rssi = report.rssi, rssi.isPlausible else { return nil }
        switch identity {
        case .iBeacon(let beacon, let power), .altBeacon(let beacon, _, let power):
            self.init(beacon: beacon, measuredPower: power, rssi: rssi, time: report.time)
        default: return nil
        }
    }
}
