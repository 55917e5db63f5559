/// What there is to judge each two people of a day by, at one share of lost packets.
struct Evidence {
    var truth: ContactTruth
    var exact: ExactDistances
    var minutes: MinuteComparison
    /// Positions without anything, with modules at gateways, and with these and a survey; `nil`: they aren't asked for.
    var placed: PlacedStays?
    var modules: PlacedStays?
    var surveyed: PlacedStays?
    /// What gateways' records leave; `nil`: there are none.
    var records: Records?
    /// What the matcher makes of gateways' minutes; `nil`: it isn't asked.
    var together: TogetherAnswers?

    struct Records {
        /// Who was heard together, and who was heard best by the same gateway.
        var coLocation: CoLocation
        var nearest: CoLocation
        /// The matcher's answers by one distance.
        var shipped: [PairQuestion: MatcherAnswers]
    }

    /// `nil` when there is nothing to tell by.
    func verdict(_ method: Method, _ question: PairQuestion, _ one: Int, _ other: Int) -> Verdict? {
        switch method {
        case .together: return together?.answers[question]?[one, other]
        case .alert, .red, .further: return together?.levels[method]?[one, other]
        case .cosine:
            let threshold = question.isClose ? MinuteComparison.close : MinuteComparison.near
            return minutes(question, Double(minutes.pairs[one, other].minutes(threshold)))
        case .placed: return placed.map { stays(question, $0.pairs[one, other]) }
        case .modules: return modules.map { stays(question, $0.pairs[one, other]) }
        case .surveyed: return surveyed.map { stays(question, $0.pairs[one, other]) }
        case .strongest: return minutes(question, Double(minutes.pairs[one, other].sameStrongest))
        case .centroid: return minutes(question, Double(minutes.pairs[one, other].centroids))
        case .coLocation: return records.map { minutes(question, Double($0.coLocation[one, other].together) / 60) }
        case .nearest: return records.map { minutes(question, Double($0.nearest[one, other].together) / 60) }
        case .room: return minutes(question, Double(truth.secondsInOneRoom(one, other)) / 60)
        case .exact:
            guard question == .sixMetresFive else { return minutes(question, exact.expected(one, other)) }
            let found = exact.minutes(.sixMetresFive, truth, one, other)
            return Verdict(isContact: found != nil, score: Double(truth[one, other].atOneBeacon) / 60)
        case .shipped:
            guard let answers = records?.shipped[question] else { return nil }
            let both = [answers.answer(one, other), answers.answer(other, one)].compactMap { $0 }
            return Verdict(
                isContact: !both.isEmpty,
                // Who is found by a moment is found.
                score: both.map { 1 + (question.isClose ? $0.minutes : Double($0.sharedSeconds) / 60) }.max() ?? 0,
                probability: both.map(\.probability).max() ?? 0)
        }
    }

    private func stays(_ question: PairQuestion, _ common: PlacedStays.Common) -> Verdict {
        minutes(question, question.isClose ? common.within2m : common.within6m)
    }

    private func minutes(_ question: PairQuestion, _ minutes: Double) -> Verdict {
        Verdict(isContact: minutes >= Double(question.minutes), score: minutes)
    }
}
