import GatewayCore
import Testing

@Suite("Reports per second") struct RateWindowTests {
    private func window(_ samples: [(seconds: Double, counts: [UInt64])]) -> RateWindow {
        var window = RateWindow()
        for sample in samples { window.add(sample.counts, at: .seconds(sample.seconds)) }
        return window
    }

    @Test func `One sample gives no rate`() {
        #expect(window([]).rates == [])
        #expect(window([(0, [5])]).rates == [])
    }

    @Test func `Each count has the mean over the last ten seconds`() {
        // 100 a second from the first second on, which is forgotten; then 10 a second.
        var samples: [(seconds: Double, counts: [UInt64])] = []
        for number: UInt64 in 0...20 {
            let count = number < 10 ? number * 200 : 2000 + (number - 10) * 20
            samples.append((seconds: Double(number) * 2, counts: [count, 7]))
        }
        #expect(window(Array(samples.prefix(6))).rates == [100, 0])
        #expect(window(samples).rates == [10, 0])
    }

    @Test func `Another number of counts begins anew`() {
        #expect(window([(0, [0]), (2, [100]), (4, [200, 0])]).rates == [])
        #expect(window([(0, [0]), (2, [0, 0]), (4, [20, 2])]).rates == [10, 1])
    }

    @Test func `A count that begins again has no rate below zero`() {
        #expect(window([(0, [1000]), (2, [10])]).rates == [0])
    }
}
