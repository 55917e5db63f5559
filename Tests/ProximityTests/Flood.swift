import BeaconModel

@testable import Proximity

/// Strangers with ever new identities, many a second; the same ones every time.
struct Flood {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var minor: UInt16 = 0

    /// Each identity is sent this many times, the repetitions `spacing` seconds after each other.
    var repetitions = 1
    var spacing = 0.05
    var isOfPhones = false

    /// All that it sends from `start` until `end`, in seconds, with `perSecond` identities a second.
    mutating func sightings(from start: Double, to end: Double, perSecond: Int) -> [Sighting] {
        var sightings: [Sighting] = []
        for index in 0..<Int((end - start) * Double(perSecond)) {
            let time = start + Double(index) / Double(perSecond)
            let identity = nextIdentity()
            for repetition in 0..<repetitions {
                sightings.append(Sightings.sighting(identity, at: time + Double(repetition) * spacing, rssi: -60))
            }
        }
        return repetitions > 1 ? sightings.sorted { $0.time < $1.time } : sightings
    }

    private mutating func nextIdentity() -> AdvertisedIdentity {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        if isOfPhones { return Sightings.ofPhone(UInt128(state), at: 0).identity }
        minor &+= 1
        let beacon = BeaconID(
            uuid: Sightings.beacon(0).uuid, major: UInt16(truncatingIfNeeded: state >> 16 | 0x8000), minor: minor)
        return .iBeacon(beacon, measuredPower: -59)
    }
}

extension InteractionTracker {
    /// Observes everything, in the order of time; gives the events.
    mutating func observe(all sightings: [Sighting]) -> [InteractionEvent] {
        var events: [InteractionEvent] = []
        for sighting in sightings.sorted(by: { $0.time < $1.time }) { events += observe(sighting) }
        return events
    }
}
