import BeaconModel
import TestValues
import Testing

@testable import Proximity

@Suite("RSSIFilter")
struct RSSIFilterTests {
    /// -60 dBm for a minute, once a second.
    private func settled() -> RSSIFilter {
        var filter = RSSIFilter(-60, at: Sightings.time(0))
        for second in 1...60 { filter.update(-60, at: Sightings.time(Double(second))) }
        return filter
    }

    @Test("The first value is taken as it is")
    func first() {
        let filter = RSSIFilter(-73, at: Sightings.time(0))
        #expect(filter.value == -73)
        #expect(filter.variance == 45.25)
    }

    @Test("Noise around a level is smoothed to the level")
    func converges() {
        var filter = RSSIFilter(-80, at: Sightings.time(0))
        for second in 1...200 { filter.update(second % 2 == 0 ? -64 : -56, at: Sightings.time(Double(second))) }
        #expect(abs(filter.value - -60) < 1)
    }

    @Test("More samples make it surer, down to where the level itself may wander")
    func variance() {
        var filter = settled()
        for second in 61...600 { filter.update(-60, at: Sightings.time(Double(second))) }
        // The fixed point of v -> (v + q) R / (v + q + R) with q = 1 and R = 25 + 20.25 * 10.
        #expect(abs(filter.variance - 14.591) < 0.01)
    }

    @Test("A hundred packets a second make it hardly surer than one a second: those of a moment share their fading")
    func correlatedPackets() {
        var filter = RSSIFilter(-60, at: Sightings.time(0))
        for index in 1...6000 { filter.update(-60, at: Sightings.time(Double(index) / 100)) }
        #expect(filter.variance > 0.9 * settled().variance)
    }

    @Test("A new level is followed within half a minute, by half in ten seconds")
    func follows() {
        var filter = settled()
        for second in 61...70 { filter.update(-80, at: Sightings.time(Double(second))) }
        #expect(abs(filter.value - -80) < 11)
        for second in 71...120 { filter.update(-80, at: Sightings.time(Double(second))) }
        #expect(abs(filter.value - -80) < 0.5)
    }

    @Test("Five seconds in which somebody stands in the way count for half")
    func shadow() {
        var filter = settled()
        for second in 61...65 { filter.update(-68, at: Sightings.time(Double(second))) }
        #expect(abs(filter.value - -60) < 4)
    }

    @Test("An outlier pulls no further than three standard deviations do")
    func outlier() {
        var far = settled()
        var farther = far
        var near = far
        near.update(-70, at: Sightings.time(61))
        far.update(-90, at: Sightings.time(61))
        farther.update(-110, at: Sightings.time(61))
        #expect(far.value == farther.value)
        #expect(near.value > far.value)
        #expect(far.value > -63)
    }

    @Test("An outlier upwards is held back as well")
    func outlierUpwards() {
        var far = settled()
        var farther = far
        far.update(-30, at: Sightings.time(61))
        farther.update(-1, at: Sightings.time(61))
        #expect(far.value == farther.value)
        #expect(far.value < -57)
    }

    @Test("A stronger signal gives a stronger value: the same stream some dB higher is those dB higher")
    func shifts() {
        var generator = SeededGenerator("shifted RSSI")
        for _ in 0..<50 {
            let shift = Double.random(in: 0...20, using: &generator)
            var low = RSSIFilter(-80, at: Sightings.time(0))
            var high = RSSIFilter(-80 + shift, at: Sightings.time(0))
            var seconds = 0.0
            for _ in 0..<300 {
                seconds += Double.random(in: 0...5, using: &generator)
                let rssi = Double.random(in: -100 ... -50, using: &generator)
                low.update(rssi, at: Sightings.time(seconds))
                high.update(rssi + shift, at: Sightings.time(seconds))
                #expect(abs(high.value - low.value - shift) < 1e-6, generator.comment)
                #expect(abs(high.variance - low.variance) < 1e-6, generator.comment)
            }
        }
    }

    @Test("After more than 60 s the old value says nothing")
    func gap() {
        var filter = settled()
        filter.update(-90, at: Sightings.time(120.000_001))
        #expect(filter == RSSIFilter(-90, at: Sightings.time(120.000_001)))
    }

    @Test("After just 60 s the old value still counts")
    func shortGap() {
        var filter = settled()
        filter.update(-90, at: Sightings.time(120))
        #expect(filter.value > -90)
    }

    @Test("A time that goes backwards makes nothing less sure, and doesn't move the clock")
    func backwards() {
        var filter = settled()
        let before = filter.variance
        filter.update(-60, at: Sightings.time(10))
        #expect(filter.variance <= before + 0.001)
        #expect(filter.variance > 0)
        // 55 s after the latest time, though 105 s after the last one.
        filter.update(-90, at: Sightings.time(115))
        #expect(filter.value > -90)
    }
}
