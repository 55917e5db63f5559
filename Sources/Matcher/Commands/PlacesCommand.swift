import ArgumentParser
import BeaconModel
import CommandSupport
import Evidence
import InteractionStore
import MatcherDaemon
import Matching
import OperatorText
import RecordContract
import SystemIO

struct PlacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "Shows and decides which beacons are mounted where.",
        discussion: """
            A beacon that is mounted at a place never counts as exposed, so claims of gateways are checked. The first \
            gateway that names a beacon gets it. A claim that contradicts this, or contradicts what was received, is \
            listed here and rejected; what that gateway receives is still stored, at a place of its own. A room in \
            [[rooms]] without places is on the floor of the gateway that named it first.
            """,
        subcommands: [
            PlacesListCommand.self, PlacesAcceptCommand.self, PlacesDenyCommand.self, PlacesResetCommand.self,
        ], defaultSubcommand: PlacesListCommand.self)

    /// Reads a beacon, `uuid/major/minor` as in records.
    static func beacon(_ text: String) throws -> String {
        guard let beacon = MatcherConfiguration.beaconPlace(text) else {
            throw ValidationError("must be the UUID/MAJOR/MINOR of a beacon")
        }
        return beacon
    }
}

struct PlacesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the beacons of all places, and the claims of beacons and rooms that are not accepted.")

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: StoreOptions

    /// A line of `--json`.
    private struct Document: Encodable {
        /// The beacon; omitted for a room.
        var beacon: String?
        var receiver: String?
        var room: String?
        /// Floor, `site/building/floor`, to which a room belongs that a receiver of another floor names.
        var floor: String?
        /// State of the entry: `configuration`, `accepted`, `claimed`, `denied` or `refused`.
        var state: String
        /// Whether a gateway alone determines the place of a beacon in the configuration; omitted for other beacons.
        var isClaimed: Bool?
        /// Reason for a refusal.
        var reason: String?
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let list = try PlaceList(store, rooms: configuration.rooms)
            let (places, refused, denied, rooms) = (list.places, list.refused, list.denied, list.rooms)
            if json {
                var documents =
                    places.map {
                        Document(
                            beacon: $0.beacon, receiver: $0.receiver, room: $0.room, state: $0.basis.rawValue,
                            isClaimed: $0.basis == .configuration ? $0.isClaimed : nil)
                    } + denied.map { Document(beacon: $0, state: "denied") }
                    + refused.map {
                        Document(
                            beacon: $0.claim.beacon, receiver: $0.claim.receiver, state: "refused",
                            reason: $0.claim.reason.rawValue)
                    }
                for claims in rooms {
                    documents += claims.refused.map {
                        Document(
                            receiver: $0, room: claims.room, floor: claims.floor, state: "refused",
                            reason: PlaceClaimRefusal.Reason.ofAnother.rawValue)
                    }
                }
                for document in documents { try Terminal.print(JSON.encode(document)) }
                return
            }
            var table = TextTable([("BEACON", .left), ("AT", .left), ("ROOM", .left), ("BY", .left)])
            for place in places {
                let basis =
                    place.basis == .configuration && place.isClaimed
                    ? "configuration, claimed" : place.basis.rawValue
                table.add([place.beacon, place.receiver ?? "", place.room ?? "", basis])
            }
            for beacon in denied { table.add([beacon, "", "", "denied"]) }
            if !places.isEmpty || !denied.isEmpty {
                try Terminal.print(table)
            }
            for one in refused {
                Terminal.note(
                    "rejected since \(configuration.days.text(one.since)): \(one.claim.receiver) names "
                        + "\(one.claim.beacon): \(one.claim.reason.text)")
            }
            for claims in rooms {
                for receiver in claims.refused {
                    Terminal.note(
                        "rejected: \(receiver) names room \(claims.room), which \(claims.floor ?? "-") had named first")
                }
            }
            if !rooms.isEmpty {
                Terminal.note("if such a room is on another floor, list its places or beacons in [[rooms]]")
            }
            if !refused.isEmpty {
                Terminal.note(
                    "accept a correct claim with: beacon-matcher places accept UUID/MAJOR/MINOR RECEIVER; a wrong "
                        + "claim may come from a gateway that was tampered with: beacon-matcher gateways revoke "
                        + "GATEWAY")
            }
        }
    }
}

struct PlacesAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Assigns a beacon to the place of a receiver, whatever others claim.")

    @Argument(help: "UUID/MAJOR/MINOR.", transform: PlacesCommand.beacon)
    var beacon: String

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY, or with /RECEIVER after it.", transform: Self.receiver)
    var receiver: String

    @OptionGroup var options: StoreOptions

    private static func receiver(_ text: String) throws -> String {
        guard let receiver = MatcherConfiguration.receiverPlace(text) else {
            throw ValidationError("must be SITE/BUILDING/FLOOR/GATEWAY, or with /RECEIVER after it")
        }
        return receiver
    }

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            try store.decide(
                .accepted(receiver: receiver), on: beacon, now: WallClock.now().microseconds / 1_000_000,
                audit: CommandAudit.entry(.acceptedPlace, beacon, detail: "mounted at \(receiver)"))
            try Terminal.print("\(beacon) is mounted at \(receiver), from its next record on")
        }
    }
}

struct PlacesDenyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Declares that a beacon is carried, not mounted.")

    @Argument(help: "UUID/MAJOR/MINOR.", transform: PlacesCommand.beacon)
    var beacon: String

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            if configuration.fixedBeacons.keys.contains(beacon) { throw ConfiguredBeaconDenied(beacon: beacon) }
            let store = try configuration.openStore(creating: false)
            let now = WallClock.now().microseconds / 1_000_000
            try store.decide(
                .denied, on: beacon, now: now,
                audit: CommandAudit.entry(.decidedBeacon, beacon, detail: "carried, not mounted"))
            // While the beacon counted as a place's, it was not compared with any subject.
            let badge = SubjectIdentity(kind: SubjectIdentity.badge, id: beacon)
            let blocks = try badge.map { try store.settledBlocks(heardOf: $0) } ?? []
            for (index, block) in blocks.enumerated() {
                Terminal.progress("comparing its records: \(100 * index / blocks.count) %")
                if let badge { try store.compareAnew(badge, in: block, now: now) }
            }
            Terminal.progress(nil)
            try Terminal.print(
                "\(beacon) is not mounted at any place, whatever gateways claim"
                    + (blocks.isEmpty ? "" : "; its records were compared anew in \(blocks.count) quarters of an hour"))
        }
    }
}

struct PlacesResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Forgets all decisions and claims about a beacon.")

    @Argument(help: "UUID/MAJOR/MINOR.", transform: PlacesCommand.beacon)
    var beacon: String

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            try store.decide(
                .undecided, on: beacon, now: WallClock.now().microseconds / 1_000_000,
                audit: CommandAudit.entry(.decidedBeacon, beacon, detail: "claims of gateways decide"))
            try Terminal.print("\(beacon): the next claims of gateways decide")
        }
    }
}

private struct ConfiguredBeaconDenied: OperatorError {
    var beacon: String

    var what: String { "the configuration declares \(beacon) as mounted" }
    var meaning: String? { "nothing was changed" }
    var remedy: String? { "remove it from [[rooms]] and [[neighbours]] first" }
    var exitStatus: BeaconModel.ExitStatus { .configuration }
}
