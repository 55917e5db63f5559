/// A receiver isn't believed that a beacon hangs at its place. What it heard is stored, at a place of its own.
package struct PlaceClaimRefusal: Hashable, Sendable {
    /// `uuid/major/minor`.
    package var beacon: String
    /// `site/building/floor/gateway`, with an ear after it for one that the gateway looks after.
    package var receiver: String
    package var reason: Reason

    package enum Reason: String, Sendable, CaseIterable {
        /// An operator said that it is no place's.
        case denied
        /// A gateway of another floor has it.
        case ofAnother = "of-another"
        /// A report has it: somebody carries it.
        case ofPerson = "of-person"
        case erased
        case heardElsewhere = "heard-elsewhere"
        /// The receiver names another one already.
        case another
        case tooMany = "too-many"

        /// For people.
        package var text: String {
            switch self {
            case .denied: "an operator said that it is no place's"
            case .ofAnother: "it is at a place of another floor"
            case .ofPerson: "somebody reported with it"
            case .erased: "it was erased as somebody's"
            case .heardElsewhere: "it was heard as a badge before, or in another building"
            case .another: "the receiver named another one in the last days"
            case .tooMany: "its gateway has \(PlaceClaimRule.mostOfGateway) beacons already"
            }
        }
    }

    package init(beacon: String, receiver: String, reason: Reason) {
        self.beacon = beacon
        self.receiver = receiver
        self.reason = reason
    }
}
