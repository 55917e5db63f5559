import BeaconModel
import Testing

@testable import Proximity

@Suite("RSSIFilter")
struct RSSIFilterTests {
    private func rssi(_ dBm: Int8) throws -> RSSI { try #require(RSSI(dBm: dBm)) }

    /// -60 dBm for a minute, once a second.
    private func settled() throws -> RSSIFilter {
        var filter = try RSSIFilter(rssi(-60), at: Sightings.time(0))
        for second in 1...60 { try filter.update(rssi(-60), at: Sightings.time(Double(second))) }
        return filter
    }

    @Test("The first value is taken as it is")
    func first() throws {
        let filter = try RSSIFilter(rssi(-73), at: Sightings.time(0))
        #expect(filter.value == -73)
        #expect(filter.variance == 25)
    }

    @Test("Noise around a level is smoothed to the level")
    func converges() throws {
        var filter = try RSSIFilter(rssi(-80), at: Sightings.time(0))
        for second in 1...200 {
            try filter.update(rssi(second % 2 == 0 ? -64 : -56), at: Sightings.time(Double(second)))
        }
        #expect(abs(filter.value - -60) < 1)
    }

    @Test("More samples make it surer, down to where the level itself may wander")
    func variance() throws {
        let filter = try settled()
        // The fixed point of v -> (v + q) R / (v + q + R) with q = 0.1 and R = 25.
        #expect(abs(filter.variance - 1.531) < 0.01)
    }

    @Test("A new level is followed")
    func follows() throws {
        var filter = try settled()
        for second in 61...120 { try filter.update(rssi(-70), at: Sightings.time(Double(second))) }
        #expect(abs(filter.value - -70) < 0.5)
    }

    @Test("An outlier pulls no further than three standard deviations do")
    func outlier() throws {
        var far = try settled()
        var farther = far
        var near = far
        try near.update(rssi(-70), at: Sightings.time(61))
        try far.update(rssi(-90), at: Sightings.time(61))
        try farther.update(rssi(-110), at: Sightings.time(61))
        #expect(far.value == farther.value)
        #expect(near.value > far.value)
        // 3 * sqrt(1.63 + 25) = 15.5 dB, of which a gain of 0.061 is taken.
        #expect(abs(far.value - -60.95) < 0.02)
    }

    @Test("An outlier upwards is held back as well")
    func outlierUpwards() throws {
        var far = try settled()
        var farther = far
        try far.update(rssi(-30), at: Sightings.time(61))
        try farther.update(rssi(-1), at: Sightings.time(61))
        #expect(far.value == farther.value)
        #expect(abs(far.value - -59.05) < 0.02)
    }

    @Test("After more than 60 s the old value says nothing")
    func gap() throws {
        var filter = try settled()
        try filter.update(rssi(-90), at: Sightings.time(120.000_001))
        #expect(try filter == RSSIFilter(rssi(-90), at: Sightings.time(120.000_001)))
    }

    @Test("After just 60 s the old value still counts")
    func shortGap() throws {
        var filter = try settled()
        try filter.update(rssi(-90), at: Sightings.time(120))
        #expect(filter.value > -90)
    }

    @Test("A time that goes backwards makes nothing less sure, and doesn't move the clock")
    func backwards() throws {
        var filter = try settled()
        let before = filter.variance
        try filter.update(rssi(-60), at: Sightings.time(10))
        #expect(filter.variance <= before)
        #expect(filter.variance > 0)
        // 55 s after the latest time, though 105 s after the last one.
        try filter.update(rssi(-90), at: Sightings.time(115))
        #expect(filter.value > -90)
    }
}
