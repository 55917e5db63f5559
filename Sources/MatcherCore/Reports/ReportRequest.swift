import BeaconModel
import Matching
import OperatorText

/// A report as an app sends it.
package struct ReportRequest: Decodable, Sendable {
    package var subjects: [Subject]
    package var codes: [Code]?
    package var commitments: [Commitment]?
    package var seeds: [Seed]?
    package var keys: [Key]?
    package var test: Test?
    package var symptoms: Symptoms?
    /// The day on which symptoms began.
    package var onset: String?
    /// A token of a health authority.
    package var verification: String?

    /// A name of the reporter, with the proof that it is the reporter's own.
    package struct Subject: Decodable, Sendable {
        package var kind: String
        package var id: String
        package var secret: String
        /// Time at which it became the reporter's own, if later than the policy looks back: badges are handed on.
        package var since: String?
    }

    /// A code that a phone's app transmitted for a time: from the history of BLE-Proximity's user ids, for example.
    package struct Code: Decodable, Sendable {
        package var app: String
        /// Decimal number, unsigned.
        package var code: String
        package var since: String
        package var until: String
    }

    /// Codes of a day to which the phone committed itself before it transmitted them, in that order.
    package struct Commitment: Decodable, Sendable {
        package var app: String
        package var day: String
        package var salt: String
        package var codes: [TimedValue]

        package struct TimedValue: Decodable, Sendable {
            package var code: String
            package var since: String
            package var until: String
        }
    }

    /// A temporary exposure key, from which identifiers of Exposure Notification follow.
    package struct Key: Decodable, Sendable {
        package var scheme: String
        /// The key: 16 bytes in base64.
        package var key: String
        /// Number of the first interval of 10 minutes since 1970.
        var rollingStart: Int64
        /// Number of intervals that the key covers.
        var rollingPeriod: Int64
    }

    /// Seed from which all codes of a day follow.
    package struct Seed: Decodable, Sendable {
        package var scheme: String
        package var day: String
        /// Decimal number, signed.
        package var seed: String
    }

    package struct Test: Decodable, Sendable {
        package var date: String
        package var result: String?
    }

    /// Answers to Further's questionnaire.
    package struct Symptoms: Codable, Equatable, Sendable {
        package var feelingSick: Bool?
        package var hasBeenTested: Bool?
        /// Result of the test: `positive`, `negative` or `pending`.
        package var testResult: String?
        package var lastUpdate: String?

        /// The answers, for people.
        package var text: String {
            let answers = [
                feelingSick.map { $0 ? "feels sick" : "feels well" },
                hasBeenTested.map { $0 ? "was tested" : "was not tested" }, testResult.map { "result \($0)" },
            ].compactMap { $0 }.joined(separator: ", ")
            return lastUpdate.map { answers.isEmpty ? "as of \($0)" : "\(answers) (\($0))" } ?? answers
        }
    }

    package static let mostSubjects = 16
    /// Maximum number of codes. A new code every 5 minutes for 14 days makes 4032.
    static let mostCodes = 5000
    static let mostSeeds = 28
    static let mostKeys = 30
    package static let mostCommitments = 128

    /// Number of codes in all commitments.
    var committedCodes: Int { (commitments ?? []).reduce(0) { $0 + $1.codes.count } }
}
