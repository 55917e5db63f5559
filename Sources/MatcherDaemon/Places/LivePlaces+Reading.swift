import BeaconModel
import Evidence
import FloorPlans
import Localisation
import MatcherCore
import Matching
import OperatorText
import SystemIO

// What pages and the API ask for, without changing anything.
extension LivePlaces {
    /// Time within which a receiver is heard, in seconds. Quiet ones send every 10 s.
    private static let hearing = 15.0

    /// Returns which receivers and modules of a floor work; `nil` if live is off or there is no such floor.
    func state(of floor: String) -> FloorStateDocument? {
        guard let floors, settings?.plans.contains(where: { $0.path == floor }) == true else { return nil }
        let now = clock.seconds()
        let receivers = floors.receivers(on: floor, since: now - Self.hearing).map {
            FloorStateDocument.Receiver(path: $0.path, isHeard: $0.isHeard == true)
        }
        let isSilent = !receivers.contains(where: \.isHeard)
        return FloorStateDocument(
            asOf: InstantText.utc(WallClock.now().microseconds / 1_000_000),
            isHeard: floors.isHeard(floor, now: now),
            heardAt: isSilent ? floors.spokeAt(on: floor).map { InstantText.utc(clock.wallTime(of: $0)) } : nil,
            receivers: receivers, modules: FloorStateDocument.Module.modules(on: floor, facts()))
    }

    /// Numbers of subjects on each floor that has any; `nil` while live is off.
    var counts: [String: Int]? {
        floors.map { floors in
            floors.positions.reduce(into: [String: Int]()) { $0[$1.floor, default: 0] += 1 }
        }
    }

    /// Returns where a subject is; `nil` if it is not heard or not followed.
    func location(of subject: SubjectIdentity) -> LocationDocument? {
        floors?.position(of: subject).map { LocationDocument($0, clock: clock.wallTime) }
    }

    /// Returns whether live positions on a floor are corrected by a survey.
    func isSurveyed(_ floor: String) -> Bool { floors?.isSurveyed(floor) ?? false }

    /// What became of the surveys of buildings, in the order of their paths; empty while live is off or no model is built.
    var surveys: [SurveyFindings] { findings.sorted { $0.key < $1.key }.map(\.value) }

    /// Returns the levels at which receivers are expected to hear beacons of the reference power at others, in dBm; `nil`
    /// where that is not known, as while live is off.
    func expected(_ links: [(site: String, receiver: String)]) -> [Double?] {
        links.map { floors?.expected(ofBeaconAt: $0.site, by: $0.receiver) }
    }

    /// Returns the model of the building of a floor; `nil` if there is none yet, as while live is off.
    func model(of floor: String) -> BuildingModel? { floors?.model(of: floor) }

    /// Returns the receivers of a floor.
    func receivers(on floor: String) -> [FloorDocument.Receiver] {
        guard let floors else {
            return positions.filter { $0.path.hasPrefix(floor + "/") }.map {
                .init(path: $0.path, position: $0.position, room: $0.room, isHeard: nil)
            }
        }
        return floors.receivers(on: floor, since: clock.seconds() - Self.hearing)
    }

    /// Returns who may be where on the floors with a plan whose receivers listen.
    ///
    /// - Parameter kinds: kinds of subjects that count; all if empty.
    func presence(kinds: Set<String>) -> [(plan: FloorPlan, presence: FloorPresence)] {
        floors?.presences(kinds: kinds, now: clock.seconds()) ?? []
    }
}
