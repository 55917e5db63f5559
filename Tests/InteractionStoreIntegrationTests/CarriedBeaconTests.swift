import Evidence
import Matching
import People
import SignIn
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("Beacons that a person may carry", .timeLimit(.minutes(10))) struct CarriedBeaconTests {
    /// How it is known that a person may carry the beacon.
    enum Knowledge: CaseIterable {
        case register
        case report
        case refusedElsewhere
        case refusedAsOfPerson
        case denied
        case erased
        case roster
        case waitingList
        case heardElsewhere
    }

    private static let beacon = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"
    /// A beacon that hangs.
    private static let mounted = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1"
    private static let east = "campus/main/1/east"
    private let now = morning + 4 * 3600

    private var badge: SubjectIdentity {
        get throws { try #require(SubjectIdentity(kind: "badge", id: Self.beacon)) }
    }

    private var entry: AuditEntry {
        AuditEntry(
            at: now, account: Account(issuer: "i", subject: "olga", name: "Olga", roles: [.operator]),
            action: .acceptedPlace, object: Self.beacon, detail: Self.east)
    }

    private func report(_ store: InteractionStore) throws {
        _ = try store.add(
            PositiveReport(
                reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                subjects: [.init(identity: badge, since: 0, until: morning)], entries: []))
    }

    /// Has a gateway name a beacon, and then another one: only the first is believed.
    private func claim(_ store: InteractionStore) throws {
        _ = try store.store([heard(1, phone("ann"), by: Self.east, beacon: Self.mounted, 0...10)], now: now)
        let second = try store.store([heard(2, phone("ann"), by: Self.east, beacon: Self.beacon, 20...30)], now: now)
        #expect(second.refusedClaims.map(\.reason) == [.another])
    }

    private func prepare(_ store: InteractionStore, _ knowledge: Knowledge) throws {
        // Another receiver than the one of the decision.
        let west = "campus/main/2/west"
        switch knowledge {
        case .register:
            let ann = try Person(number: "17", name: "Ann", subjects: [badge])
            _ = try store.importPeople([ann], keepsOthers: false, isTrial: false)
        case .report: try report(store)
        case .refusedElsewhere:
            let place = InteractionStore.PlaceBeacon(
                beacon: Self.beacon, receiver: west, room: nil, basis: .claimed, isClaimed: true)
            try store.withdrawClaim(place, now: now)
        case .refusedAsOfPerson:
            try report(store)
            let outcome = try store.store([heard(1, phone("ann"), by: west, beacon: Self.beacon, 0...10)], now: now)
            #expect(outcome.refusedClaims.map(\.reason) == [.ofPerson])
            _ = try store.withdraw(report: "r")
            // The audit of that is not what these tests are about.
            try store.removeAudit(before: .max)
        case .denied: try store.decide(.denied, on: Self.beacon, now: now)
        case .erased: _ = try store.erase(badge, now: now)
        case .roster:
            let text = "course,student,subject\nA,s1,badge:\(Self.beacon.uppercased())\n"
            let file = UploadedFile(.roster, name: "a", content: text, by: "Lea", at: now)
            #expect(try store.save([file], audit: []))
        case .waitingList:
            try store.keepPending(
                people: "number,name,subjects\n17,Ann,badge:\(Self.beacon)\n", session: "s", by: "Olga", now: now)
        case .heardElsewhere: _ = try store.store([heard(1, badge, by: west, 40...50)], now: now)
        }
    }

    private func carried(_ store: InteractionStore, roster: Set<String>? = []) throws -> Set<String> {
        try store.shownClaims(roster: roster, now: now).carried
    }

    private func accept(
        _ store: InteractionStore, _ beacon: String = beacon, after seen: Int64? = nil, audit: AuditEntry? = nil
    ) throws -> InteractionStore.PlaceDecided {
        try store.decide(.accepted(receiver: Self.east), on: beacon, after: seen, audit: audit ?? entry)
    }

    private func actions(_ store: InteractionStore) throws -> [AuditEntry.Action] {
        try store.audit(limit: 10).map { $0.entry.action }
    }

    // An operator could take anybody out of the search for contacts.
    @Test(arguments: Backend.installed, Knowledge.allCases)
    func `The page decides nothing about them, tells never why, and the audit has who tried`(
        backend: Backend, knowledge: Knowledge
    ) async throws {
        try await backend.withStore { store in
            try claim(store)
            #expect(try carried(store).isEmpty)
            try prepare(store, knowledge)
            let before = try store.placeDecisions()
            #expect(try carried(store) == Set(store.refusedClaims().map(\.claim.beacon)))
            #expect(try !store.ask(about: Self.beacon, audit: entry))
            for seen in [nil, now] { #expect(try accept(store, after: seen) == .notListed) }
            #expect(try store.placeDecisions() == before)
            let tried = try store.audit(limit: 10).map { $0.entry }
            #expect(tried.map(\.action) == [.triedPlace, .triedPlace, .triedPlace])
            let object = knowledge == .erased ? AuditEntry.erased : Self.beacon
            #expect(tried.allSatisfy { $0.object == object && $0.name == "Olga" && $0.at == now })
            // Whoever may see badges decides.
            try store.decide(.accepted(receiver: Self.east), on: Self.beacon, now: now + 1)
            #expect(try store.placeDecisions().map(\.decision) == [.accepted(receiver: Self.east)])
        }
    }

    // "May be carried" told that a badge was in a report, and the question that it was not.
    @Test(arguments: Backend.installed)
    func `A beacon that nobody has heard gets the same answer`(backend: Backend) async throws {
        try await backend.withStore { store throws in
            #expect(try !store.ask(about: Self.beacon, audit: entry))
            #expect(try accept(store) == .notListed)
            #expect(try actions(store) == [.triedPlace, .triedPlace])
        }
    }

    @Test(arguments: Backend.installed)
    func `A claim that is shown is accepted, and the audit has the question and the decision`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try claim(store)
            #expect(try store.ask(about: Self.beacon, audit: entry))
            #expect(try accept(store) == .done)
            #expect(try actions(store) == [.acceptedPlace, .askedPlace])
        }
    }

    @Test(arguments: Backend.installed)
    func `A person who is entered between the question and the decision is not hidden`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try claim(store)
            #expect(try store.ask(about: Self.beacon, audit: entry))
            try prepare(store, .register)
            #expect(try accept(store) == .notListed)
            #expect(try actions(store) == [.triedPlace, .askedPlace])
        }
    }

    // It is nobody's badge already, and another answer would tell what reports and the register say.
    @Test(arguments: Backend.installed)
    func `A beacon that hangs is moved, whatever reports and the register say`(backend: Backend) async throws {
        try await backend.withStore { store in
            try claim(store)
            let badge = try #require(SubjectIdentity(kind: "badge", id: Self.mounted))
            let ann = Person(number: "17", name: "Ann", subjects: [badge])
            _ = try store.importPeople([ann], keepsOthers: false, isTrial: false)
            #expect(try store.ask(about: Self.mounted, audit: entry))
            #expect(try accept(store, Self.mounted) == .done)
        }
    }

    @Test(arguments: Backend.installed)
    func `A badge in the roster of the configuration is not shown, and none if it cannot be read`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try claim(store)
            for roster in [[Self.beacon, Self.mounted], nil] as [Set<String>?] {
                #expect(try carried(store, roster: roster) == [Self.beacon])
                #expect(try !store.ask(about: Self.beacon, roster: roster, audit: entry))
            }
            #expect(try carried(store, roster: [Self.mounted]).isEmpty)
        }
    }

    // A neighbour hears a beacon from the moment it is put up.
    @Test(arguments: Backend.installed)
    func `A beacon that a neighbour began to hear in the last hour is shown`(backend: Backend) async throws {
        try await backend.withStore { store in
            try claim(store)
            _ = try store.store([heard(1, badge, by: "campus/main/1/west", 200...210)], now: now)
            #expect(try carried(store).isEmpty)
            #expect(try store.shownClaims(roster: [], now: now + 3600).carried == [Self.beacon])
        }
    }

    @Test(arguments: Backend.installed)
    func `A double click has decided once, and a later or another account's decision has not`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try claim(store)
            #expect(try accept(store) == .done)
            #expect(try accept(store) == .done)
            let present = try store.placeDecisions().first
            var other = entry
            other.name = "Otto"
            #expect(try accept(store, audit: other) == .changed(present))
            var late = entry
            late.at += 61
            #expect(try accept(store, audit: late) == .changed(present))
            #expect(try actions(store) == [.triedPlace, .triedPlace, .triedPlace, .acceptedPlace])
        }
    }
}
