package import BeaconModel

/// What an evaluation has found, for people and programs.
package struct EvaluationResult: Sendable {
    /// The answer to one question of a pair of states.
    package enum Mark: String, Sendable {
        case holds
        case fails
        /// The receiver wasn't known to listen when it mattered.
        case notCovered = "not-covered"
        /// The schedule doesn't ask.
        case notTested = "not-tested"

        /// That of several phases: a failure counts most, and what wasn't covered only if nothing else is known.
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
        /// When it went out of range; where the schedule doesn't say it, the end of what was heard.
        package var outOfRange: Timestamp
        var hasEnd: Bool
        /// What its beginning is asked; `nil` when the device didn't come into range with it.
        package var question: Question?
        /// The answer to that.
        package var arrival: Mark
        /// From coming into range to the first reading.
        package var timeToFirst: Duration?
        package var tracking: Mark
        /// All that the phase has.
        package var windows: Int
        /// With a reading.
        package var windowsHeard: Int
        /// With a reading, or known to be without one.
        package var windowsCovered: Int
        /// The longest time in range and listened to without a reading, also before the first and after the last.
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

    /// What is said of one state of the devices, of all of them together or of one.
    package struct Row: Sendable {
        package var discovery: Mark
        package var tracking: Mark
        package var resume: Mark
        package var phases: [Phase]

        /// - Parameter phases: in one state.
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
        /// Those that were in this state.
        package var devices: [(name: String, row: Row)]
    }

    package var receiver: String
    package var receiverState: String
    package var requiredWindow: Duration
    package var discoveryLimit: Duration
    /// From which the schedule counts; `nil` when nothing was received and the schedule doesn't say it.
    package var start: Timestamp?
    /// From the first time in range to the last; `nil` as `start`.
    package var extent: Coverage.Interval?
    package var coverage: Coverage
    package var reports: UInt64
    package var devices: [Device]

    /// In the order in which the schedule names them.
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

    /// Whether everything holds that was covered.
    package var holds: Bool { !marks.contains(.fails) }

    /// Whether anything is known at all.
    package var isKnown: Bool { marks.contains(.holds) || marks.contains(.fails) }
}
