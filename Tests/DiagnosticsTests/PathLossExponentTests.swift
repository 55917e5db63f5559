import Testing

@testable import Diagnostics

@Suite struct PathLossExponentTests {
    private func estimate(_ near: Double, _ far: Double, error: Double = 0) -> Double? {
        PathLossExponent.estimate(
            near: .init(rssi: near, error: error, distance: 1), far: .init(rssi: far, error: error, distance: 3))
    }

    @Test("It is the slope between the distances, drawn towards 2 by its uncertainty")
    func worked() throws {
        // 10 log10(3) = 4.7712. 14.3136 dB are an exponent of 3. Its variance with errors of 0.7 dB is
        // (2 * 0.49 + 2 * 4) / 4.7712^2 = 0.39447; the prior's is 0.25.
        // (3 / 0.39447 + 2 / 0.25) / (1 / 0.39447 + 1 / 0.25) = 15.6051 / 6.5350 = 2.3879.
        let exponent = try #require(estimate(-60, -74.3136, error: 0.7))
        #expect(abs(exponent - 2.3879) < 1e-3)
    }

    @Test("Free space stays free space, however uncertain", arguments: [0.0, 0.7, 5])
    func freeSpace(error: Double) throws {
        #expect(abs((try #require(estimate(-60, -69.5424, error: error))) - 2) < 1e-4)
    }

    @Test("The less certain, the nearer to 2")
    func certainty() throws {
        let sure = try #require(estimate(-60, -80, error: 0))
        let unsure = try #require(estimate(-60, -80, error: 3))
        #expect(2 < unsure && unsure < sure && sure < 4)
    }

    @Test("It is never below 1 or above 4", arguments: [(-60.0, -60.0), (-20, -100)])
    func limits(near: Double, far: Double) throws {
        #expect(PathLossExponent.range.contains(try #require(estimate(near, far))))
    }

    @Test("A beacon that is stronger farther away has none")
    func stronger() { #expect(estimate(-60, -59.9) == nil) }
}
