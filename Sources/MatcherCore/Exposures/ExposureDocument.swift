import BeaconModel
package import Evidence
package import Matching
import OperatorText
package import People

/// An exposure, for programs: names instead of numbers, metres, RFC 3339 times.
package struct ExposureDocument: Encodable, Sendable {
    package var subject: Subject
    package var positive: [Subject]
    package var beacon: Beacon?
    package var place: Place?
    package var start: String
    package var end: String
    /// Minutes that the policy counts.
    package var minutes: Double
    /// Minutes in which both were present.
    package var sharedMinutes: Double
    /// Kind of evidence: `together` or `beacon`.
    package var way: String
    /// Distance between the two; omitted for minutes together, which give no distance.
    package var distance: Range?
    package var probability: Double
    package var policy: PolicyName
    /// Risk of the subject by this report alone.
    package var risk: RiskName?
    package var explanation: Words

    package struct Subject: Encodable, Sendable {
        package var kind: String
        package var id: String
        /// The person to whom it belongs; omitted if the register has none, or the reader sees no names.
        package var person: NamedPerson?

        package init(_ subject: SubjectIdentity) { self.init(subject, person: nil) }

        package init(_ subject: SubjectIdentity, person: Person?) {
            kind = subject.kind
            id = subject.id
            self.person = person.map(NamedPerson.init)
        }
    }

    /// A person of the register.
    package struct NamedPerson: Encodable, Sendable {
        package var number: String
        package var name: String

        package init(_ person: Person) {
            number = person.number
            name = person.name
        }
    }

    package struct Beacon: Encodable, Sendable {
        package var uuid: String
        package var major: UInt16
        package var minor: UInt16

        /// Reads a beacon.
        ///
        /// - Parameter text: `uuid/major/minor`.
        package init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 3, let major = UInt16(parts[1]), let minor = UInt16(parts[2]) else { return nil }
            uuid = String(parts[0])
            self.major = major
            self.minor = minor
        }
    }

    package struct Place: Encodable, Sendable {
        package var site: String
        package var building: String
        package var floor: String
        package var gateway: String
        package var room: String?
        package var ear: String?

        package init(_ place: PlaceName) {
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
    package struct Range: Encodable, Sendable {
        package var lower: Double
        package var upper: Double

        package init(_ range: ClosedRange<Int64>) {
            lower = Double(range.lowerBound) / 100
            upper = Double(range.upperBound) / 100
        }
    }

    package struct PolicyName: Codable, Sendable {
        package var name: String
        package var version: String

        package init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    package struct RiskName: Encodable, Sendable {
        package var level: String
        /// The policy's own word for the level.
        package var label: String
    }

    package struct Words: Encodable, Sendable {
        /// Summary in a sentence, for people.
        package var summary: String
        package var windows: [Window]
        package var omittedWindows: Int
        package var infectiousness: Double
        package var reportType: Double
        package var missing: [String]
        /// The evidence of an exposure that was found by minutes together.
        package var together: Together?
    }

    package struct Window: Encodable, Sendable {
        package var place: String?
        package var start: String
        package var end: String
        package var weight: Double
        package var minutes: Double
        // Evidence by distances from a beacon.
        package var positivePlace: String?
        package var separation: Double?
        var secondsApart: Int64?
        package var distance: Double?
        package var positiveDistance: Double?
        package var between: Range?
        package var probability: Double?
        // Evidence by minutes together.
        var nearMinutes: Int?
        var closeMinutes: Int?
        /// Near minutes that were told by rooms and positions on a surveyed floor; omitted if there are none.
        package var locatedMinutes: Int?
        /// Omitted if all near minutes are located.
        package var similarity: Double?

        package init(_ window: Explanation.Window, names: ExposureNames) {
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
                locatedMinutes = evidence.located > 0 ? evidence.located : nil
                if evidence.located < evidence.near { similarity = ExposureDocument.rounded(evidence.similarity) }
            }
        }
    }

    /// Evidence of minutes together.
    package struct Together: Encodable, Sendable {
        package var receivers: [Receiver]
        package var deafReceivers: [String]
        package var sameAreaMinutes: Int
        package var vectors: [Vector]

        package struct Receiver: Encodable, Sendable {
            package var receiver: String
            package var room: String?
            /// Number of counted minutes in which it heard both.
            package var minutes: Int
        }

        /// Readings of both subjects in one minute, by receiver.
        package struct Vector: Encodable, Sendable {
            package var minute: String
            package var similarity: Double
            package var positive: [Heard]
            package var subject: [Heard]
        }

        package struct Heard: Encodable, Sendable {
            package var receiver: String
            /// Number of advertisements in 60 s of listening.
            package var count: Double
            /// Mean signal strength in dBm.
            package var rssi: Double
        }

        package init(_ details: TogetherDetails, names: ExposureNames) {
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

    package init(
        _ exposure: Exposure, positive: [SubjectIdentity], policy: Policy, risk: Risk<Exposure>? = nil,
        names: ExposureNames
    ) {
        let exposed = names.subject(exposure.subject)
        subject = Subject(exposed, person: names.people[exposed])
        self.positive = positive.map { Subject($0, person: names.people[$0]) }
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
