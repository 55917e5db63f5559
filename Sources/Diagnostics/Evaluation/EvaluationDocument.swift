import BeaconModel
import RecordContract

/// Evaluation as one JSON object. Times are RFC 3339, durations are in seconds, and marks are those of
/// `EvaluationResult.Mark`.
package struct EvaluationDocument: Encodable {
    private var receiver: Receiver
    private var start: String?
    private var requiredWindow: Double
    private var discoveryLimit: Double
    private var listened: [Interval]
    private var reports: UInt64
    private var holds: Bool
    private var states: [State]
    private var devices: [Device]
    private var warnings: [String]

    private struct Receiver: Encodable {
        var name: String
        var state: String
    }

    private struct Interval: Encodable {
        package var from: String
        package var to: String
    }

    private struct Marks: Encodable {
        package var discovery: String
        package var tracking: String
        package var resume: String

        package init(_ row: EvaluationResult.Row) {
            discovery = row.discovery.rawValue
            tracking = row.tracking.rawValue
            resume = row.resume.rawValue
        }
    }

    private struct State: Encodable {
        package var state: String
        package var marks: Marks
        package var devices: [Entry]

        package struct Entry: Encodable {
            package var name: String
            package var marks: Marks
        }
    }

    private struct Device: Encodable {
        package var name: String
        package var phases: [Phase]
        package var leaks: [Leak]
        package var neverHeard: [String]
    }

    private struct Phase: Encodable {
        package var state: String
        package var inRange: String
        package var outOfRange: String
        package var question: String?
        package var arrival: String
        package var timeToFirst: Double?
        package var tracking: String
        package var windows: Int
        package var windowsCovered: Int
        package var windowsHeard: Int
        package var longestGap: Double?
        package var readings: UInt64
        package var medianRSSI: Int?

        package init(_ phase: EvaluationResult.Phase) {
            state = phase.state
            inRange = phase.inRange.rfc3339
            outOfRange = phase.outOfRange.rfc3339
            question = phase.question?.rawValue
            arrival = phase.arrival.rawValue
            timeToFirst = phase.timeToFirst.map(EvaluationDocument.seconds)
            tracking = phase.tracking.rawValue
            windows = phase.windows
            windowsCovered = phase.windowsCovered
            windowsHeard = phase.windowsHeard
            longestGap = phase.longestGap.map(EvaluationDocument.seconds)
            readings = phase.readings
            medianRSSI = phase.rssi?.median
        }
    }

    private struct Leak: Encodable {
        package var readings: UInt64
        package var strongestRSSI: Int8?
        package var first: String
        package var last: String
    }

    package init(_ result: EvaluationResult) {
        receiver = Receiver(name: result.receiver, state: result.receiverState)
        start = result.start?.rfc3339
        requiredWindow = Self.seconds(result.requiredWindow)
        discoveryLimit = Self.seconds(result.discoveryLimit)
        listened = result.coverage.intervals.map { Interval(from: $0.from.rfc3339, to: $0.to.rfc3339) }
        reports = result.reports
        holds = result.holds
        states = result.states.map { state in
            State(
                state: state.name, marks: Marks(state.row),
                devices: state.devices.map { State.Entry(name: $0.name, marks: Marks($0.row)) })
        }
        devices = result.devices.map { device in
            Device(
                name: device.name, phases: device.phases.map(Phase.init),
                leaks: device.leaks.map {
                    Leak(
                        readings: $0.readings, strongestRSSI: $0.strongest?.dBm, first: $0.first.rfc3339,
                        last: $0.last.rfc3339)
                }, neverHeard: device.unheard.map(\.description))
        }
        warnings = result.warnings
    }

    /// Returns a duration in seconds, rounded to milliseconds.
    private static func seconds(_ duration: Duration) -> Double { (duration.inSeconds * 1000).rounded() / 1000 }

    package var line: [UInt8] { JSON.encode(self) }
}
