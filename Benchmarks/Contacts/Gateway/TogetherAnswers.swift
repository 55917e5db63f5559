import Evidence
import InteractionStore
import Matching

/// What the matcher makes of gateways' readings when everybody reports positive, one after the other.
struct TogetherAnswers {
    /// By the policy for each question.
    private(set) var answers: [PairQuestion: Pairs<Verdict>] = [:]
    /// By the policies that put somebody at a level of risk.
    private(set) var levels: [Method: Pairs<Verdict>] = [:]

    /// - Parameters:
    ///   - subjects: everybody.
    ///   - day: since 1970.
    /// - Throws: `StoreError`, or `ContactsFailure`.
    init(_ store: InteractionStore, _ subjects: [SubjectIdentity], day: Int64) throws {
        let (since, until) = (day * 86_400, (day + 1) * 86_400)
        _ = try store.settleAllReadings(before: until + 86_400, now: until)
        let numbers = try store.numbers(of: subjects)
        var persons: [Int64: Int] = [:]
        for (person, subject) in subjects.enumerated() { if let number = numbers[subject] { persons[number] = person } }
        let policies = try PairQuestion.allCases.map { ($0, try Self.policy($0)) }
        for (question, policy) in policies {
            // Of whom nothing is known that is alike.
            let probability = policy.together?.probability.value([]) ?? 0
            answers[question] = Pairs(
                people: subjects.count, Verdict(isContact: false, score: 0, probability: probability))
        }
        for method in Method.allCases where method.level != nil {
            levels[method] = Pairs(people: subjects.count, Verdict(isContact: false, score: 0))
        }
        for (person, subject) in subjects.enumerated() {
            guard let number = numbers[subject] else { continue }
            let company = try store.company(of: [.init(subject: number, since: since, until: until)])
            for (question, policy) in policies { add(company, question, policy, person, persons) }
            for method in levels.keys { try add(company, method, person, persons, now: until) }
        }
    }

    /// The policy for a question.
    private static func policy(_ question: PairQuestion) throws -> Policy {
        var policy = try shipped(question.isClose ? "two-metre-thirty" : "six-metre-five-minute")
        policy.together?.leastMinutes = Double(question.minutes)
        return policy
    }

    private static func shipped(_ name: String) throws -> Policy {
        guard let policy = Policy.shipped(name) else { throw ContactsFailure.noPolicy(name) }
        return policy
    }

    private static func exposures(_ company: InteractionStore.Company, _ policy: Policy) -> [Int64: [Exposure]] {
        let positive = PositiveCase(reportType: .confirmed)
        guard let assessment = TogetherAssessment(policy: policy, positive: positive) else { return [:] }
        return Dictionary(grouping: assessment.exposures(company.minutes) { _ in 0 }, by: \.subject)
    }

    private mutating func add(
        _ company: InteractionStore.Company, _ question: PairQuestion, _ policy: Policy, _ person: Int,
        _ persons: [Int64: Int]
    ) {
        guard let rule = policy.together else { return }
        let exposures = Self.exposures(company, policy)
        for (other, minutes) in company.minutes {
            guard let exposed = persons[other], exposed != person else { continue }
            let near = minutes.minutes(from: rule.near)
            let found = exposures[other]?.first
            answers[question]?.update(person, exposed) {
                $0 = Verdict(
                    isContact: found != nil, score: Double(near.count),
                    probability: found?.probability ?? rule.probability.value(near.map(\.start)))
            }
        }
    }

    private mutating func add(
        _ company: InteractionStore.Company, _ method: Method, _ person: Int, _ persons: [Int64: Int], now: Int64
    ) throws {
        guard let level = method.level else { return }
        let policy = try Self.shipped(level.policy)
        for (other, exposures) in Self.exposures(company, policy) {
            guard let exposed = persons[other], exposed != person else { continue }
            let risk = Risk(exposures, policy: policy, now: now)
            levels[method]?.update(person, exposed) {
                $0 = Verdict(isContact: risk.level >= level.least, score: risk.value)
            }
        }
    }
}
