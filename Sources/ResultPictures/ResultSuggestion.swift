package enum TestOutcome: String, Sendable {
    case positive, negative
    /// The test gave no answer.
    case unclear
}

/// The number of an order or sample, as it was read.
package struct OrderNumber: Hashable, Sendable {
    package var text: String

    package init(_ text: String) { self.text = text }

    /// Whether two numbers are the same if characters that are read for each other count as equal: 5 and S, 0 and O,
    /// 8 and B, and 1, I and L. Case and punctuation make no difference.
    package func isSame(as other: OrderNumber) -> Bool { folded == other.folded }

    /// The number with a digit for characters that are read for each other.
    package var folded: String {
        var folded = ""
        for character in text.uppercased() where character.isASCII {
            switch character {
            case "S": folded += "5"
            case "O": folded += "0"
            case "I", "L": folded += "1"
            case "B": folded += "8"
            default: if character.isLetter || character.isNumber { folded.append(character) }
            }
        }
        return folded
    }
}

/// Suggestion read from a picture. A person must confirm it: nothing follows from it alone.
package struct ResultSuggestion: Hashable, Sendable {
    package var outcome: TestOutcome?
    /// Day on which the sample was taken, in days since 1970.
    package var testDay: Int64?
    /// Misread characters are likely: compare it with expected numbers by `isSame`.
    package var orderNumber: OrderNumber?

    package init(outcome: TestOutcome? = nil, testDay: Int64? = nil, orderNumber: OrderNumber? = nil) {
        self.outcome = outcome
        self.testDay = testDay
        self.orderNumber = orderNumber
    }

    package var isEmpty: Bool { self == ResultSuggestion() }

    /// Returns what two readings of one picture say together. What they contradict each other in is left out.
    package func merged(with other: ResultSuggestion) -> ResultSuggestion {
        func agreed<Value: Equatable>(_ one: Value?, _ other: Value?) -> Value? {
            guard let one, let other else { return one ?? other }
            return one == other ? one : nil
        }
        return ResultSuggestion(
            outcome: agreed(outcome, other.outcome), testDay: agreed(testDay, other.testDay),
            orderNumber: agreed(orderNumber, other.orderNumber))
    }
}
