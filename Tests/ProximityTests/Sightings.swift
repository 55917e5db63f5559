import BeaconModel

/// Sightings at seconds after a fixed time.
enum Sightings {
    static let start = Timestamp(microseconds: 1_600_000_000_000_000)

    static func time(_ seconds: Double) -> Timestamp { start + .microseconds(Int64((seconds * 1e6).rounded())) }

    static func beacon(_ minor: UInt16) -> BeaconID {
        BeaconID(uuid: ProximityUUID(bits: 0xE2C5), major: 1, minor: minor)
    }

    static func ofBeacon(
        _ minor: UInt16 = 1, at seconds: Double, rssi: Int8 = -60, measuredPower: Int8 = -59
    ) -> Sighting {
        sighting(.iBeacon(beacon(minor), measuredPower: measuredPower), at: seconds, rssi: rssi)
    }

    static func ofPhone(_ number: UInt128 = 1, at seconds: Double, rssi: Int8 = -60) -> Sighting {
        sighting(
            .exposureNotification(RollingProximityIdentifier(bits: number), encryptedMetadata: 0), at: seconds,
            rssi: rssi)
    }

    /// - Parameter rssi: as the controller says it; 127 is none.
    static func sighting(_ identity: AdvertisedIdentity, at seconds: Double, rssi: Int8) -> Sighting {
        let report = AdvertisingReport(
            time: time(seconds), adapter: Adapter(index: 0), address: BluetoothAddress(bits: 1), addressKind: .random,
            rssi: RSSI(dBm: rssi), isConnectable: false, isScanResponse: false)
        return Sighting(report: report, identity: identity)
    }
}
