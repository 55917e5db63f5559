import Evidence
import HTTPTypes
import InteractionStore
import OperatorText
import Pages

/// Places of beacons: what gateways claim, what is believed, and what operators decide.
extension PageService {
    /// Number of rows of each table. A claim has a form of its own.
    private static let mostClaims = 30
    private static let mostPlaces = 50
    private static let longestPlaceSearch = 100

    /// Lists the beacons of places and the claims that are not believed, as the command `places` does.
    func places(_ request: PageRequest) async throws -> PageAnswer { try await placesPage(request) }

    /// Assigns a beacon to the place of a receiver, after a confirmation.
    func acceptPlace(_ request: PageRequest) async throws -> PageAnswer {
        let typed = PlaceForm(request.form)
        guard let beacon = typed.beacon, let receiver = typed.receiver else {
            return try await placesPage(
                request,
                notice: Frame.Notice(
                    "Nothing was decided yet: correct what is marked under “Say where a beacon hangs”.",
                    isProblem: true), form: typed.shown, status: .unprocessableContent)
        }
        let entry = AuditEntry(
            at: request.now, account: try request.account(), action: .acceptedPlace, object: beacon, detail: receiver)
        let roster = configuration.attendance?.rosterFile
        guard request.isSure else {
            let isListed = try await api.work {
                try $0.ask(about: beacon, roster: PlaceList.badges(inRoster: roster), audit: entry)
            }
            guard isListed else { return try await refused(request) }
            return try await sure(beacon, at: receiver, request)
        }
        let seen = request.form["seen"].flatMap { Int64($0) }
        let decided = try await api.work {
            try $0.decide(
                .accepted(receiver: receiver), on: beacon, after: seen, roster: PlaceList.badges(inRoster: roster),
                audit: entry)
        }
        switch decided {
        case .done: return .redirect(PageRoute.places.path(done: .placeAccepted))
        case .notListed: return try await refused(request)
        case .changed(let present):
            let words = PlaceWords(days: configuration.days)
            return try await placesPage(
                request,
                notice: Frame.Notice(
                    "Somebody decided about \(beacon) in the meantime. \(words.sentence(present)) You have changed "
                        + "nothing.", isProblem: true), status: .conflict)
        }
    }

    /// Answers an operator who wants to accept a place for a beacon that the page does not list.
    private func refused(_ request: PageRequest) async throws -> PageAnswer {
        try await placesPage(
            request,
            notice: Frame.Notice(PlaceWords.notListed + " You have changed nothing.", isProblem: true),
            status: .conflict)
    }

    private func placeList(_ request: PageRequest) async throws -> PlaceList {
        let (rooms, roster, now) = (configuration.rooms, configuration.attendance?.rosterFile, request.now)
        return try await api.work { store in
            try PlaceList(store, rooms: rooms, roster: PlaceList.badges(inRoster: roster), now: now)
        }
    }

    /// Says what will happen to a beacon.
    private func sure(_ beacon: String, at receiver: String, _ request: PageRequest) async throws -> PageAnswer {
        let list = try await placeList(request)
        let gateways = try await statuses(now: request.now)
        let words = PlaceWords(days: configuration.days)
        let decision = list.decisions.first { $0.beacon == beacon }
        let gateway = PlaceClaimRule.gateway(receiver)
        var warnings = words.warnings(
            beacon, at: receiver, list, isKnown: gateways.contains { $0.path == gateway })
        if let revocation = gateways.first(where: { $0.path == gateway })?.revocation {
            let since = DayWords(days: configuration.days).time(revocation.since)
            warnings.append("Records of \(gateway) are not accepted since \(since).")
        }
        return page(
            SurePage(
                request.frame("Accept this place?", route: .gateways),
                facts: [
                    .init("Beacon", beacon), .init("Counts now", PlaceWords.place(of: beacon, list) ?? "at no place"),
                    .init("Decision now", words.sentence(decision)), .init("Will hang at", receiver),
                ], warnings: warnings, effects: PlaceWords.effects(at: receiver), path: PageRoute.acceptPlace.path,
                fields: [
                    .init(name: "beacon", value: beacon), .init(name: "receiver", value: receiver),
                    .init(name: "seen", value: decision.map { "\($0.since)" } ?? ""),
                ], button: "Accept the place", isDangerous: !warnings.isEmpty,
                back: SurePage.Back("Places of beacons", path: PageRoute.places.path)))
    }

