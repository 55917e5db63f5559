import Evidence
import InteractionStore
import OperatorText
import Pages

extension InteractionStore.PlaceBeacon.Basis {
    /// How the place of a beacon is known.
    var words: String {
        switch self {
        case .configuration: "given in the matcher's configuration"
        case .accepted: "confirmed by an operator"
        case .claimed: "stated by the gateway only"
        }
    }
}

/// Words of pages about the places of beacons. Pure.
struct PlaceWords {
    var days: CalendarDays

    private func time(_ seconds: Int64) -> String { DayWords(days: days).time(seconds) }

    // MARK: Beacons

    /// A beacon of a place, before its decision is put into words.
    struct ListedBeacon {
        var beacon: String
        var receiver: String
        var room = ""
        var state: StateTag
        var decision: InteractionStore.DecidedPlace?
    }

    /// Returns all beacons of places, then those of decisions that no record has followed yet. Beacons that somebody
    /// declared as carried are not among them: who may not see badges does not see these.
    static func beacons(_ list: PlaceList) -> [ListedBeacon] {
        let decisions = Dictionary(list.decisions.map { ($0.beacon, $0) }) { first, _ in first }
        let known = Set(list.places.map(\.beacon))
        return list.places.compactMap { listed($0, decisions[$0.beacon]) }
            + list.decisions.filter { !known.contains($0.beacon) }.compactMap { listed($0) }
    }

    /// Returns the row of a beacon.
    func row(_ listed: ListedBeacon) -> PlacesPage.Row {
        PlacesPage.Row(
            beacon: listed.beacon, receiver: listed.receiver, room: listed.room, state: listed.state,
            decided: listed.decision.map(origin) ?? "")
    }

    private static func listed(
        _ place: InteractionStore.PlaceBeacon, _ decision: InteractionStore.DecidedPlace?
    ) -> ListedBeacon? {
        if let decision, !isFollowed(decision, by: place) {
            var waiting = listed(decision)
            waiting?.room = place.room ?? ""
            return waiting
        }
        return ListedBeacon(
            beacon: place.beacon, receiver: place.receiver ?? "no gateway has named it yet", room: place.room ?? "",
            state: tag(place), decision: decision)
    }

    /// Returns the beacon of a decision that no record has followed yet.
    private static func listed(_ decision: InteractionStore.DecidedPlace) -> ListedBeacon? {
        guard case .accepted(let receiver) = decision.decision else { return nil }
        return ListedBeacon(
            beacon: decision.beacon, receiver: receiver,
            state: StateTag("confirmed by an operator, from its next record on", .warn), decision: decision)
    }

    /// Whether a place is the one for which an operator decided. The gateways of a floor share its beacons.
    private static func isFollowed(
        _ decision: InteractionStore.DecidedPlace, by place: InteractionStore.PlaceBeacon
    ) -> Bool {
        guard case .accepted(let receiver) = decision.decision, let present = place.receiver else { return false }
        return PlaceClaimRule.gateway(receiver) == PlaceClaimRule.gateway(present)
    }

    private static func tag(_ place: InteractionStore.PlaceBeacon) -> StateTag {
        switch place.basis {
        case .configuration where place.isClaimed:
            StateTag(place.basis.words + ", its receiver by the gateway only", .plain)
        case .configuration, .accepted: StateTag(place.basis.words, .good)
        case .claimed: StateTag(place.basis.words, .plain)
        }
    }

    /// Returns when a decision was made, and by whom if the audit knows it.
    private func origin(_ decision: InteractionStore.DecidedPlace) -> String {
        time(decision.since) + (decision.name.map { " by \($0)" } ?? "")
    }

    // MARK: Claims

    /// A claim that is not believed, before its time is put into words.
    struct ListedClaim {
        var receiver: String
        var named: String
        /// The beacon, if its claim can be accepted on the page.
        var beacon: String?
        var counts: String
        var reason: String
        var since: Int64?
        /// What to do about a claim that cannot be accepted on the page.
        var advice = ""
    }

    /// Returns the claims that are not believed: those to beacons, those to beacons that a person may carry, then those
    /// to rooms. Of beacons that a person may carry they say only that: which badges are in reports is not for
    /// operators.
    static func claims(_ list: PlaceList) -> [ListedClaim] {
        let carried = carriedBeacons(list)
        var receivers: [String: String] = [:]
        for place in list.places where receivers[place.beacon] == nil { receivers[place.beacon] = place.receiver }
        var claims: [ListedClaim] = []
        var hidden: [ListedClaim] = []
        for one in list.refused {
            let beacon = one.claim.beacon
            if carried.contains(beacon) {
                hidden.append(
                    ListedClaim(
                        receiver: one.claim.receiver, named: "a beacon that is not shown", beacon: nil,
                        counts: "not shown", reason: carriedReason, since: one.since,
                        advice: "Decided on the command line."))
            } else {
                claims.append(
                    ListedClaim(
                        receiver: one.claim.receiver, named: beacon, beacon: beacon,
                        counts: receivers[beacon] ?? "at no place", reason: reason(one.claim), since: one.since))
            }
        }
        // The order of the store would tell where the beacon comes in the order of the others.
        claims += hidden.sorted { ($0.receiver, $0.since ?? 0) < ($1.receiver, $1.since ?? 0) }
        for room in list.rooms {
            for receiver in room.refused {
                claims.append(
                    ListedClaim(
                        receiver: receiver, named: "room \(room.room)", beacon: nil,
                        counts: room.floor ?? "on no floor", reason: "another floor had named the room first",
                        since: nil, advice: "List the places of the room in [[rooms]] of the configuration."))
            }
        }
        return claims
    }

