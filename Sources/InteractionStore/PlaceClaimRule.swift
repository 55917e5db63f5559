/// Decides whether a receiver is believed that says which beacon hangs at its place. Pure.
///
/// A place's beacon is nobody who could be exposed. A gateway that is believed too easily hides whomever it names, and takes
/// over the place of another floor. It may lie about its own floor, and no further.
struct PlaceClaimRule {
    /// `uuid/major/minor`.
    var beacon: String
    /// `site/building/floor/gateway`, with an ear after it for one that the gateway looks after.
    var receiver: String
    var knowledge: Knowledge

    /// What the store knows of the beacon and of the receiver.
    struct Knowledge: Equatable {
        /// Whose place has the beacon now; `nil` when nobody's has.
        var owner: String?
        /// The configuration says that the beacon hangs somewhere.
        var isConfigured = false
        /// For whom an operator decided.
        var accepted: String?
        /// An operator said that it is no place's.
        var isDenied = false
        /// It is in a report, or was erased: a person has carried it.
        var isOfPerson = false
        var wasErased = false
        /// Gateways of other places heard it as a badge more than an hour before, or another building heard it; of one that
        /// has an owner, two gateways of other buildings. Of one that is configured and has none: gateways of other floors.
        var wasHeardElsewhere = false
        /// Another beacon that the receiver names.
        var other: String?
        /// Beacons that the receiver's gateway has at its places, of all days of which there is anything.
        var countOfGateway = 0
    }

    enum Verdict: Equatable {
        /// The receiver says what is at the place.
        case owner
        /// It is at the place of another receiver of its floor.
        case shared
        case refused(PlaceClaimRefusal.Reason)
    }

    /// Beacons of one gateway at any time; an inventory has fewer modules.
    static let mostOfGateway = 32

    var verdict: Verdict {
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
        // The configuration says that it hangs, and not where.
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

    /// `site/building/floor/gateway`.
    static func gateway(_ receiver: String) -> String { levels(receiver, 4) }

    /// `site/building/floor`.
    static func floor(_ receiver: String) -> String { levels(receiver, 3) }

    /// `site/building`.
    static func building(_ receiver: String) -> String { levels(receiver, 2) }

    private static func levels(_ receiver: String, _ count: Int) -> String {
        receiver.split(separator: "/", omittingEmptySubsequences: false).prefix(count).joined(separator: "/")
    }
}
