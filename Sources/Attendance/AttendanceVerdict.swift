import Matching
import OperatorText

/// Attendance of a student at a lecture according to the stays, with reasons.
package struct AttendanceVerdict: Equatable, Sendable {
    package var status: AttendanceStatus
    /// Intervals in the room during the lecture; tolerated gaps are part of them.
    package var intervals: [RoomPresence.Interval]
    /// Total time in the room, in seconds.
    package var dwell: Int64
    package var reasons: [Reason]

    package var firstSeen: Int64? { intervals.first?.start }
    package var lastSeen: Int64? { intervals.last?.end }
    /// Whether all gateways that provided the evidence had synchronized clocks.
    package var clockIsSynchronized: Bool { !reasons.contains(.clock) }

    /// Reason for a status other than `present`, or a remark beside it. Durations in seconds; times in seconds since
    /// 1970.
    package enum Reason: Hashable, Sendable {
        case tooShort(dwell: Int64, least: Int64)
        /// Minimum distance from the room's places of a student received outside it, in centimetres: in front of the
        /// door, or next door.
        case outside(centimetres: Int64)
        case came(after: Int64)
        case left(before: Int64)
        /// Total absence between intervals, longer than the tolerated gap, and the number of times.
        case wasOut(seconds: Int64, times: Int)
        /// No subject received in the room before or after this time: its gateway may not have been running.
        case roomSilentUntil(Int64)
        case roomSilentSince(Int64)
        /// No subject received in between, for this many seconds in total.
        case roomSilentFor(Int64)
        case roomSilent
        case roomNotConfigured(String)
        case noRoom
        /// No badge or phone of the student in the roster.
        case noSubjects
        /// No reception of the student's devices by any gateway, ever: the roster may have the number of another badge,
        /// or its battery may be empty.
        case neverHeard
        /// Lecture older than the retention of interactions.
        case expired
        /// Lecture older than that, with a verdict recorded in time.
        case settled
        /// Data of the student that was deleted on request, and could have shown that the student was there.
        case erased
        /// Unsynchronized clock of a gateway that provided evidence.
        case clock
    }

    /// Evidence about the room during the lecture.
    package enum Room: Equatable, Sendable {
        /// Time between the first and the last reception of any subject in the room.
        case heard(RoomPresence.Interval)
        case silent
        case notConfigured
        case expired
        /// Something of the student was deleted on request.
        case erased
    }

    /// Evidence about the devices that a student carries.
    package enum Carried: Equatable, Sendable {
        /// No device in the roster.
        case nothing
        /// No reception of any of them by any gateway, anywhere, within the retention of interactions.
        case neverHeard
        case heard
    }

    /// Judges the attendance.
    ///
    /// - Parameter silence: time without any subject in the room between the first and the last, in seconds.
    package init(
        _ lecture: Lecture, presence: RoomPresence, room: Room, silence: Int64 = 0, carried: Carried = .heard,
        rules: AttendanceRules
    ) {
        let rules = rules.fitted(to: lecture)
        intervals = presence.during(lecture)
        dwell = intervals.reduce(0) { $0 + $1.length }
        reasons = []
        status = .unknown
        switch room {
        case .erased: reasons.append(.erased)
        case _ where carried == .nothing: reasons.append(.noSubjects)
        case .notConfigured: reasons.append(lecture.room.map { .roomNotConfigured($0) } ?? .noRoom)
        case .expired: reasons.append(.expired)
        case .silent: reasons.append(.roomSilent)
        case .heard where carried == .neverHeard: reasons.append(.neverHeard)
        case .heard(let heard): judge(lecture, heard, silence, outside: presence.nearestOutside, rules)
        }
    }

    /// Restores a recorded verdict.
    package init(_ settled: SettledVerdict) {
        status = settled.status
        dwell = settled.dwell
        reasons = settled.clockIsSynchronized ? [.settled] : [.settled, .clock]
        intervals = []
        if let first = settled.firstSeen, let last = settled.lastSeen { intervals = [.init(start: first, end: last)] }
    }

    private mutating func judge(
        _ lecture: Lecture, _ heard: RoomPresence.Interval, _ silence: Int64, outside: Int64?, _ rules: AttendanceRules
    ) {
        if let first = firstSeen, let last = lastSeen, dwell >= rules.leastDwell {
            let isLate = first - lecture.start > rules.lateAfter
            let isEarly = lecture.end - last > rules.earlyBefore
            if isLate { reasons.append(.came(after: first - lecture.start)) }
            if isEarly { reasons.append(.left(before: lecture.end - last)) }
            status =
                switch (isLate, isEarly) {
                case (false, false): .present
                case (true, false): .late
                case (false, true): .leftEarly
                case (true, true): .lateAndLeftEarly
                }
        } else {
            // If no subject was received for more than half of the time, it is unknown whether the student would have
            // been.
            let silent = silence + max(0, heard.start - lecture.start) + max(0, lecture.end - heard.end)
            status = 2 * silent > lecture.end - lecture.start ? .unknown : .absent
            if dwell > 0 || firstSeen != nil { reasons.append(.tooShort(dwell: dwell, least: rules.leastDwell)) }
            if let outside { reasons.append(.outside(centimetres: outside)) }
        }
        if intervals.count > 1 {
            let out = zip(intervals, intervals.dropFirst()).reduce(0) { $0 + $1.1.start - $1.0.end }
            reasons.append(.wasOut(seconds: out, times: intervals.count - 1))
        }
        if silence > 0 { reasons.append(.roomSilentFor(silence)) }
        if heard.start - lecture.start > rules.lateAfter { reasons.append(.roomSilentUntil(heard.start)) }
        if lecture.end - heard.end > rules.earlyBefore { reasons.append(.roomSilentSince(heard.end)) }
    }
}

extension AttendanceVerdict.Reason {
    /// Returns the reason in words, for people.
    ///
    /// - Parameter time: returns the text of a time.
    package func text(_ time: (Int64) -> String) -> String {
        switch self {
        case .tooShort(let dwell, let least):
            "in the room for \(Self.minutes(dwell)), less than \(Self.minutes(least))"
        case .outside(let centimetres):
            "received \(Metres.text(Double(centimetres) / 100)) from the room's places at the nearest, which is outside"
        case .came(let seconds): "came \(Self.minutes(seconds)) after the beginning"
        case .left(let seconds): "left \(Self.minutes(seconds)) before the end"
        case .wasOut(let seconds, let times):
            "was out for \(Self.minutes(seconds))" + (times > 1 ? ", \(times) times together" : "")
        case .roomSilentUntil(let moment):
            "nothing was received in the room before \(time(moment)): perhaps its gateway was not running"
        case .roomSilentSince(let moment):
            "nothing was received in the room after \(time(moment)): perhaps its gateway was not running"
        case .roomSilentFor(let seconds):
            "nothing was received in the room for \(Self.minutes(seconds)) in between: perhaps its gateway was not "
                + "running"
        case .roomSilent:
            "nothing was received in the room: it is not known whether its gateway was running"
        case .roomNotConfigured(let room): "the room \(room) is not in [[rooms]] of the configuration"
        case .noRoom: "the timetable names no room"
        case .noSubjects: "the roster has no badge or phone of the student"
        case .neverHeard:
            "no gateway ever received the student's badge or phone in the roster: check its number"
        case .expired: "the lecture is older than the retention, and no verdict was recorded"
        case .settled: "as recorded; the interactions have been deleted since"
        case .erased:
            "no data: data of the student was deleted on request, so an absence cannot be concluded"
        case .clock: ClockDoubt.text
        }
    }

    private static func minutes(_ seconds: Int64) -> String {
        seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    }
}
