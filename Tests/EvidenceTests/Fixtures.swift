import Evidence
import Matching
import RecordContract

/// 2026-11-02T08:00:00Z, in seconds since 1970.
let morning: Int64 = 1_793_606_400

let room = PlaceName(
    key: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1", site: "campus", building: "main", floor: "1",
    gateway: "campus/main/1/east", room: "101", beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1")

func phone(_ name: String) -> SubjectIdentity {
    SubjectIdentity(kind: "phone", id: name) ?? SubjectIdentity(kind: "phone", id: "nobody")!
}

/// An interaction from one minute to another.
func record(
    _ sequence: UInt64, _ subject: String, _ minutes: ClosedRange<Int64>, number: Int64? = nil,
    at place: PlaceName = room,
    centimetres: Int64? = 100, state: InteractionRecord.State = .departed, boot: UInt64 = 1
) -> ReceivedRecord {
    .interaction(
        InteractionRecord(
            position: RecordPosition(boot: boot, sequence: sequence), gateway: "campus/main/1/east",
            origin: "campus/main/1/east/1", number: number ?? Int64(sequence), place: place, subject: phone(subject),
            start: morning + minutes.lowerBound * 60, end: morning + minutes.upperBound * 60, state: state, samples: 10,
            rssi: -60, distance: centimetres.map { .init(centimetres: $0, lower: $0 / 2, upper: $0 * 2) },
            within3m: 900, within6m: 1000, seconds3m: 60, seconds6m: 60, clockIsSynchronized: true))
}

/// An interaction of a badge at `room`.
func badge(_ sequence: UInt64, _ subject: SubjectIdentity, _ minutes: ClosedRange<Int64>) -> ReceivedRecord {
    guard case .interaction(var interaction) = record(sequence, "nobody", minutes) else {
        return record(sequence, "nobody", minutes)
    }
    interaction.subject = subject
    return .interaction(interaction)
}

extension NoticeContent {
    /// A notice of so many days, the latest of which is today.
    static func days(_ days: Int) -> NoticeContent {
        NoticeContent(
            level: .medium, label: "", days: days, latest: morning - 8 * 3600, policy: "further", policyVersion: "1")
    }
}

/// A contact rule that admits everyone within a kilometre.
let anywhere = ContactRule(
    radius: 100_000, window: 300, nearness: .sumOfDistances, period: .day, leastMinutes: 0)
