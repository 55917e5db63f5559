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

    /// A name of whoever reports, and the proof that it is its own.
    struct Subject: Decodable, Sendable {
        var kind: String
        var id: String
        var secret: String
        /// When it became its own, if that is later than the policy looks back: a badge is handed on.
        var since: String?
    }

    /// What an app's phone said of itself for a time: the history of BLE-Proximity's user ids, for example.
    struct Code: Decodable, Sendable {
        var app: String
        /// Decimal, unsigned.
        var code: String
        var since: String
        var until: String
    }

    /// Codes of a day to which the phone committed itself before it said them, in that order.
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
        /// 16 bytes in base64.
        var key: String
        /// The number of the first interval of 10 minutes since 1970.
        var rollingStart: Int64
        /// For how many intervals the key is.
        var rollingPeriod: Int64
    }

    /// From which all codes of a day follow.
    struct Seed: Decodable, Sendable {
        var scheme: String
        var day: String
        /// Decimal, signed.
        var seed: String
    }

    struct Test: Decodable, Sendable {
        var date: String
        var result: String?
    }

    /// Further's questionnaire.
    struct Symptoms: Codable, Equatable, Sendable {
        var feelingSick: Bool?
        var hasBeenTested: Bool?
        /// `positive`, `negative` or `pending`.
        var testResult: String?
        var lastUpdate: String?

        /// For people.
        var text: String {
            let answers = [
                feelingSick.map { $0 ? "feels sick" : "feels well" },
                hasBeenTested.map { $0 ? "was tested" : "wasn't tested" }, testResult.map { "result \($0)" },
            ].compactMap { $0 }.joined(separator: ", ")
            return lastUpdate.map { answers.isEmpty ? "as of \($0)" : "\(answers) (\($0))" } ?? answers
        }
    }

    static let mostSubjects = 16
    /// A new code every 5 minutes for 14 days has 4032.
    static let mostCodes = 5000
    static let mostSeeds = 28
    static let mostKeys = 30
    static let mostCommitments = 128

    /// Codes of all commitments.
    var committedCodes: Int { (commitments ?? []).reduce(0) { $0 + $1.codes.count } }
}
