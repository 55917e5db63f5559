import InteractionStore
import MatcherCore
import Matching
import Pages

/// Choice of exposed people: those of some days, of a level, in one part of the list. Pure.
struct ExposureFilter: Equatable, Sendable {
    /// Periods that can be chosen, in days.
    static let periods: [Int64] = [1, 7, 14]
    /// Names of levels; `none` is below the policy's threshold.
    static let levels = RiskLevel.allCases.reversed().map(\.rawValue) + ["none"]
    /// Maximum number of people of a part.
    fileprivate static let mostExposed = 100
    /// Maximum number of subjects among which those of one level are searched.
    private static let mostFiltered = 2000

    var days: Int64
    var level: String?
    /// Place in the list as it was given, after which this part begins.
    var place: String?

    /// Reads the fields of a query or a form. What is not understood is left out.
    init(_ fields: [String: String]) {
        days = fields["days"].flatMap { Int64($0) }.flatMap { Self.periods.contains($0) ? $0 : nil } ?? 7
        level = fields["level"].flatMap { Self.levels.contains($0) ? $0 : nil }
        place = fields["after"].flatMap { Self.position($0) == nil ? nil : $0 }
    }

    var position: InteractionStore.ExposedPosition? { place.flatMap(Self.position) }

    /// Maximum number of subjects of a part.
    var limit: Int { level == nil ? Self.mostExposed : Self.mostFiltered }

    /// The fields of a form with this choice.
    var fields: [HiddenField] {
        var fields = [HiddenField(name: "days", value: String(days))]
        if let level { fields.append(HiddenField(name: "level", value: level)) }
        if let place { fields.append(HiddenField(name: "after", value: place)) }
        return fields
    }

    /// The query of a page with this choice.
    var query: String { fields.map { "\($0.name)=\(FormFields.encode($0.value))" }.joined(separator: "&") }

    /// Reads a place in the list, as the link to the next part has it.
    private static func position(_ text: String) -> InteractionStore.ExposedPosition? {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let latest = Int64(parts[0]), let subject = SubjectIdentity(parts[1]) else {
            return nil
        }
        return InteractionStore.ExposedPosition(latest: latest, subject: subject)
    }
}

extension PageService {
    /// Reads the exposed people of a choice.
    ///
    /// - Returns: the part of the list, with the entries of the level.
    /// - Throws: `StoreError`.
    func exposed(
        _ filter: ExposureFilter, now: Int64, in store: InteractionStore
    ) throws -> (found: ExposedPeople, entries: [ExposedPeople.Entry]) {
        var found = try ExposedPeople(
            since: Self.start(of: filter.days, now: now, configuration.days), after: filter.position,
            limit: filter.limit, policy: api.policy, now: now, in: store)
        var entries = found.entries.filter { filter.level == nil || $0.levelName == filter.level }
        if entries.count > ExposureFilter.mostExposed {
            entries = Array(entries.prefix(ExposureFilter.mostExposed))
            found.next = entries.last.map { .init(latest: $0.latest, subject: $0.subject) }
        }
        return (found, entries)
    }
}
