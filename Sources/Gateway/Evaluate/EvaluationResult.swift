import BeaconModel

/// What an evaluation has found, for people and programs.
struct EvaluationResult: Sendable {
    /// The answer to one question of a pair of states.
    enum Mark: String, Sendable {
        case holds
        case fails
        /// The receiver wasn't known to listen when it mattered.
        case notCovered = "not-covered"
        /// The schedule doesn't ask.
        case notTested = "not-tested"

        /// That of several phases: a failure counts most, and what wasn't covered only if nothing else is known.
        static func pooled(_ marks: [Mark]) -> Mark {
            for mark in [fails, holds, notCovered] where marks.contains(mark) { return mark }
            return notTested
        }
    }

    enum Question: String, Sendable {
        case discovery, resume
    }

    struct Phase: Sendable {
        var state: String
        var inRange: Timestamp
        /// When it went out of range; where the schedule doesn't say it, the end of what was heard.
        var outOfRange: Timestamp
        var hasEnd: Bool
        /// What its beginning is asked; `nil` when the device didn't come into range with it.
        var question: Question?
        /// The answer to that.
        var arrival: Mark
        /// From coming into range to the first reading.
        var timeToFirst: Duration?
        var tracking: Mark
        /// All that the phase has.
        var windows: Int
        /// With a reading.
        var windowsHeard: Int
        /// With a reading, or known to be without one.
        var windowsCovered: Int
        /// The longest time in range and listened to without a reading, also before the first and after the last.
        var longestGap: Duration?
        var readings: UInt64
        var rssi: Interaction.RSSISummary?
    }

    struct Leak: Sendable {
        var readings: UInt64
        var strongest: RSSI?
        var first: Timestamp
        var last: Timestamp
    }

    struct Device: Sendable {
        var name: String
        var phases: [Phase]
        var leaks: [Leak]
        var unheard: [EvaluationSchedule.Identity]
        var bins: ReadingBins
    }

    /// What is said of one state of the devices, of all of them together or of one.
    struct Row: Sendable {
        var discovery: Mark
        var tracking: Mark
        var resume: Mark
        var phases: [Phase]

        /// - Parameter phases: in one state.
        init(_ phases: [Phase]) {
            self.phases = phases
            discovery = Mark.pooled(phases.filter { $0.question == .discovery }.map(\.arrival))
            tracking = Mark.pooled(phases.map(\.tracking))
            resume = Mark.pooled(phases.filter { $0.question == .resume }.map(\.arrival))
        }

        var marks: [Mark] { [discovery, tracking, resume] }
    }

    struct State: Sendable {
        var name: String
        var row: Row
        /// Those that were in this state.
        var devices: [(name: String, row: Row)]
    }

    var receiver: String
    var receiverState: String
    var requiredWindow: Duration
    var discoveryLimit: Duration
    /// From which the schedule counts; `nil` when nothing was received and the schedule doesn't say it.
    var start: Timestamp?
    /// From the first time in range to the last; `nil` as `start`.
    var extent: Coverage.Interval?
    var coverage: Coverage
    var reports: UInt64
    var devices: [Device]

    /// In the order in which the schedule names them.
    var states: [State] {
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
    var holds: Bool { !marks.contains(.fails) }

    /// Whether anything is known at all.
    var isKnown: Bool { marks.contains(.holds) || marks.contains(.fails) }
}
