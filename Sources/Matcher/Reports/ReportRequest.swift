import BeaconModel
import InteractionStore
import Matching
import OperatorText

/// A report as an app sends it.
struct ReportRequest: Decodable, Sendable {
    var subjects: [Subject]
    var codes: [Code]?
    var commitments: [Commitment]?
    var seeds: [Seed]?
    var keys: [Key]?
    var test: Test?
    var symptoms: Symptoms?
    /// The day on which symptoms began.
    var onset: String?
    /// A token of a health authority.
    var verification: String?

    /// A name of the reporter, with the proof that it is the reporter's own.
    struct Subject: Decodable, Sendable {
        var kind: String
        var id: String
        var secret: String
        /// Time at which it became the reporter's own, if later than the policy looks back: badges are handed on.
        var since: String?
    }

    /// A code that a phone's app transmitted for a time: from the history of BLE-Proximity's user ids, for example.
    struct Code: Decodable, Sendable {
        var app: String
        /// Decimal number, unsigned.
        var code: String
        var since: String
        var until: String
    }

    /// Codes of a day to which the phone committed itself before it transmitted them, in that order.
    struct Commitment: Decodable, Sendable {
        var app: String
        var day: String
        var salt: String
        var codes: [TimedValue]

        struct TimedValue: Decodable, Sendable {
            var code: String
            var since: String
            var until: String
        }
    }

    /// A temporary exposure key, from which identifiers of Exposure Notification follow.
    struct Key: Decodable, Sendable {
        var scheme: String
        /// The key: 16 bytes in base64.
        var key: String
        /// Number of the first interval of 10 minutes since 1970.
        var rollingStart: Int64
        /// Number of intervals that the key covers.
        var rollingPeriod: Int64
    }

    /// Seed from which all codes of a day follow.
    struct Seed: Decodable, Sendable {
        var scheme: String
        var day: String
        /// Decimal number, signed.
        var seed: String
    }

    struct Test: Decodable, Sendable {
        var date: String
        var result: String?
    }

    /// Answers to Further's questionnaire.
    struct Symptoms: Codable, Equatable, Sendable {
        var feelingSick: Bool?
        var hasBeenTested: Bool?
        /// Result of the test: `positive`, `negative` or `pending`.
        var testResult: String?
        var lastUpdate: String?

        /// The answers, for people.
        var text: String {
            let answers = [
                feelingSick.map { $0 ? "feels sick" : "feels well" },
                hasBeenTested.map { $0 ? "was tested" : "wasn't tested" }, testResult.map { "result \($0)" },
            ].compactMap { $0 }.joined(separator: ", ")
            return lastUpdate.map { answers.isEmpty ? "as of \($0)" : "\(answers) (\($0))" } ?? answers
        }
    }

    static let mostSubjects = 16
    /// Maximum number of codes. A new code every 5 minutes for 14 days makes 4032.
    static let mostCodes = 5000
    static let mostSeeds = 28
    static let mostKeys = 30
    static let mostCommitments = 128

    /// Number of codes in all commitments.
    var committedCodes: Int { (commitments ?? []).reduce(0) { $0 + $1.codes.count } }
}