    /// Returns the row of a claim.
    func claim(_ listed: ListedClaim) -> PlacesPage.Claim {
        PlacesPage.Claim(
            receiver: listed.receiver, named: listed.named, beacon: listed.beacon, counts: listed.counts,
            reason: listed.reason, since: listed.since.map(time) ?? "not known", advice: listed.advice)
    }

    /// Returns how many beacons are not shown, since a person may carry them; `nil` if there are none.
    static func hidden(_ list: PlaceList) -> String? {
        let count = carriedBeacons(list).count
        guard count > 0 else { return nil }
        return "\(count) \(count == 1 ? "beacon is" : "beacons are") not shown, since a person may carry "
            + "\(count == 1 ? "it" : "them"). Whoever may see badges decides on the command line: "
            + "beacon-matcher places."
    }

    /// Beacons that somebody declared as carried, that were refused to any receiver since a person may carry them, or
    /// of which the store says otherwise that a person may carry them.
    private static func carriedBeacons(_ list: PlaceList) -> Set<String> {
        list.carried.union(list.denied).union(
            list.refused.lazy.filter { $0.claim.reason.mayBeCarried }.map(\.claim.beacon))
    }

    private static let carriedReason = "a person may carry it"

    /// Returns why a claim is not believed, as far as operators may know it.
    private static func reason(_ claim: PlaceClaimRefusal) -> String {
        claim.reason.mayBeCarried ? carriedReason : claim.reason.text
    }

    /// Returns where a beacon counts as mounted; `nil` if it is nowhere.
    static func place(of beacon: String, _ list: PlaceList) -> String? {
        list.places.first { $0.beacon == beacon }?.receiver
    }

    // MARK: Decisions

    /// The same words whatever is known about the beacon, also if nobody has heard it: whether a badge is in a report,
    /// or in the register, is not for operators.
    static let notListed =
        "The page decides only about beacons that it lists. Whoever may see badges decides about others on the command "
        + "line: beacon-matcher places accept UUID/MAJOR/MINOR RECEIVER."

    /// Number of claims that are named before a decision.
    private static let mostWarned = 5

    /// Returns what was decided about a beacon.
    ///
    /// - Parameter decision: `nil` if nothing holds.
    func sentence(_ decision: InteractionStore.DecidedPlace?) -> String {
        guard let decision else { return "None: the first gateway that names the beacon gets it." }
        return switch decision.decision {
        case .accepted(let receiver): "It hangs at \(receiver), decided \(origin(decision))."
        case .denied, .undecided: Self.notListed
        }
    }

    /// Returns reasons to look again before a place is accepted.
    func warnings(_ beacon: String, at receiver: String, _ list: PlaceList, isKnown: Bool) -> [String] {
        var warnings: [String] = []
        // Nothing tells that the claims to the beacon are not shown.
        let isHidden = Self.carriedBeacons(list).contains(beacon)
        let refused = isHidden ? [] : list.refused.filter { $0.claim.beacon == beacon }
        // Its own claim is the first.
        let ordered =
            refused.filter { $0.claim.receiver == receiver } + refused.filter { $0.claim.receiver != receiver }
        for one in ordered.prefix(Self.mostWarned) {
            let claim = one.claim.receiver == receiver ? "This claim" : "The claim of \(one.claim.receiver) to it"
            warnings.append("\(claim) is not believed since \(time(one.since)): \(Self.reason(one.claim)).")
        }
        if ordered.count > Self.mostWarned {
            warnings.append("\(ordered.count - Self.mostWarned) more claims to it are not believed.")
        }
        if !refused.isEmpty {
            warnings.append("If a person carries the beacon, exposures of this person are not found any more.")
        }
        if !isKnown {
            warnings.append("No gateway \(PlaceClaimRule.gateway(receiver)) is known: check its name.")
        }
        return warnings
    }

    /// Returns what happens when a place is accepted.
    static func effects(at receiver: String) -> [String] {
        [
            "From its next record on, the beacon hangs at \(receiver), whatever gateways claim.",
            "It is nobody's badge: no exposures follow from it.",
            "Earlier records keep their place.",
            "Earlier decisions and claims about it are forgotten. Claims that are made again are listed again.",
        ]
    }
}
