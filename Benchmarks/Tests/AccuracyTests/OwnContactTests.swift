import BeaconModel
import Glibc
import Testing

@testable import AccuracyBenchmark

@Suite("The project's own contacts")
struct OwnContactTests {
    @Test("Contacts of another scenario are told, the unheard too, and the interval holds nine tenths")
    func scenarios() throws {
        let windows = (0..<4).flatMap { ContactWindow.windows(of: recording($0)) }
        let evaluation = ContactEvaluation(windows)
        #expect(evaluation.isHonest)
        let own = try #require(evaluation.scores[1].first { $0.name == "ours" })
        #expect(try #require(own.area) > 0.9)
        #expect(try #require(own.probability.brier) < 0.15)
        let coverage = try #require(evaluation.coverage.first { $0.name == "ours" })
        #expect(coverage.share > 0.8)
    }

    @Test("A single scenario is judged by the preset, or by what other experiments taught")
    func oneScenario() {
        let windows = ContactWindow.windows(of: recording(0))
        #expect(!ContactEvaluation(windows).isHonest)
        #expect(ContactEvaluation(windows, others: ContactWindow.windows(of: recording(1))).isHonest)
    }

    @Test("Before anything is learnt the unheard are as probably near as anybody")
    func unheard() throws {
        let windows = ContactWindow.windows(of: recording(0))
        var silent = try #require(windows.first { $0.packets.isEmpty }).blind
        silent.scenario = "other"
        let before = try #require(OwnContact().probability(silent, within: 2))
        #expect(before > 0.4 && before < 0.7)
        var fitted = OwnContact()
        fitted.fit(windows)
        let after = try #require(fitted.probability(silent, within: 2))
        #expect(after < before)
        #expect(fitted.distance(silent) == nil)
    }

    /// Eight people on a line who stay; nobody is heard from beyond 6 m. Each phone has an offset of its own.
    private func recording(_ scenario: Int) -> ContactRecording {
        var random = SplitMix64(seed: UInt64(scenario))
        let places = (0..<8).map { Double($0) * 1.3 + Double.random(in: -0.4...0.4, using: &random) }
        var packets: [ContactPacket] = []
        for time in stride(from: 0.0, to: 1500, by: 20) {
            for receiver in 0..<8 {
                for transmitter in 0..<8 where receiver != transmitter {
                    let metres = max(0.2, abs(places[receiver] - places[transmitter]))
                    guard metres < 6 else { continue }
                    let noise = Double.random(in: -4...4, using: &random)
                    packets.append(
                        ContactPacket(
                            time: time, rssi: -60 - 7 * log(metres) + Double(receiver - transmitter) + noise,
                            receiver: receiver, transmitter: transmitter, metres: metres))
                }
            }
        }
        return ContactRecording(
            dataSet: "s", scenario: "\(scenario)", people: (0..<8).map { "person \($0)" }, packets: packets)
    }
}