    /// Shows the places.
    ///
    /// - Parameters:
    ///   - notice: what was just done, or why nothing was.
    ///   - form: what was typed, if it has to be corrected.
    private func placesPage(
        _ request: PageRequest, notice: Frame.Notice? = nil, form: PlacesPage.Form = .init(),
        status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        let list = try await placeList(request)
        let words = PlaceWords(days: configuration.days)
        let query = String((request.query["q"] ?? "").unicodeScalars.prefix(Self.longestPlaceSearch))
        let search = PlaceSearch(query)
        let claims = PlaceWords.claims(list).filter { search.finds($0) }
        let claimsPart = TablePart(asked: request.query["claims"], of: claims.count, most: Self.mostClaims)
        let beacons = PlaceWords.beacons(list).filter { search.finds($0) }
        let part = TablePart(asked: request.query["from"], of: beacons.count, most: Self.mostPlaces)
        func path(claims: Int, from: Int) -> String {
            PageRoute.places.path(["q": query, "claims": "\(claims)", "from": "\(from)"])
        }
        return page(
            PlacesPage(
                request.frame("Places of beacons", route: .gateways, notice: notice),
                query: query.isEmpty ? nil : query, claims: claims[claimsPart.range].map { words.claim($0) },
                claimsExtent: claimsPart.extent("Claims"),
                nextClaimsPath: claimsPart.next.map { path(claims: $0, from: part.range.lowerBound) },
                hidden: PlaceWords.hidden(list), rows: beacons[part.range].map { words.row($0) },
                extent: part.extent("Beacons"),
                nextPath: part.next.map { path(claims: claimsPart.range.lowerBound, from: $0) }, form: form),
            status: status)
    }
}

/// What somebody typed of the place of a beacon. Pure.
struct PlaceForm {
    private var typedBeacon: String
    private var typedReceiver: String

    init(_ fields: [String: String]) {
        typedBeacon = (fields["beacon"] ?? "").onOneLine
        typedReceiver = (fields["receiver"] ?? "").onOneLine
    }

    /// The beacon as in records; `nil` if it is none.
    var beacon: String? { MatcherConfiguration.beaconPlace(typedBeacon) }

    /// The receiver; `nil` if it is none.
    var receiver: String? { MatcherConfiguration.receiverPlace(typedReceiver) }

    /// The form with what is wrong in it.
    var shown: PlacesPage.Form {
        PlacesPage.Form(
            beacon: typedBeacon, receiver: typedReceiver,
            beaconMistake: beacon == nil ? "Write the UUID/MAJOR/MINOR of a beacon." : nil,
            receiverMistake: receiver == nil
                ? "Write SITE/BUILDING/FLOOR/GATEWAY, or with /RECEIVER after it; use a-z, 0-9 and -." : nil)
    }
}

/// Search among the places of beacons. Pure.
struct PlaceSearch {
    private var text: String

    init(_ text: String) { self.text = text.lowercased() }

    func finds(_ row: PlaceWords.ListedBeacon) -> Bool { isIn([row.beacon, row.receiver, row.room]) }

    func finds(_ claim: PlaceWords.ListedClaim) -> Bool { isIn([claim.receiver, claim.named, claim.counts]) }

    private func isIn(_ texts: [String]) -> Bool {
        text.isEmpty || texts.contains { $0.lowercased().contains(text) }
    }
}
