/// Beacons of places, the claims to them that are not believed, and the form that accepts one.
package struct PlacesPage: PageContent {
    package static let template = PageTemplate.places
    package var frame: Frame
    /// Text that was searched for; `nil` if all is listed.
    package var query: String?
    package var claims: [Claim]
    /// Sentence with the number of claims, and which of them are shown.
    package var claimsExtent: String
    /// Path of the next part of the claims; `nil` if this is the last.
    package var nextClaimsPath: String?
    /// How many beacons are not shown, and why; `nil` if all are shown.
    package var hidden: String?
    package var rows: [Row]
    /// Sentence with the number of beacons, and which of them are shown.
    package var extent: String
    /// Path of the next part of the beacons; `nil` if this is the last.
    package var nextPath: String?
    package var form: Form

    /// Claim of a receiver that is not believed.
    package struct Claim: Equatable, Sendable {
        package var receiver: String
        /// The beacon or the room that it names.
        package var named: String
        /// The beacon, if its claim can be accepted here; `nil` for a room, and for a beacon that a person may carry.
        package var beacon: String?
        /// Place of the beacon or the floor of the room as it counts now.
        package var counts: String
        /// Reason for which the claim is not believed.
        package var reason: String
        /// Local time since which the claim is made.
        package var since: String
        /// What to do about a claim that cannot be accepted here.
        package var advice: String

        package init(
            receiver: String, named: String, beacon: String?, counts: String, reason: String, since: String,
            advice: String = ""
        ) {
            self.receiver = receiver
            self.named = named
            self.beacon = beacon
            self.counts = counts
            self.reason = reason
            self.since = since
            self.advice = advice
        }
    }

    package struct Row: Equatable, Sendable {
        package var beacon: String
        package var receiver: String
        package var room: String
        package var state: StateTag
        /// Time of an operator's decision, and who made it.
        package var decided: String

        package init(beacon: String, receiver: String, room: String, state: StateTag, decided: String) {
            self.beacon = beacon
            self.receiver = receiver
            self.room = room
            self.state = state
            self.decided = decided
        }
    }

    /// What was typed of a decision.
    package struct Form: Equatable, Sendable {
        package var beacon: String
        package var receiver: String
        package var beaconMistake: String?
        package var receiverMistake: String?

        package init(
            beacon: String = "", receiver: String = "", beaconMistake: String? = nil, receiverMistake: String? = nil
        ) {
            self.beacon = beacon
            self.receiver = receiver
            self.beaconMistake = beaconMistake
            self.receiverMistake = receiverMistake
        }
    }

    package init(
        _ frame: Frame, query: String?, claims: [Claim], claimsExtent: String, nextClaimsPath: String?,
        hidden: String?, rows: [Row], extent: String, nextPath: String?, form: Form
    ) {
        self.frame = frame
        self.query = query
        self.claims = claims
        self.claimsExtent = claimsExtent
        self.nextClaimsPath = nextClaimsPath
        self.hidden = hidden
        self.rows = rows
        self.extent = extent
        self.nextPath = nextPath
        self.form = form
    }
}
