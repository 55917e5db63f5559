/// A refused claim of a receiver to a beacon at its place. The receiver's observations are stored, at a place of its
/// own.
package struct PlaceClaimRefusal: Hashable, Sendable {
    /// The beacon as `uuid/major/minor`.
    package var beacon: String
    /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
    package var receiver: String
    package var reason: Reason

    package enum Reason: String, Sendable, CaseIterable {
        /// An operator said that the beacon belongs to no place.
        case denied
        /// A gateway of another floor has the beacon.
        case ofAnother = "of-another"
        /// A report names the beacon: a person carries it.
        case ofPerson = "of-person"
        case erased
        case heardElsewhere = "heard-elsewhere"
        /// The receiver already names another beacon.
        case another
        case tooMany = "too-many"

        /// Whether the reason tells that a person may carry the beacon. Who may not see badges sees neither the beacon
        /// nor the reason.
        package var mayBeCarried: Bool {
            switch self {
            case .denied, .ofPerson, .erased, .heardElsewhere: true
            case .ofAnother, .another, .tooMany: false
            }
        }

        /// The reason, for display.
        package var text: String {
            switch self {
            case .denied: "an operator declared it as carried"
            case .ofAnother: "it is mounted on another floor"
            case .ofPerson: "it was part of a report"
            case .erased: "it was erased as a subject"
            case .heardElsewhere: "it was received as a badge before, or in another building"
            case .another: "the receiver claimed another beacon in the last days"
            case .tooMany: "its gateway already has \(PlaceClaimRule.mostOfGateway) beacons"
            }
        }
    }

    package init(beacon: String, receiver: String, reason: Reason) {
        self.beacon = beacon
        self.receiver = receiver
        self.reason = reason
    }
}
