/// Decides whether a receiver's claim to a beacon at its place is believed. Pure.
///
/// A place's beacon is never exposed. A gateway that is believed too easily could hide any subject by naming it, and
/// take over the place of another floor. A gateway can lie about its own floor, and no further.
package struct PlaceClaimRule {
    /// The beacon as `uuid/major/minor`.
    package var beacon: String
    /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
    package var receiver: String
    package var knowledge: Knowledge

    package init(beacon: String, receiver: String, knowledge: Knowledge) {
        self.beacon = beacon
        self.receiver = receiver
        self.knowledge = knowledge
    }

    /// The store's data about the beacon and the receiver.
    package struct Knowledge: Equatable {
        /// The receiver whose place has the beacon now; `nil` if there is none.
        package var owner: String?
        /// Whether the configuration gives the beacon a fixed place.
        package var isConfigured = false
        /// The receiver for which an operator decided.
        package var accepted: String?
        /// Whether an operator said that the beacon belongs to no place.
        package var isDenied = false
        /// Whether a person has carried the beacon: `isOfPerson` if it is in a report, `wasErased` if it was erased.
        package var isOfPerson = false
        package var wasErased = false
        /// Whether other receivers' data refutes the claim: gateways of other places heard the beacon as a badge more
        /// than an hour before, or another building heard it. For a beacon with an owner: two gateways of other
        /// buildings heard it. For a configured beacon without one: gateways of other floors heard it.
        package var wasHeardElsewhere = false
        /// Another beacon that the receiver names.
        package var other: String?
        /// Number of beacons at the places of the receiver's gateway, over all days with stored data.
        package var countOfGateway = 0

        package init(
            owner: String? = nil, isConfigured: Bool = false, accepted: String? = nil, isDenied: Bool = false,
            isOfPerson: Bool = false, wasErased: Bool = false, wasHeardElsewhere: Bool = false, other: String? = nil,
            countOfGateway: Int = 0
        ) {
            self.owner = owner
            self.isConfigured = isConfigured
            self.accepted = accepted
            self.isDenied = isDenied
            self.isOfPerson = isOfPerson
            self.wasErased = wasErased
            self.wasHeardElsewhere = wasHeardElsewhere
            self.other = other
            self.countOfGateway = countOfGateway
        }
    }

    package enum Verdict: Equatable {
        /// The receiver determines the place.
        case owner
        /// The beacon is at the place of another receiver on the same floor.
        case shared
        case refused(PlaceClaimRefusal.Reason)
    }

    /// Maximum number of beacons of one gateway at any time; an inventory has fewer modules.
    package static let mostOfGateway = 32

    package var verdict: Verdict {
        if knowledge.isDenied { return .refused(.denied) }
        if let accepted = knowledge.accepted {
            if Self.gateway(accepted) == Self.gateway(receiver) { return .owner }
            return Self.floor(accepted) == Self.floor(receiver) ? .shared : .refused(.ofAnother)
        }
        if knowledge.wasErased { return .refused(.erased) }
        if let owner = knowledge.owner {
            if Self.floor(owner) != Self.floor(receiver) { return .refused(.ofAnother) }
            if Self.gateway(owner) != Self.gateway(receiver) { return .shared }
        }
        // The configuration says that the beacon hangs somewhere, but not where.
        if knowledge.isConfigured {
            return knowledge.owner == nil && knowledge.wasHeardElsewhere ? .refused(.heardElsewhere) : .owner
        }
        if knowledge.isOfPerson { return .refused(.ofPerson) }
        if knowledge.wasHeardElsewhere { return .refused(.heardElsewhere) }
        if knowledge.owner != nil { return .owner }
        if knowledge.other != nil { return .refused(.another) }
        if knowledge.countOfGateway >= Self.mostOfGateway { return .refused(.tooMany) }
        return .owner
    }

    /// Returns the gateway of a receiver: `site/building/floor/gateway`.
    package static func gateway(_ receiver: String) -> String { levels(receiver, 4) }

    /// Returns the floor of a receiver: `site/building/floor`.
    package static func floor(_ receiver: String) -> String { levels(receiver, 3) }

    /// Returns the building of a receiver: `site/building`.
    package static func building(_ receiver: String) -> String { levels(receiver, 2) }

    private static func levels(_ receiver: String, _ count: Int) -> String {
        receiver.split(separator: "/", omittingEmptySubsequences: false).prefix(count).joined(separator: "/")
    }
}
