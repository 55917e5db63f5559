package import BeaconModel
import OperatorText

/// Formatting of times, marks and numbers in human-readable reports.
package enum EvaluationWords {
    /// Formats a duration in seconds, `1.2 s`; from 10 minutes on, in minutes.
    package static func duration(_ duration: Duration?) -> String {
        guard let duration else { return "-" }
        let seconds = duration.inSeconds
        return seconds < 600 ? "\(Format.fixed(seconds, 1)) s" : "\(Format.fixed(seconds / 60, 1)) min"
    }

    /// Formats a limit: `60 s`, `1.5 s`.
    package static func limit(_ limit: Duration) -> String {
        limit.components.attoseconds == 0 ? "\(limit.components.seconds) s" : duration(limit)
    }

    /// Formats the time from coming into range to the first reading.
    package static func first(_ phase: EvaluationResult.Phase) -> String {
        if let time = phase.timeToFirst { return duration(time) }
        return phase.arrival == .notCovered ? "-" : "never"
    }

    /// Formats a time relative to the start as a stopwatch shows it: `+12:30`, `+1:02:30`.
    package static func offset(_ time: Timestamp, from start: Timestamp?) -> String {
        let duration = time - (start ?? time)
        let seconds = Int64(duration.inSeconds.rounded())
        let size = seconds.magnitude
        let minutes = size / 60 % 60
        let hours = size >= 3600 ? "\(size / 3600):" : ""
        return (seconds < 0 ? "-" : "+") + hours + (size >= 3600 ? twoDigits(minutes) : "\(minutes)") + ":"
            + twoDigits(size % 60)
    }

    private static func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    package static func mark(_ mark: EvaluationResult.Mark) -> String {
        switch mark {
        case .holds: "yes"
        case .fails: "NO"
        case .notCovered: "?"
        case .notTested: "-"
        }
    }

    static let legend =
        "D discovered, T tracked, R resumed: yes, NO, ? not covered by the received packets, - not required by the "
        + "schedule"

    /// Formats the time to the first reading of the phases that tested `question`: `1.2 s`. For several phases, gives
    /// their number and the longest time, or how many never had a reading.
    package static func arrival(_ row: EvaluationResult.Row, _ question: EvaluationResult.Question) -> String? {
        let phases = row.phases.filter { $0.question == question && $0.arrival != .notCovered }
        guard !phases.isEmpty else { return nil }
        let missed = phases.count { $0.timeToFirst == nil }
        guard phases.count > 1 else { return missed > 0 ? "never" : duration(phases[0].timeToFirst) }
        let worst = missed > 0 ? "\(missed) never" : "worst " + duration(phases.compactMap(\.timeToFirst).max())
        return "\(phases.count)x, \(worst)"
    }

    /// Formats the share of covered windows that have a reading: `20 of 20 (100 %)`.
    package static func windows(_ phases: [EvaluationResult.Phase]) -> String? {
        let heard = phases.reduce(0) { $0 + $1.windowsHeard }
        let covered = phases.reduce(0) { $0 + $1.windowsCovered }
        guard covered > 0 else { return nil }
        // Rounded down, so that 100 % means all windows.
        return "\(heard) of \(covered) (\(heard * 100 / covered) %)"
    }

    package static func median(_ rssi: Interaction.RSSISummary?) -> String { rssi.map { "\($0.median) dBm" } ?? "-" }

    package static func plural(_ count: some BinaryInteger, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }

    /// Returns the letter for the question that the beginning of a phase tests.
    package static func letter(_ question: EvaluationResult.Question?) -> String {
        switch question {
        case .discovery: "D"
        case .resume: "R"
        case nil: "-"
        }
    }
}

extension EvaluationResult {
    /// Receiver name and state: `gw-3a (scanning)`.
    var receiverLabel: String { "\(receiver) (\(receiverState))" }

    /// Reasons why marks are doubtful or incomplete, one sentence each.
    package var warnings: [String] {
        var warnings: [String] = []
        for device in devices {
            for leak in device.leaks {
                let strongest = leak.strongest.map { ", strongest \($0.dBm) dBm" } ?? ""
                let times = [leak.first, leak.last].map { EvaluationWords.offset($0, from: start) }
                let when = times[0] == times[1] ? "at \(times[0])" : "\(times[0]) to \(times[1])"
                warnings.append(
                    "\(device.name): \(EvaluationWords.plural(leak.readings, "reading")) while out of range "
                        + "(\(when)\(strongest)); the shielding leaks, or a clock is wrong")
            }
            for (index, phase) in device.phases.enumerated() {
                let open = [(phase.arrival, EvaluationWords.letter(phase.question)), (phase.tracking, "T")]
                    .filter { $0.0 == .notCovered }.map(\.1)
                guard !open.isEmpty else { continue }
                warnings.append(
                    "\(device.name), phase \(index + 1) (\(phase.state)): \(open.joined(separator: " and ")) not covered, \(reason(phase))"
                )
            }
            for identity in device.unheard { warnings.append("\(device.name): \(identity) was never received") }
        }
        return warnings
    }

    private func reason(_ phase: Phase) -> String {
        guard let first = coverage.first, let last = coverage.last else { return "nothing was received" }
        if first > phase.inRange { return "the first packet is at \(EvaluationWords.offset(first, from: start))" }
        if last <= phase.inRange || last < phase.outOfRange || !phase.hasEnd {
            return "the last packet is at \(EvaluationWords.offset(last, from: start))"
        }
        return "the receiver did not scan all the time"
    }
}
