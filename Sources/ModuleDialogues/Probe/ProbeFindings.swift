import BeaconModel

/// The findings of a probe, by their questions, and the assumptions that they settle.
struct ProbeFindings: Sendable {
    /// A measurement: what was sent, what came, and the time from one to the other.
    struct Measurement: Sendable {
        var sent = ""
        var came: [UInt8] = []
        var time: Duration = .zero
    }

    struct Settlement: Sendable {
        var assumption: RS9116Assumption
        var holds: Bool

        init(_ assumption: RS9116Assumption, _ holds: Bool) {
            self.assumption = assumption
            self.holds = holds
        }
    }

    private struct Finding: Sendable {
        var question: ProbeQuestion
        var measurement: Measurement
        var conclusion: ProbeConclusion
        var settles: Settlement?
    }

    /// In the order in which the questions were first answered.
    private var findings: [Finding] = []
    private var evidence = ProbeEvidence()

    /// All settled assumptions.
    var profile: RS9116Profile { evidence.profile }

    /// Adds a finding. A repeated experiment replaces the earlier finding, but not its evidence.
    mutating func add(
        _ question: ProbeQuestion, _ measurement: Measurement, _ conclusion: ProbeConclusion,
        settles: Settlement? = nil
    ) {
        let finding = Finding(
            question: question, measurement: measurement, conclusion: conclusion, settles: settles)
        if let index = findings.firstIndex(where: { $0.question == question }) {
            findings[index] = finding
        } else {
            findings.append(finding)
        }
        if let settles { settle(settles) }
    }

    mutating func settle(_ settlement: Settlement) {
        evidence.add(settlement.assumption, holds: settlement.holds)
    }

    /// Records in an earlier finding which assumption it has meanwhile settled.
    mutating func mark(_ question: ProbeQuestion, settles: Settlement?) {
        guard let index = findings.firstIndex(where: { $0.question == question }) else { return }
        findings[index].settles = settles
    }

    /// The findings in words. The conclusion of one experiment settles nothing while other experiments contradict it or
    /// leave it open.
    var inWords: [ProbeFinding] {
        let profile = profile
        return findings.map { finding in
            let settles = finding.settles.flatMap { profile[$0.assumption] == $0.holds ? $0 : nil }
            return ProbeFinding(
                question: finding.question.words, sent: Printable.escaped(finding.measurement.sent.utf8),
                came: Printable.escaped(finding.measurement.came.prefix(200)),
                milliseconds: Int(min(max(finding.measurement.time.inSeconds, 0), 1000) * 1000),
                conclusion: ProbeFinding.words(finding.conclusion.words), settles: settles?.assumption,
                holds: settles?.holds)
        }
    }
}
