package import BeaconModel

/// Result of an evaluation, for people and programs.
package struct EvaluationResult: Sendable {
    /// Answer to one question about a pair of states.
    package enum Mark: String, Sendable {
        case holds
        case fails
        /// The receiver is not known to have listened at the decisive time.
        case notCovered = "not-covered"
        /// The schedule does not test the question.
        case notTested = "not-tested"

        /// Combines the marks of several phases. A failure counts most; `notCovered` counts only if nothing else is
        /// known.
        package static func pooled(_ marks: [Mark]) -> Mark {
            for mark in [fails, holds, notCovered] where marks.contains(mark) { return mark }
            return notTested
        }
    }

    package enum Question: String, Sendable {
        case discovery, resume
    }

    package struct Phase: Sendable {
        package var state: String
        package var inRange: Timestamp
        /// Time of going out of range; where the schedule does not give it, the end of the received data.
        package var outOfRange: Timestamp
        var hasEnd: Bool
        /// Question that the beginning of the phase tests; `nil` when the device was already in range.
        package var question: Question?
        /// Answer to `question`.
        package var arrival: Mark
        /// Time from coming into range to the first reading.
        package var timeToFirst: Duration?
        package var tracking: Mark
        /// Number of windows in the phase.
        package var windows: Int
        /// Number of windows with a reading.
        package var windowsHeard: Int
        /// Number of windows with a reading, or known to be without one.
        package var windowsCovered: Int
        /// Longest time in range without a reading while the receiver listened. The times before the first and after
        /// the last reading count too.
        package var longestGap: Duration?
        package var readings: UInt64
        package var rssi: Interaction.RSSISummary?
    }

    package struct Leak: Sendable {
        package var readings: UInt64
        package var strongest: RSSI?
        package var first: Timestamp
        package var last: Timestamp
    }

    package struct Device: Sendable {
        package var name: String
        package var phases: [Phase]
        package var leaks: [Leak]
        package var unheard: [EvaluationSchedule.Identity]
        package var bins: ReadingBins
    }

    /// Marks for one state, of all devices together or of one device.
    package struct Row: Sendable {
        package var discovery: Mark
        package var tracking: Mark
        package var resume: Mark
        package var phases: [Phase]

        /// Combines the marks of `phases`.
        ///
        /// - Parameter phases: phases in one state.
        package init(_ phases: [Phase]) {
            self.phases = phases
            discovery = Mark.pooled(phases.filter { $0.question == .discovery }.map(\.arrival))
            tracking = Mark.pooled(phases.map(\.tracking))
            resume = Mark.pooled(phases.filter { $0.question == .resume }.map(\.arrival))
        }

        package var marks: [Mark] { [discovery, tracking, resume] }
    }

    package struct State: Sendable {
        package var name: String
        package var row: Row
        /// Devices that were in this state.
        package var devices: [(name: String, row: Row)]
    }

    package var receiver: String
    package var receiverState: String
    package var requiredWindow: Duration
    package var discoveryLimit: Duration
    /// Time from which the schedule is measured; `nil` when nothing was received and the schedule gives no start.
    package var start: Timestamp?
    /// Interval from the first time in range to the last; `nil` when `start` is `nil`.
    package var extent: Coverage.Interval?
    package var coverage: Coverage
    package var reports: UInt64
    package var devices: [Device]

    /// States in the order in which the schedule names them.
    package var states: [State] {
        var names: [String] = []
        var seen: Set<String> = []
        for phase in devices.flatMap(\.phases) where seen.insert(phase.state).inserted { names.append(phase.state) }
        return names.map { name in
            let rows = devices.compactMap { device in
                let phases = device.phases.filter { $0.state == name }
                return phases.isEmpty ? nil : (name: device.name, phases: phases)
            }
            return State(
                name: name, row: Row(rows.flatMap(\.phases)), devices: rows.map { ($0.name, Row($0.phases)) })
        }
    }

    private var marks: [Mark] { devices.flatMap(\.phases).flatMap { [$0.arrival, $0.tracking] } }

    /// Whether no covered question failed.
    package var holds: Bool { !marks.contains(.fails) }

    /// Whether any question has an answer.
    package var isKnown: Bool { marks.contains(.holds) || marks.contains(.fails) }
}
