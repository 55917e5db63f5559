import BeaconModel

/// Data of a sighting about a subject's presence and distance.
struct Reading: Codable, Sendable {
    var time: Timestamp
    var adapter: Adapter
    /// RSSI in dBm; `nil` without a plausible one.
    var rssi: Int8?
    /// RSSI at 1 m in dBm, from the advertisement.
    var measuredPower: Int8?

    init(_ sighting: Sighting) {
        time = sighting.time
        adapter = sighting.adapter
        rssi = sighting.rssi.flatMap { $0.isPlausible ? $0.dBm : nil }
        measuredPower = sighting.measuredPower
    }
}
