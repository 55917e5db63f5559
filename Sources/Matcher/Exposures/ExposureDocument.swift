import BeaconModel
import InteractionStore
import Matching
import OperatorText
import Evidence

/// An exposure, for programs: names instead of numbers, metres, RFC 3339 times.
struct ExposureDocument: Encodable, Sendable {
    var subject: Subject
    var positive: [Subject]
    var beacon: Beacon?
    var place: Place?
    var start: String
    var end: String
    /// Minutes that the policy counts.
    var minutes: Double
    /// Minutes in which both were present.
    var sharedMinutes: Double
    /// Kind of evidence: `together` or `beacon`.
    var way: String
    /// Distance between the two; omitted for minutes together, which give no distance.
    var distance: Range?
    var probability: Double
    var policy: PolicyName
    /// Risk of the subject by this report alone.
    var risk: RiskName?
    var explanation: Words

    struct Subject: Encodable, Sendable {
        var kind: String
        var id: String

        init(_ subject: SubjectIdentity) {
            kind = subject.kind
            id = subject.id
        }
    }

    struct Beacon: Encodable, Sendable {
        var uuid: String
        var major: UInt16
        var minor: UInt16

        /// Reads a beacon.
        ///
        /// - Parameter text: `uuid/major/minor`.
        init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 3, let major = UInt16(parts[1]), let minor = UInt16(parts[2]) else { return nil }
            uuid = String(parts[0])
            self.major = major
            self.minor = minor
        }
    }

    struct Place: Encodable, Sendable {
        var site: String
        var building: String
        var floor: String
        var gateway: String
        var room: String?
        var ear: String?

        init(_ place: PlaceName) {
            site = place.site
            building = place.building
            floor = place.floor
            // The receiver's path begins with site, building and floor.
            let levels = place.gateway.split(separator: "/").map(String.init)
            gateway = levels.count > 3 ? levels[3] : place.gateway
            ear = levels.count > 4 ? levels[4] : nil
            room = place.room
        }
    }

    /// Shortest and longest possible distance between the two, in metres.
    struct Range: Encodable, Sendable {
        var lower: Double
        var upper: Double

        init(_ range: ClosedRange<Int64>) {
            lower = Double(range.lowerBound) / 100
            upper = Double(range.upperBound) / 100
        }
    }

    struct PolicyName: Codable, Sendable {
        var name: String
        var version: String
    }

    struct RiskName: Encodable, Sendable {
        var level: String
        /// The policy's own word for the level.
        var label: String
    }

    struct Words: Encodable, Sendable {
        /// Summary in a sentence, for people.
        var summary: String
        var windows: [Window]
        var omittedWindows: Int
        var infectiousness: Double
        var reportType: Double
        var missing: [String]
        /// The evidence of an exposure that was found by minutes together.
        var together: Together?
    }

    struct Window: Encodable, Sendable {
        var place: String?
        var start: String
        var end: String
        var weight: Double
        var minutes: Double
        // Evidence by distances from a beacon.
        var positivePlace: String?
        var separation: Double?
        var secondsApart: Int64?
        var distance: Double?
        var positiveDistance: Double?
        var between: Range?
        var probability: Double?
        // Evidence by minutes together.
        var nearMinutes: Int?
        var closeMinutes: Int?
        var similarity: Double?

        init(_ window: Explanation.Window, names: ExposureNames) {
            place = names.places[window.place]?.key
            start = InstantText.utc(window.start)
            end = InstantText.utc(window.end)
            weight = ExposureDocument.rounded(window.weight)
            minutes = ExposureDocument.rounded(window.minutes)
            switch window.evidence {
            case .distances(let evidence):
                positivePlace = evidence.positivePlace.flatMap { names.places[$0]?.key }
                separation = evidence.separation > 0 ? Double(evidence.separation) / 100 : nil
                secondsApart = evidence.apart > 0 ? evidence.apart : nil
                distance = Double(evidence.distance) / 100
                positiveDistance = Double(evidence.positiveDistance) / 100
                between = Range(evidence.range)
                probability = ExposureDocument.rounded(evidence.probability)
            case .together(let evidence):
                nearMinutes = evidence.near
                closeMinutes = evidence.close
                similarity = ExposureDocument.rounded(evidence.similarity)
            }
        }
    }

    /// Evidence of minutes together.
    struct Together: Encodable, Sendable {
        var receivers: [Receiver]
        var deafReceivers: [String]
        var sameAreaMinutes: Int
        var vectors: [Vector]

        struct Receiver: Encodable, Sendable {
            var receiver: String
            var room: String?
            /// Number of counted minutes in which it heard both.
            var minutes: Int
        }

        /// Readings of both subjects in one minute, by receiver.
        struct Vector: Encodable, Sendable {
            var minute: String
            var similarity: Double
            var positive: [Heard]
            var subject: [Heard]
        }

        struct Heard: Encodable, Sendable {
            var receiver: String
            /// Number of advertisements in 60 s of listening.
            var count: Double
            /// Mean signal strength in dBm.
            var rssi: Double
        }

        init(_ details: TogetherDetails, names: ExposureNames) {
            func path(_ number: Int64) -> String { names.receivers[number]?.path ?? "\(number)" }
            func heard(_ hearings: [Hearing]) -> [Heard] {
                hearings.map {
                    Heard(
                        receiver: path($0.receiver), count: ($0.code.count * 10).rounded() / 10,
                        rssi: ($0.code.rssi * 10).rounded() / 10)
                }
            }
            receivers = details.receivers.map {
                Receiver(receiver: path($0.receiver), room: names.receivers[$0.receiver]?.room, minutes: $0.minutes)
            }
            deafReceivers = details.deaf.map(path)
            sameAreaMinutes = details.sameAreaMinutes
            vectors = details.minutes.map {
                Vector(
                    minute: InstantText.utc($0.start), similarity: ExposureDocument.rounded($0.similarity),
                    positive: heard($0.positive), subject: heard($0.other))
            }
        }
    }

    init(
        _ exposure: Exposure, positive: [SubjectIdentity], policy: Policy, risk: Risk<Exposure>? = nil,
        names: ExposureNames
    ) {
        subject = Subject(names.subject(exposure.subject))
        self.positive = positive.map(Subject.init)
        let place = names.places[exposure.place]
        beacon = place?.beacon.flatMap(Beacon.init)
        self.place = place.map(Place.init)
        start = InstantText.utc(exposure.start)
        end = InstantText.utc(exposure.end)
        minutes = Self.rounded(exposure.minutes)
        sharedMinutes = Self.rounded(Double(exposure.sharedSeconds) / 60)
        way = exposure.way.rawValue
        distance = exposure.range.map(Range.init)
        probability = Self.rounded(exposure.probability)
        self.policy = PolicyName(name: policy.name, version: policy.version)
        self.risk = risk.map { RiskName(level: $0.level.rawValue, label: $0.label) }
        let explanation = exposure.explanation
        self.explanation = Words(
            summary: ExposureWords.summary(exposure, policy: policy, names: names),
            windows: explanation.windows.map { Window($0, names: names) },
            omittedWindows: explanation.omittedWindows, infectiousness: explanation.infectiousness,
            reportType: explanation.reportType,
            missing: explanation.missing.map { ExposureWords.text($0, names: names) },
            together: explanation.together.map { Together($0, names: names) })
    }

    /// Returns a value rounded to a thousandth.
    fileprivate static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
