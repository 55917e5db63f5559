import Glibc
import Testing

@testable import AccuracyBenchmark

@Suite("Baselines of distance")
struct EstimatorTests {
    @Test("A path loss without noise is fitted, inverted and regressed exactly")
    func exact() throws {
        let windows = [0.5, 1, 2, 4].map { window(metres: $0, rssi: -60 - 20 * log10($0)) }
        let fit = try #require(PathLossFit(windows))
        #expect(abs(fit.atOneMetre + 60) < 1e-9 && abs(fit.exponent - 2) < 1e-9 && fit.shadowing < 1e-6)
        var inversion = InversionBaseline()
        inversion.fit(windows)
        var regression = RegressionBaseline()
        regression.fit(windows)
        let asked = window(metres: .nan, rssi: -60 - 20 * log10(3)).blind
        #expect(abs(inversion.posterior(asked).median - 3) < 1e-6)
        #expect(abs(regression.posterior(asked).median - 3) < 1e-6)
    }

    @Test("Where the distance is one only there is no path loss, and nothing traps")
    func flat() {
        let windows = [-60.0, -70, -80].map { window(metres: 1.83, rssi: $0) }
        #expect(PathLossFit(windows) == nil)
        for baseline in DistanceEvaluation.baselines {
            var fitted = baseline
            fitted.fit(windows)
            #expect(fitted.posterior(windows[0].blind).median.isFinite)
        }
        #expect(DistanceEvaluation(windows).scores.allSatisfy { $0.score.meanError?.isFinite == true })
    }

    @Test("The textbook curves give the distances that their authors' formulas give")
    func textbook() {
        let asked = window(metres: 1, rssi: -79)
        #expect(abs(LogDistanceTextbook().posterior(asked).median - 10) < 1e-9)
        // 0.42093 (79 / 59)^6.9476 + 0.54992 and -17.10208 + 0.266793 * 79.
        #expect(abs(AltBeaconCurve().posterior(asked).median - 3.757) < 0.01)
        #expect(abs(HeraldLinear().posterior(asked).median - 3.974567) < 1e-6)
        #expect(HeraldLinear().posterior(window(metres: 1, rssi: -40)).median == 0)
    }

    @Test("The shipped model's quantiles agree with its interval and its probabilities")
    func shipped() {
        let posterior = PresetDistance().posterior(window(metres: 1, rssi: -70))
        #expect(abs(posterior.probability(within: posterior.quantile(0.9)) - 0.9) < 1e-9)
        #expect(posterior.median > 0.5 && posterior.median < 10)
    }

    private func window(metres: Double, rssi: Double) -> DistanceWindow {
        DistanceWindow(
            dataSet: "s", group: "g", run: "r", link: .phone, packets: [Packet(time: 0, rssi: rssi)], metres: metres)
    }
}
