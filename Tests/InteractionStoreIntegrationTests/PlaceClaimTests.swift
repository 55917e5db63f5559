import Evidence
import Matching
import RecordContract
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import BeaconModel
@testable import EvidenceTests
@testable import InteractionStore

@Suite("Claims of places' beacons", .timeLimit(.minutes(10))) struct PlaceClaimTests {
    private let now = morning + 4 * 3600
    private let victim = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"

    private var badge: SubjectIdentity {
        get throws { try #require(SubjectIdentity(kind: "badge", id: victim)) }
    }

    // One record was enough: the badge counted as a beacon that hangs there, and its exposures vanished.
    @Test(arguments: Backend.installed)
    func `A gateway that names somebody's badge as its own beacon hides nobody`(backend: Backend) async throws {
        try await backend.withStore { store in
            let gateways = ["campus/main/1/east", "campus/main/1/west"]
            _ = try store.store(
                try gateways.enumerated().map { index, gateway in
                    try heard(1, badge, by: gateway, 0...(60 + Int64(index)))
                }, now: now)
            let lie = try heard(2, phone("ann"), by: "campus/main/2/thief", beacon: victim, 120...121)
            let outcome = try store.store([lie], now: now)
            #expect(outcome.stored == 1)
            #expect(
                outcome.refusedClaims == [
                    .init(beacon: victim, receiver: "campus/main/2/thief", reason: .heardElsewhere)
                ])
            #expect(try store.fixedBeacons(since: 0).isEmpty)
            #expect(try store.fixedSubjects().isEmpty)
            // What it heard is at a place of its own, and the claim is shown.
            #expect(try store.refusedClaims().map(\.claim) == Array(outcome.refusedClaims))
            let erasure = try store.erase(badge, now: now)
            #expect(erasure.isComplete && erasure.interactions == 2)
        }
    }

    // It was believed when its claim began, and a gateway of the same floor hears what its neighbours hear.
    @Test(arguments: Backend.installed)
    func `A gateway that dates its claim back hides no badge that its floor has heard for long`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let now = now + 3 * 86_400
            let (thief, remote) = ("campus/main/1/thief", "campus/main/1/thief/ear")
            _ = try store.store([heard(1, badge, by: "campus/main/1/east", 100...160)], now: now)
            _ = try store.store([heard(1, phone("ann"), by: remote, 1700...1701)], now: now)
            let lie = try store.store([heard(2, phone("ann"), by: thief, beacon: victim, 90...91)], now: now)
            #expect(lie.refusedClaims.map(\.reason) == [.heardElsewhere])
            #expect(try store.fixedBeacons(since: 0).isEmpty)
        }
    }

    // It said once that it heard the beacon at its own place, and once at that of its neighbour: that were two gateways.
    @Test(arguments: Backend.installed)
    func `A gateway that tells of another's place as well is one gateway`(backend: Backend) async throws {
        try await backend.withStore { store in
            let beacon = try #require(room.beacon)
            let badge = try #require(SubjectIdentity(kind: "badge", id: beacon))
            let (owner, thief) = ("campus/main/3/east", "campus/main/2/thief")
            func claim(_ sequence: UInt64, _ minutes: ClosedRange<Int64>, day: Int64) throws -> [PlaceClaimRefusal] {
                let record = try heard(sequence, phone("ann"), by: owner, beacon: beacon, minutes)
                return Array(try store.store([record], now: now + day * 86_400).refusedClaims)
            }
            #expect(try claim(1, 0...10, day: 0).isEmpty)
            let own = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/2/1"
            _ = try store.store(
                [heard(1, phone("ben"), by: "campus/main/2/honest", beacon: own, 0...10)], now: now)
            let lies = try [heard(1, badge, by: thief, 0...10), heard(2, badge, by: thief, beacon: own, 0...10)]
            _ = try store.store(lies, now: now)
            #expect(try claim(2, 20...30, day: 5).isEmpty)
            #expect(try store.placeBeacons().first { $0.beacon == beacon }.map { try store.isRefuted($0) } == false)
        }
    }

    // The row had moved with all that was ever heard there: whoever was in a lecture on one floor was on the other.
    @Test(arguments: Backend.installed)
    func `What was heard at a beacon stays on its floor when the beacon moves to another`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let beacon = try #require(room.beacon)
            let (before, after) = ("campus/main/3/east", "campus/main/2/west")
            _ = try store.store([heard(1, phone("ann"), by: before, beacon: beacon, 0...10)], now: now)
            try store.decide(.accepted(receiver: after), on: beacon, now: now)
            _ = try store.store([heard(1, phone("ben"), by: after, beacon: beacon, 0...10)], now: now)
            let ann = try #require(try store.numbers(of: [phone("ann")]).values.first)
            #expect(
                try store.encounters(of: [.init(subject: ann, since: morning, until: now)], rule: anywhere).isEmpty)
            #expect(try store.placeBeacons().map(\.receiver) == [after])
        }
    }

    // Records that waited for the broker come late, and in order.
    @Test(arguments: Backend.installed)
    func `A beacon that was put up during an outage is believed when its gateway tells of it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let now = now + 3 * 86_400
            let gateway = "campus/main/1/late"
            _ = try store.store([heard(1, phone("ann"), by: gateway, 0...1)], now: now)
            _ = try store.store([heard(1, badge, by: "campus/main/1/east", 100...4000)], now: now)
            let claim = try store.store([heard(2, phone("ann"), by: gateway, beacon: victim, 90...91)], now: now)
            #expect(claim.refusedClaims.isEmpty)
        }
    }

    // Else a stolen gateway could make a person of any place's beacon.
    @Test(arguments: Backend.installed)
    func `One gateway of another building takes no place's beacon away, and two do`(backend: Backend) async throws {
        try await backend.withStore { store in
            let beacon = try #require(room.beacon)
            let badge = try #require(SubjectIdentity(kind: "badge", id: beacon))
            func claim(_ sequence: UInt64, _ minutes: ClosedRange<Int64>, day: Int64) throws -> [PlaceClaimRefusal] {
                let record = try heard(sequence, phone("ann"), by: "campus/main/1/east", beacon: beacon, minutes)
                // The store asks again after some days.
                return Array(try store.store([record], now: now + day * 86_400).refusedClaims)
            }
            #expect(try claim(1, 0...10, day: 0).isEmpty)
            _ = try store.store([heard(1, badge, by: "campus/other/1/thief", 0...10)], now: now)
            #expect(try claim(2, 20...30, day: 5).isEmpty)
            #expect(try store.fixedBeacons(since: 0) == [badge])
            _ = try store.store([heard(1, badge, by: "campus/third/1/a", 0...10)], now: now)
            #expect(try claim(3, 40...50, day: 10).map(\.reason) == [.heardElsewhere])
            #expect(try store.fixedBeacons(since: 0).isEmpty)
        }
    }

    // A file that is imported is one batch.
    @Test(arguments: Backend.installed)
    func `What the same batch says of a badge counts, in whatever order`(backend: Backend) async throws {
        for isFirst in [true, false] {
            try await backend.withStore { store in
                let lie = try heard(2, phone("ann"), by: "campus/main/2/thief", beacon: victim, 120...121)
                let truth = try heard(1, badge, by: "campus/main/1/east", 0...60)
                let outcome = try store.store(isFirst ? [lie, truth] : [truth, lie], now: now)
                #expect(outcome.stored == 2 && outcome.refusedClaims.map(\.reason) == [.heardElsewhere])
                #expect(try store.fixedBeacons(since: 0).isEmpty)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A place stays with the gateway that had it first, until an operator decides otherwise`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let beacon = try #require(room.beacon)
            let (owner, other) = ("campus/main/1/east", "campus/main/2/thief")
            _ = try store.store([heard(1, phone("ann"), by: owner, beacon: beacon, 0...10)], now: now)
            let outcome = try store.store([heard(1, phone("ben"), by: other, beacon: beacon, 0...10)], now: now)
            #expect(outcome.stored == 1 && outcome.refusedClaims.map(\.reason) == [.ofAnother])
            #expect(try store.placeBeacons().map(\.receiver) == [owner])
            #expect(try store.placeBeacons().map(\.room) == ["room of \(owner)"])
            // They weren't at the same place.
            let ann = try #require(try store.numbers(of: [phone("ann")]).values.first)
            #expect(
                try store.encounters(of: [.init(subject: ann, since: morning, until: now)], rule: anywhere).isEmpty)
            try store.decide(.accepted(receiver: other), on: beacon, now: now)
            let accepted = try store.store([heard(2, phone("ben"), by: other, beacon: beacon, 20...30)], now: now)
            #expect(accepted.refusedClaims.isEmpty)
            #expect(try store.placeBeacons().map(\.receiver) == [other])
            #expect(try store.placeBeacons().map(\.basis) == [.accepted])
            let back = try store.store([heard(2, phone("ann"), by: owner, beacon: beacon, 20...30)], now: now)
            #expect(back.refusedClaims.map(\.reason) == [.ofAnother])
            try store.decide(.denied, on: beacon, now: now)
            let denied = try store.store([heard(3, phone("ben"), by: other, beacon: beacon, 40...50)], now: now)
            #expect(denied.stored == 1 && denied.refusedClaims.map(\.reason) == [.denied])
            #expect(try store.placeBeacons().isEmpty)
            #expect(try store.placeDecisions().map(\.decision) == [.denied])
        }
    }

    @Test(arguments: Backend.installed)
    func `Of two that name a beacon in one batch the first has it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let beacon = try #require(room.beacon)
            let outcome = try store.store(
                [
                    heard(1, phone("ann"), by: "campus/main/1/east", beacon: beacon, 0...10),
                    heard(1, phone("ben"), by: "campus/main/2/thief", beacon: beacon, 0...10),
                    heard(1, phone("cleo"), by: "campus/main/1/west", beacon: beacon, 0...10),
                ], now: now)
            #expect(outcome.stored == 3)
            #expect(outcome.refusedClaims.map(\.receiver) == ["campus/main/2/thief"])
            #expect(try store.placeBeacons().map(\.receiver) == ["campus/main/1/east"])
        }
    }

    // A stolen gateway filled that room with people, and had phones refused that were there.
    @Test(arguments: Backend.installed)
    func `A beacon that the configuration alone names is no gateway's of a floor that doesn't hear it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try store.setFixedBeacons([victim: "Lab 4.01"], now: now)
            _ = try store.store([heard(1, badge, by: "campus/main/4/above", 0...60)], now: now)
            let lie = try heard(1, phone("ann"), by: "campus/main/3/thief", beacon: victim, 120...121)
            #expect(try store.store([lie], now: now).refusedClaims.map(\.reason) == [.heardElsewhere])
            #expect(try store.placeBeacons().map(\.receiver) == [nil])
            // Its own floor's gateway has it, and that it does is the gateway's word.
            let truth = try heard(1, phone("ann"), by: "campus/main/4/west", beacon: victim, 120...121)
            #expect(try store.store([truth], now: now).refusedClaims.isEmpty)
            let place = try #require(try store.placeBeacons().first)
            #expect(place.receiver == "campus/main/4/west" && place.basis == .configuration && place.isClaimed)
        }
    }

    // For as long as interactions are kept its carrier had been exposed to nobody.
    @Test(arguments: Backend.installed)
    func `A badge that the configuration named by mistake is one again, and a gateway's own beacon stays fixed`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let other = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"
            _ = try store.store(
                [
                    heard(1, badge, by: "campus/main/1/east", 0...60),
                    heard(2, phone("ann"), by: "campus/main/1/east", beacon: other, 0...60),
                ], now: now)
            func isFixed() throws -> [Bool] {
                let names = try [badge, #require(SubjectIdentity(kind: "badge", id: other))]
                let fixed = try store.fixedBeacons(among: names)
                return names.map(fixed.contains)
            }
            #expect(try isFixed() == [false, true])
            try store.setFixedBeacons([victim: "Lab 4.01", other: nil], now: now)
            #expect(try isFixed() == [true, true])
            try store.setFixedBeacons([:], now: now)
            #expect(try isFixed() == [false, true])
            #expect(try store.fixedSubjects().isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `A gateway can't hide many by naming one after the other`(backend: Backend) async throws {
        try await backend.withStore { store in
            let thief = "campus/main/2/thief"
            let lies = try (1...40).map { number in
                try heard(
                    UInt64(number), phone("ann"), by: thief, beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/\(number)",
                    0...Int64(number))
            }
            let outcome = try store.store(lies, now: now)
            #expect(outcome.refusedClaims.count == 39)
            #expect(try store.placeBeacons().count == 1)
        }
    }

    // What wasn't named for eight days is still fixed for who asks about the days before.
    @Test(arguments: Backend.installed)
    func `A gateway has 32 beacons at any time, also when it names others later`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (major, day) in [(8, Int64(0)), (9, 10)] {
                let claims = try (1...40).map { number in
                    let start = day * 1440 + Int64(number)
                    return try heard(
                        UInt64(major * 100 + number), phone("ann"), by: "campus/main/2/thief/\(major)-\(number)",
                        beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/\(major)/\(number)", start...start + 1)
                }
                let refused = try store.store(claims, now: now + day * 86_400).refusedClaims
                #expect(refused.count == (day == 0 ? 8 : 40) && Set(refused.map(\.reason)) == [.tooMany])
                #expect(try store.fixedBeacons(since: now).count == 32)
                #expect(try store.placeBeacons().count == 32)
            }
        }
    }

    // The one who claims says since when: any time of the last days was believed.
    @Test(arguments: Backend.installed)
    func `A claim of long ago of what gateways of other floors hear near them isn't believed`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let gateways = ["campus/main/1/east", "campus/main/2/west"]
            _ = try store.store(try gateways.map { try heard(1, badge, by: $0, 120...180) }, now: now)
            let lie = try heard(2, phone("ann"), by: "campus/main/3/thief", beacon: victim, -4000 ... -3999)
            #expect(try store.store([lie], now: now).refusedClaims.map(\.reason) == [.heardElsewhere])
            #expect(try store.fixedBeacons(since: 0).isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func
        `A badge that was claimed before anybody had heard it is one again once two gateways of other floors hear it near`(
            backend: Backend
        ) async throws
    {
        try await backend.withStore { store in
            let claim = try heard(1, phone("ann"), by: "campus/main/3/thief", beacon: victim, 0...10)
            #expect(try store.store([claim], now: now).refusedClaims.isEmpty)
            func isRefuted() throws -> Bool {
                let places = try store.placeBeacons()
                #expect(places.map(\.basis) == [.claimed])
                return try store.isRefuted(try #require(places.first))
            }
            // Its own floor says nothing against it, nor does one gateway of another.
            _ = try store.store(
                ["campus/main/3/west", "campus/main/3/east", "campus/main/1/east"].map {
                    try heard(1, badge, by: $0, 20...30)
                }, now: now)
            #expect(try !isRefuted())
            _ = try store.store([try heard(1, badge, by: "campus/main/2/west", 40...50)], now: now)
            #expect(try isRefuted())
            try store.withdrawClaim(try #require(try store.placeBeacons().first), now: now)
            #expect(try store.fixedBeacons(since: 0).isEmpty && store.fixedSubjects().isEmpty)
            #expect(try store.refusedClaims().map(\.claim.reason) == [.heardElsewhere])
            // Nor is it believed again.
            let again = try heard(2, phone("ann"), by: "campus/main/3/thief", beacon: victim, 60...70)
            #expect(try store.store([again], now: now + 5 * 86_400).refusedClaims.map(\.reason) == [.heardElsewhere])
        }
    }
}
