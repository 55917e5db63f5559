import FloorPlans
import Matching
import OperatorText
import RecordContract

/// A live position, for programs.
package struct LivePositionDocument: Encodable, Equatable, Sendable {
    /// Key of the subject: another one each day.
    package var key: String
    /// `KIND:ID`; omitted for readers who see no identities.
    package var subject: String?
    /// `room`, `between`, `floor` or `conflicting`.
    package var state: String
    package var room: String?
    /// The two rooms of the state `between`.
    package var rooms: [String]?
    package var probability: Double
    package var x: Double?
    package var y: Double?
    package var radius: Double?
    package var since: String
    package var heardAt: String

    /// Creates the document.
    ///
    /// - Parameters:
    ///   - clock: converts times of `LiveFloors` to seconds since 1970.
    package init(_ position: LivePosition, key: String, view: LiveAccess.View, clock: (Double) -> Int64) {
        self.key = key
        subject = view == .identities ? position.subject.description : nil
        state = position.place.state
        if case .room(let room) = position.place { self.room = room }
        if case .between(let rooms) = position.place { self.rooms = rooms }
        probability = rounded(position.probability, 100)
        x = position.position.map { rounded($0.x, 100) }
        y = position.position.map { rounded($0.y, 100) }
        radius = position.radius.map { rounded($0, 10) }
        since = InstantText.utc(clock(position.since))
        heardAt = InstantText.utc(clock(position.heardAt))
    }
}

/// All live positions on a floor, for programs.
package struct LiveSnapshotDocument: Encodable, Equatable, Sendable {
    /// `site/building/floor`.
    package var floor: String
    /// Whether receivers of the floor have sent signals in the last 15 s; else an empty floor means nothing.
    package var isHeard: Bool
    package var asOf: String
    package var positions: [LivePositionDocument]

    package init(floor: String, isHeard: Bool, now: Int64, positions: [LivePositionDocument]) {
        self.floor = floor
        self.isHeard = isHeard
        asOf = InstantText.utc(now)
        self.positions = positions
    }
}
