import BeaconModel
import Proximity

/// The gateway's tracker with several rules of silence on the streams of one data set, of which a part of the packets
/// was lost.
struct PresenceEvaluation {
    /// As it is shipped, and with a silence that is the same for everybody.
    static let rules: [(name: String, rules: InteractionRules)] = [
        ("ours", InteractionRules()), ("fixed10", fixed(.seconds(10))), ("fixed30", fixed(.seconds(30))),
        ("fixed60", fixed(.seconds(60))),
    ]
    /// Percent of the packets that are received.
    static let received = [100, 50, 20]
    private static let cutsPerStream = 5

    /// By share received, then in the order of `rules`.
    private(set) var scores: [(received: Int, scores: [(name: String, score: PresenceScore)])] = []

    init(_ streams: [PresenceStream]) {
        let receivers = PresenceRecording.byReceiver(streams)
        for received in Self.received {
            var scores = Self.rules.map { (name: $0.name, score: PresenceScore()) }
            for (number, streams) in receivers.enumerated() {
                var random = SplitMix64(seed: UInt64(number) &* 1000 &+ UInt64(received))
                let recording = PresenceRecording(streams) { Int.random(in: 0..<100, using: &random) < received }
                let cuts = Self.cuts(recording, &random)
                for (index, rules) in Self.rules.enumerated() {
                    scores[index].score.add(recording, rules: rules.rules, cuts: cuts)
                }
            }
            self.scores.append((received, scores))
        }
    }

    private static func fixed(_ silence: Duration) -> InteractionRules {
        var rules = InteractionRules()
        rules.silence = .fixed(silence)
        // Peers don't ask whether it is their receiver that is silent.
        rules.fewestSilentTogether = .max
        return rules
    }

    /// At random moments between the first packet and the last of each transmitter.
    private static func cuts(
        _ recording: PresenceRecording, _ random: inout SplitMix64
    ) -> [(time: Double, transmitter: Int)] {
        var first: [Int: Double] = [:]
        for packet in recording.packets where first[packet.transmitter] == nil {
            first[packet.transmitter] = packet.time
        }
        return recording.lastHeard.enumerated().flatMap { transmitter, last in
            (0..<cutsPerStream).map { _ in
                (Double.random(in: (first[transmitter] ?? last)...last, using: &random), transmitter)
            }
        }.sorted { $0.0 < $1.0 }
    }
}
