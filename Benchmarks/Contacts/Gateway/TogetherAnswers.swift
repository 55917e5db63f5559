import InteractionStore
import Matching

/// What the matcher makes of gateways' readings when everybody reports positive, one after the other.
enum TogetherAnswers {
    /// The policy for each question.
    private static func policy(_ question: PairQuestion) throws -> Policy {
        let name = question.isClose ? "two-metre-thirty" : "six-metre-five-minute"
        guard var policy = Policy.shipped(name) else { throw ContactsFailure.noPolicy(name) }
        policy.together?.leastMinutes = Double(question.minutes)
        return policy
    }

    /// - Parameters:
    ///   - subjects: everybody.
    ///   - day: since 1970.
    /// - Throws: `StoreError`.
    static func all(
        _ store: InteractionStore, _ subjects: [SubjectIdentity], day: Int64
    ) throws -> [PairQuestion: Pairs<Verdict>] {
        let (since, until) = (day * 86_400, (day + 1) * 86_400)
        _ = try store.settleAllReadings(before: until + 86_400, now: until)
        let numbers = try store.numbers(of: subjects)
        var persons: [Int64: Int] = [:]
        for (person, subject) in subjects.enumerated() { if let number = numbers[subject] { persons[number] = person } }
        let policies = try PairQuestion.allCases.map { ($0, try policy($0)) }
        var answers: [PairQuestion: Pairs<Verdict>] = [:]
        for (question, policy) in policies {
            // Of whom nothing is known that is alike.
            let probability = policy.together?.probability.value([]) ?? 0
            answers[question] = Pairs(
                people: subjects.count, Verdict(isContact: false, score: 0, probability: probability))
        }
        for (person, subject) in subjects.enumerated() {
            guard let number = numbers[subject] else { continue }
            let company = try store.company(of: [.init(subject: number, since: since, until: until)])
            for (question, policy) in policies {
                guard let rule = policy.together,
                    let assessment = TogetherAssessment(
                        policy: policy, positive: PositiveCase(reportType: .confirmed))
                else { continue }
                let exposures = Dictionary(grouping: assessment.exposures(company.minutes) { _ in 0 }, by: \.subject)
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
        }
        return answers
    }
}
