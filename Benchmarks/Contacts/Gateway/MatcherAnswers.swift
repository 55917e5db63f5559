import Evidence
import InteractionStore
import Matching

/// What the matcher says when everybody reports positive, one after the other: who was exposed to whom on a day.
struct MatcherAnswers {
    /// Of one who was exposed to another.
    struct Answer {
        /// What the policy counts.
        var minutes = 0.0
        /// In which both were there.
        var sharedSeconds: Int64 = 0
        /// That the two were as near as the policy asks, 0 to 1: the greatest of the day.
        var probability = 0.0
        var windows: [Explanation.Window] = []
    }

    let people: Int
    /// By the one who reported and the one who was exposed.
    private var answers: [Int: Answer] = [:]

    /// - Parameters:
    ///   - subjects: everybody.
    ///   - day: since 1970.
    /// - Throws: `StoreError`.
    init(_ store: InteractionStore, _ policy: Policy, _ subjects: [SubjectIdentity], day: Int64) throws {
        people = subjects.count
        let numbers = try store.numbers(of: subjects)
        var persons: [Int64: Int] = [:]
        for (person, subject) in subjects.enumerated() { if let number = numbers[subject] { persons[number] = person } }
        let fixed = try store.fixedSubjects()
        let (since, until) = (day * 86_400, (day + 1) * 86_400 - 1)
        for (person, subject) in subjects.enumerated() {
            guard let number = numbers[subject] else { continue }
            let encounters = try store.encounters(
                of: [.init(subject: number, since: since, until: until)], rule: policy.contact)
            let exposures = Assessment(
                policy: policy, positive: PositiveCase(reportType: .confirmed), own: [number], fixed: fixed
            ).exposures(encounters)
            for (other, exposures) in Dictionary(grouping: exposures, by: \.subject) {
                // Those of other days are no part of this day's risk.
                let today = exposures.filter { $0.start / 86_400 == day }
                guard let exposed = persons[other], Risk(today, policy: policy, now: until).level == .high else {
                    continue
                }
                var answer = Answer()
                for exposure in today {
                    answer.minutes += exposure.minutes
                    answer.sharedSeconds += exposure.sharedSeconds
                    answer.probability = max(answer.probability, exposure.probability)
                    answer.windows += exposure.explanation.windows
                }
                answers[person * people + exposed] = answer
            }
        }
    }

    /// Whether and how `exposed` was exposed to `positive`; `nil` when not.
    func answer(_ positive: Int, _ exposed: Int) -> Answer? { answers[positive * people + exposed] }

    /// Everybody who was exposed to somebody, in a fixed order.
    var all: [(positive: Int, exposed: Int, answer: Answer)] {
        answers.sorted { $0.key < $1.key }.map { ($0.key / people, $0.key % people, $0.value) }
    }
}
