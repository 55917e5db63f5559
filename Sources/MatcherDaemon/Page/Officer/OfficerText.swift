import Evidence
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages

/// Words of the officer's pages. Pure.
struct OfficerText: Sendable {
    var days: CalendarDays
    /// Whether phones are notified only when a day is over.
    var delaysPhones: Bool

    private var words: DayWords { DayWords(days: days) }

    /// Returns a day, in days since 1970: `Tue 2026-10-20`.
    func day(_ day: Int64) -> String { words.day(day) }

    /// Returns a day that may not be known.
    func day(ifKnown day: Int64?) -> String { day.map { self.day($0) } ?? "not known" }

    /// Returns a local time: `Tue 2026-10-20 10:00`.
    func time(_ seconds: Int64) -> String { words.time(seconds) }

    /// Returns a period: `Tue 2026-10-20 10:00 to 10:45`.
    func span(_ start: Int64, _ end: Int64) -> String {
        let isOneDay = days.day(of: start) == days.day(of: end)
        return "\(time(start)) to " + (isOneDay ? words.clock(end) : time(end))
    }

    /// Returns a place: its room, with the building and the floor.
    func place(_ place: PlaceName?) -> String {
        guard let place else { return "not known" }
        let floor = [place.building, place.floor].filter { !$0.isEmpty }.joined(separator: " ")
        let name = place.room ?? (place.gateway.isEmpty ? place.key : "near \(place.gateway)")
        return place.room == nil || floor.isEmpty ? name : "\(name), \(floor)"
    }

    static func risk(_ level: RiskLevel, label: String) -> OfficerTag {
        let tone =
            switch level {
            case .low: ""
            case .medium: "warn"
            case .high: "bad"
            }
        return OfficerTag(ExposureWords.risk(level, label: label), tone: tone)
    }

    /// Mark of somebody whose exposures are no risk by the policy.
    static let belowRisk = OfficerTag("below the threshold")

    static func state(of stored: StoredReport) -> OfficerTag {
        guard stored.isWaiting else { return OfficerTag("confirmed", tone: "good") }
        let isPart = stored.report.positive.reportType == .confirmed
        return OfficerTag(isPart ? "confirmed, a part waits" : "waits for a decision", tone: "warn")
    }

    static func state(of decision: ReportDecision) -> OfficerTag {
        OfficerTag(decision.kind.rawValue, tone: decision.kind == .confirmed ? "good" : "")
    }

    /// Returns a sentence on a decision: who, when, and why.
    func sentence(_ decision: ReportDecision) -> String {
        let reason = decision.reason.isEmpty ? "" : ", because: \(decision.reason)"
        return "\(decision.kind.rawValue.withCapital) by \(decision.name) at \(time(decision.at))\(reason)"
    }

    /// Returns how far somebody is notified.
    func notified(_ notice: NoticeState, of subject: SubjectIdentity) -> String {
        if !notice.isCurrent { return "Being notified" }
        guard notice.content != nil else {
            return delaysPhones && subject.kind == SubjectIdentity.phone
                ? "Not notified yet: phones are notified when a day is over"
                : "Not notified: below the threshold, or too long ago"
        }
        if notice.isSeen { return "Notified, and read" }
        return notice.isDelivered ? "Notified, not read yet" : "Notified, not delivered yet"
    }

    /// Returns the distance between two people as far as it is known.
    static func near(_ exposure: Exposure) -> String {
        guard let range = exposure.range else { return "not measured" }
        let lower = Metres.text(Double(range.lowerBound) / 100)
        let upper = Metres.text(Double(range.upperBound) / 100)
        return "\(lower) to \(upper)"
    }

    /// Returns a number with a noun.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}

extension PageService {
    var officerText: OfficerText {
        OfficerText(days: configuration.days, delaysPhones: configuration.phones.tellingDelay != nil)
    }

    var reportMatching: ReportMatching {
        ReportMatching(
            policy: api.policy, retention: configuration.retention, phoneDelay: configuration.phones.tellingDelay)
    }
}
