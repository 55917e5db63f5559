import BeaconModel
import RecordContract

/// An evaluation as one JSON object. Times are RFC 3339, durations seconds, marks those of `EvaluationResult.Mark`.
struct EvaluationDocument: Encodable {
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
        var from: String
        var to: String
    }

    private struct Marks: Encodable {
        var discovery: String
        var tracking: String
        var resume: String

        init(_ row: EvaluationResult.Row) {
            discovery = row.discovery.rawValue
            tracking = row.tracking.rawValue
            resume = row.resume.rawValue
        }
    }

    private struct State: Encodable {
        var state: String
        var marks: Marks
        var devices: [Entry]

        struct Entry: Encodable {
            var name: String
            var marks: Marks
        }
    }

    private struct Device: Encodable {
        var name: String
        var phases: [Phase]
        var leaks: [Leak]
        var neverHeard: [String]
    }

    private struct Phase: Encodable {
        var state: String
        var inRange: String
        var outOfRange: String
        var question: String?
        var arrival: String
        var timeToFirst: Double?
        var tracking: String
        var windows: Int
        var windowsCovered: Int
        var windowsHeard: Int
        var longestGap: Double?
        var readings: UInt64
        var medianRSSI: Int?

        init(_ phase: EvaluationResult.Phase) {
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
        var readings: UInt64
        var strongestRSSI: Int8?
        var first: String
        var last: String
    }

    init(_ result: EvaluationResult) {
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

    /// With milliseconds.
    private static func seconds(_ duration: Duration) -> Double { (duration.inSeconds * 1000).rounded() / 1000 }

    var line: [UInt8] { JSON.encode(self) }
}
