/// Contacts that are true and contacts that were found, of each who reports with each other, day by day.
struct Score: Sendable {
    private(set) var contacts = 0
    private(set) var found = Decisions()
    private(set) var coLocated = Decisions()
    private(set) var nearest = Decisions()
    /// What was found less what is true, in minutes, of those that are both.
    private(set) var minuteErrors: [Double] = []

    struct Decisions: Sendable {
        var hits = 0
        var alarms = 0

        mutating func add(_ decision: Bool, truth: Bool) {
            if decision { if truth { hits += 1 } else { alarms += 1 } }
        }

        var count: Int { hits + alarms }
        /// The share of the found that is true; `nil` of none.
        var precision: Double? { count > 0 ? Double(hits) / Double(count) : nil }

        /// The share of the true that is found; `nil` of none.
        func recall(of contacts: Int) -> Double? { contacts > 0 ? Double(hits) / Double(contacts) : nil }
    }

    var recall: Double? { found.recall(of: contacts) }
    var coLocationRecall: Double? { coLocated.recall(of: contacts) }
    var nearestRecall: Double? { nearest.recall(of: contacts) }
    var medianError: Double? { Self.median(minuteErrors.map { abs($0) }) }
    var medianBias: Double? { Self.median(minuteErrors) }

    /// Takes in a day.
    ///
    /// - Parameters:
    ///   - together: who was heard together; `nil` where nobody is heard.
    ///   - nearest: who was heard best by the same gateway; `nil` where nobody is heard.
    ///   - minutes: of the contact between one who reported and another, as far as one was found.
    mutating func add(
        _ question: Question, _ truth: ContactTruth, _ together: CoLocation?, _ nearest: CoLocation?,
        minutes: (Int, Int) -> Double?
    ) {
        for positive in 0..<truth.people {
            for other in 0..<truth.people where other != positive {
                let times = truth[positive, other]
                let isContact = question.isContact(times)
                let minutes = minutes(positive, other)
                if isContact { contacts += 1 }
                found.add(minutes != nil, truth: isContact)
                if let together {
                    coLocated.add(question.isCoLocation(together[positive, other]), truth: isContact)
                }
                if let nearest {
                    self.nearest.add(question.isCoLocation(nearest[positive, other]), truth: isContact)
                }
                if isContact, let minutes {
                    minuteErrors.append(minutes - Double(question.seconds(times)) / 60)
                }
            }
        }
    }

    /// The middle one, or the mean of the two in the middle.
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let ordered = values.sorted()
        let middle = ordered.count / 2
        return ordered.count.isMultiple(of: 2) ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
    }
}
