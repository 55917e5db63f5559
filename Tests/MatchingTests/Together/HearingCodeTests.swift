import Matching
import Testing

@Suite struct HearingCodeTests {
    @Test(arguments: [1.0, 2, 3, 7, 12, 30, 60, 100, 600, 1448])
    func `A count is kept to 6 %`(count: Double) {
        let kept = HearingCode(count: count, rssi: -60).count
        #expect(abs(kept / count - 1) < 0.06)
    }

    @Test(arguments: [-127.0, -100.3, -71.26, -60, -12.5, 0])
    func `An RSSI is kept to a sixteenth of a decibel`(rssi: Double) {
        #expect(abs(HearingCode(count: 10, rssi: rssi).rssi - rssi) <= 1.0 / 16)
    }

    @Test func `What can't be is clamped`() {
        #expect(HearingCode(count: 0, rssi: -200) == HearingCode(count: 1, rssi: -127))
        #expect(HearingCode(count: 1e9, rssi: 50) == HearingCode(count: 1448, rssi: 0.875))
    }

    @Test func `The code that rests on more advertisements is the greater one`() {
        #expect(HearingCode(count: 20, rssi: -90) > HearingCode(count: 10, rssi: -40))
        #expect(HearingCode(count: 20, rssi: -60) > HearingCode(count: 20, rssi: -61))
    }
}
