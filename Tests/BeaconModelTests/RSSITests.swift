import BeaconModel
import Testing

@Suite("RSSI")
struct RSSITests {
    @Test("127, by which a controller says \"not available\", is no strength")
    func unavailable() {
        #expect(RSSI(dBm: 127) == nil)
    }

    @Test("The range of the specification is taken to its ends", arguments: [Int8(-127), -110, -59, 0, 20])
    func range(dBm: Int8) {
        #expect(RSSI(dBm: dBm)?.dBm == dBm)
    }

    @Test("Values outside the range of the specification are no strength", arguments: [Int8(-128), 21, 126])
    func outside(dBm: Int8) {
        #expect(RSSI(dBm: dBm) == nil)
    }

    @Test("What no receiver hears and no advertiser reaches is implausible", arguments: [Int8(-127), -111, 0, 20])
    func implausible(dBm: Int8) throws {
        #expect(try !#require(RSSI(dBm: dBm)).isPlausible)
    }

    @Test("What a receiver can hear is plausible", arguments: [Int8(-110), -59, -1])
    func plausible(dBm: Int8) throws {
        #expect(try #require(RSSI(dBm: dBm)).isPlausible)
    }

    @Test("The weaker signal is the smaller one")
    func order() throws {
        #expect(try #require(RSSI(dBm: -90)) < #require(RSSI(dBm: -60)))
    }
}
