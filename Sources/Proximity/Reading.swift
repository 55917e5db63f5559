import BeaconModel

/// What a sighting says of a subject's presence and distance.
struct Reading: Codable, Sendable {
    var time: Timestamp
    var adapter: Adapter
    /// dBm; `nil` without a plausible one.
    var rssi: Int8?
    /// dBm at 1 m, as the advertisement says.
    var measuredPower: Int8?

    init(_ sighting: Sighting) {
        time = sighting.time
        adapter = sighting.adapter
        rssi = sighting.rssi.flatMap { $0.isPlausible ? $0.dBm : nil }
        measuredPower = sighting.measuredPower
    }
}
