import BeaconModel
import Glibc
import Proximity
import Testing

@testable import AccuracyBenchmark

@Suite("The project's own estimators")
struct HierarchicalFitTests {
    @Test("Many groups' parameters are recovered, whatever was assumed")
    func recovers() throws {
        var random = SplitMix64(seed: 1)
        let fit = try #require(HierarchicalFit(samples(groups: 300, &random), assuming: .phoneToPhone))
        #expect(abs(fit.slope - 10) < 0.5)
        #expect(abs(fit.atOneMetre + 60) < 1.5)
        #expect(abs(fit.within - 9) < 1)
        #expect(abs(fit.between - 25) < 6)
        #expect(abs(fit.priorMean - log(3)) < 0.1 && abs(fit.priorVariance - 0.25) < 0.05)
    }

    @Test("What a measurement says of its own uncertainty isn't counted as shadowing")
    func variance() throws {
        var random = SplitMix64(seed: 1)
        let samples = samples(groups: 300, &random)
        let uncertain = samples.map {
            HierarchicalFit.Sample(group: $0.group, rssi: $0.rssi, variance: 4, metres: $0.metres)
        }
        let one = try #require(HierarchicalFit(samples, assuming: .phoneToPhone))
        let two = try #require(HierarchicalFit(uncertain, assuming: .phoneToPhone))
        #expect(abs(one.within - two.within - 4) < 1e-9 && one.between == two.between)
    }

    @Test("A single measurement leaves the assumed model nearly as it is, and none leaves nothing")
    func shrinks() throws {
        let fit = try #require(
            HierarchicalFit([.init(group: "g", rssi: -70, metres: 2)], assuming: .phoneToPhone))
        #expect(abs(fit.model.exponent - DistanceModel.phoneToPhone.exponent) < 1e-9)
        #expect(fit.model.priorMedian > 1.9 && fit.model.priorMedian < 2)
        #expect(fit.variance.isFinite && fit.variance > 0)
        #expect(HierarchicalFit([], assuming: .phoneToPhone) == nil)
    }

    @Test("The interval of 90 % holds nine tenths of the distances in groups that were left out")
    func coverage() throws {
        var random = SplitMix64(seed: 2)
        let windows = samples(groups: 60, &random).map { sample in
            DistanceWindow(
                dataSet: "s", group: sample.group, run: sample.group, link: .phone,
                packets: [Packet(time: 0, rssi: sample.rssi)], metres: sample.metres)
        }
        let evaluation = DistanceEvaluation(windows)
        let share = try #require(evaluation.scores.first { $0.name == "ours" }?.score.coverage90)
        #expect(share > 0.87 && share < 0.94)
    }

    @Test("With one group ours is the preset as shipped")
    func oneGroup() throws {
        let windows = [1.0, 2, 4].map { window(metres: $0, rssi: -90, receiver: nil) }
        let evaluation = DistanceEvaluation(windows)
        #expect(!evaluation.isHonest)
        let error = try #require(evaluation.scores.first { $0.name == "ours" }?.score.meanError)
        var filled = windows
        SmoothedRSSI.fill(&filled)
        let expected = filled.map { abs(OwnDistance().posterior($0).median - $0.metres) }.mean ?? 0
        #expect(abs(error - expected) < 1e-9)
    }

    @Test("A phone that hears 20 dB less than others among the same beacons is found out")
    func offsets() {
        let samples = (0..<200).map { index in
            GroupedOffsets.Sample(
                group: "beacon \(index / 20)", receiver: index.isMultiple(of: 2) ? "a" : "b", transmitter: nil,
                level: -60 - Double(index / 20) - (index.isMultiple(of: 2) ? 20 : 0))
        }
        let offsets = GroupedOffsets(samples)
        let difference =
            offsets.offset(receiver: "b", transmitter: nil) - offsets.offset(receiver: "a", transmitter: nil)
        #expect(difference > 17 && difference < 20)
        #expect(offsets.offset(receiver: "c", transmitter: "d") == 0)
        #expect(GroupedOffsets().offset(receiver: "a", transmitter: nil) == 0)
    }

    @Test("The filter goes on in the next window at the same distance, and begins anew at another")
    func smoothing() throws {
        func at(_ time: Double, _ rssi: Double, _ metres: Double) -> DistanceWindow {
            DistanceWindow(
                dataSet: "s", group: "g", run: "r", link: .phone,
                packets: (0..<10).map { Packet(time: time + Double($0), rssi: rssi) }, metres: metres)
        }
        var windows = [at(0, -60, 1), at(10, -62, 1), at(20, -80, 2)]
        SmoothedRSSI.fill(&windows)
        let values = try windows.map { try #require($0.smoothed) }
        #expect(values[0].value == -60 && values[2].value == -80)
        #expect(values[1].value < -60 && values[1].value > -62)
        #expect(values[1].variance < values[0].variance)
    }

    /// -60 dBm at 1 m, 5 dB between groups and 3 dB inside, slope 10 dB; distances around 3 m, factor e^0.5.
    private func samples(groups: Int, _ random: inout SplitMix64) -> [HierarchicalFit.Sample] {
        (0..<groups).flatMap { group in
            let level = -60 + 5 * normal(&random)
            return (0..<20).map { _ in
                let y = log(3) + 0.5 * normal(&random)
                return HierarchicalFit.Sample(
                    group: "\(group)", rssi: level - 10 * y + 3 * normal(&random), metres: exp(y))
            }
        }
    }

    private func normal(_ random: inout SplitMix64) -> Double {
        Normal.quantile(Double.random(in: 1e-9..<1, using: &random))
    }

    private func window(metres: Double, rssi: Double, receiver: String?) -> DistanceWindow {
        DistanceWindow(
            dataSet: "s", group: "g", run: "r", link: .phone, packets: [Packet(time: 0, rssi: rssi)], metres: metres,
            receiver: receiver)
    }
}
