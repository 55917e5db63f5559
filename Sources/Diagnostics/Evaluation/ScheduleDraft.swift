import BeaconModel
import OperatorText

/// Schedule as it was written, before its times are compared with each other.
struct ScheduleDraft {
    /// Callback that reports a problem with a key in one place of the file.
    package typealias Report = (_ key: String, _ found: String, _ allowed: String) -> Void

    package struct Phase {
        var state: String
        var inRange: ScheduleTime
        var outOfRange: ScheduleTime?
        var report: Report
    }

    package struct Device {
        var name: String
        var identities: [EvaluationSchedule.Identity] = []
        var phases: [Phase] = []
        var report: Report
    }

    var receiver: String?
    var receiverState: String?
    var start: ScheduleTime?
    var requiredWindow: Duration?
    var discoveryLimit: Duration?
    var devices: [Device] = []
    /// Callback for problems of the file as a whole.
    var report: Report

    /// Builds the schedule. Invalid values are reported and replaced by harmless ones.
    func schedule() -> EvaluationSchedule {
        let start = readStart()
        var schedule = EvaluationSchedule(
            receiver: receiver ?? "gateway", receiverState: receiverState ?? "scanning", start: start,
            requiredWindow: requiredWindow ?? .seconds(30), discoveryLimit: discoveryLimit ?? .seconds(60), devices: [])
        var owners: [EvaluationSchedule.Identity: String] = [:]
        for device in devices {
            if device.identities.isEmpty {
                device.report("beacon", "is missing", "must be given, or address, identifier or identities")
            }
            if device.phases.isEmpty { device.report("phase", "is missing", "must be given at least once") }
            for identity in device.identities {
                if let owner = owners[identity], owner != device.name {
                    device.report(
                        "identities", "\(identity) also belongs to \(owner.excerpt)", "must belong to one device")
                }
                owners[identity] = device.name
            }
            schedule.devices.append(
                .init(
                    name: device.name, identities: device.identities,
                    phases: phases(of: device, start: start, window: schedule.requiredWindow)))
        }
        return schedule
    }

    /// Returns the start of the schedule, or `nil` when it starts as soon as the receiver listens.
    private func readStart() -> Timestamp? {
        if let start {
            if case .at(let time) = start { return time }
            report("start", "found an offset", "must be a date and time: 2026-11-21T10:00:00Z")
            return nil
        }
        // Without a start, either all times count from the first packet, or none does.
        let phases = devices.flatMap(\.phases)
        let dates = phases.filter { $0.isDated }
        guard let first = dates.first else { return nil }
        if phases.contains(where: { $0.hasOffset }) {
            first.report(
                "in-range", "found a date in a schedule without a start, mixed with times after the start",
                "specify start, or use only times of one kind")
        }
        let times = dates.compactMap { phase in if case .at(let time) = phase.inRange { time } else { nil } }
        return times.min() ?? .epoch
    }

    private func phases(of device: Device, start: Timestamp?, window: Duration) -> [EvaluationSchedule.Phase] {
        var phases: [EvaluationSchedule.Phase] = []
        for draft in device.phases {
            guard let inRange = offset(draft.inRange, "in-range", draft, start) else { continue }
            var phase = EvaluationSchedule.Phase(state: draft.state, inRange: inRange)
            if let outOfRange = draft.outOfRange {
                guard let outOfRange = offset(outOfRange, "out-of-range", draft, start) else { continue }
                guard outOfRange > inRange else {
                    draft.report("out-of-range", "is not after in-range", "must be later")
                    continue
                }
                if (outOfRange - inRange) / window > Double(EvaluationSchedule.mostWindows) {
                    draft.report(
                        "out-of-range", "makes more than \(EvaluationSchedule.mostWindows) times the required-window",
                        "end the phase earlier, or use a longer required-window")
                    continue
                }
                phase.outOfRange = outOfRange
            }
            if let previous = phases.last {
                guard let end = previous.outOfRange else {
                    draft.report(
                        "in-range", "follows a phase of \(device.name.excerpt) without out-of-range",
                        "only the last phase of a device can omit it")
                    continue
                }
                guard inRange >= end else {
                    draft.report(
                        "in-range", "overlaps the preceding phase of \(device.name.excerpt)",
                        "must not be before that phase's out-of-range; write phases in chronological order")
                    continue
                }
            }
            phases.append(phase)
        }
        return phases
    }

    private func offset(_ time: ScheduleTime, _ key: String, _ phase: Phase, _ start: Timestamp?) -> Duration? {
        let offset: Duration =
            switch time {
            case .after(let duration): duration
            case .at(let time): time - (start ?? time)
            }
        guard offset <= EvaluationSchedule.furthest, .zero - offset <= EvaluationSchedule.furthest else {
            phase.report(key, "is more than a year from the start", "must be within a year of it")
            return nil
        }
        return offset
    }
}

extension ScheduleDraft.Phase {
    fileprivate var isDated: Bool {
        if case .at = inRange { return true }
        if case .at = outOfRange { return true }
        return false
    }

    fileprivate var hasOffset: Bool {
        if case .after = inRange { return true }
        if case .after = outOfRange { return true }
        return false
    }
}
