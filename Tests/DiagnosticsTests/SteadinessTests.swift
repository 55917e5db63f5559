import TestValues
import Testing

@testable import Diagnostics

@Suite struct SteadinessTests {
    @Test("Halves that differ by more than 2 dB and by more than chance have a drift")
    func drift() {
        // 10 seconds around -60 and 10 around -57, each +-0.5: means -60 and -57.
        let means = (0..<20).map { ($0 < 10 ? -60.0 : -57.0) + ($0 % 2 == 0 ? 0.5 : -0.5) }
        #expect(Steadiness(secondMeans: means) == .drifting(by: 3))
    }

    @Test("Less than 2 dB, or a difference that the noise explains, is no drift")
    func noDrift() {
        #expect(Steadiness(secondMeans: (0..<20).map { $0 < 10 ? -60.0 : -58.1 }) == .steady)
        // 2.4 dB with standard deviations of about 6: the error of the difference is 2.7.
        let noisy = (0..<20).map { ($0 < 10 ? -60.0 : -57.6) + ($0 % 2 == 0 ? 6.0 : -6.0) }
        if case .drifting = Steadiness(secondMeans: noisy) { Issue.record("\(Steadiness(secondMeans: noisy))") }
    }

    @Test("Two groups of seconds that are clearly apart are an interruption")
    func interruption() {
        // Every fifth second 8 dB weaker; within the groups 0.5 dB: 8 / 0.5 is far above 4.
        let means = (0..<20).map { ($0 % 5 == 0 ? -68.0 : -60.0) + ($0 % 2 == 0 ? 0.5 : -0.5) }
        #expect(Steadiness(secondMeans: means) == .interrupted(by: 8))
    }

    @Test("One second in twenty isn't a group")
    func single() {
        #expect(Steadiness(secondMeans: (0..<20).map { $0 == 7 ? -75 : -60 }) == .steady)
    }

    @Test("Noise of one kind isn't called an interruption", arguments: [(1.0, 5), (2.0, 60), (4.0, 60)])
    func noise(deviation: Double, most: Int) {
        var generator = SeededGenerator("steadiness")
        var alarms = 0
        for _ in 0..<500 {
            let means = (0..<20).map { _ in
                (0..<12).reduce(-66.0) { sum, _ in sum + deviation * (Double.random(in: 0..<1, using: &generator) - 0.5)
                }
            }
            if case .interrupted = Steadiness(secondMeans: means) { alarms += 1 }
        }
        // About one in twenty of the widest, which aren't enough after 20 s in any case.
        #expect(alarms <= most, generator.comment)
    }

    @Test("Nothing and little are steady", arguments: [[], [-60], [-60, -70], [-60, -70, -60]])
    func little(means: [Double]) { #expect(Steadiness(secondMeans: means) == .steady) }
}
