import HTTPTypes
import InteractionStore
import MatcherCore
import OperatorText
import Pages

/// Gateways, with what is wrong with them.
extension PageService {
    /// Number of rows of the table.
    private static let mostRows = 100

    /// Lists all gateways and their receivers, those with problems first.
    func gateways(_ request: PageRequest) async throws -> PageAnswer {
        let all = try await statuses(now: request.now)
        let building = request.query["building"] ?? ""
        let state = request.query["state"].flatMap { GatewayCondition(rawValue: $0) }
        let chosen = all.filter { building.isEmpty || $0.building == building }
        let rows = GatewayRow.rows(of: chosen, state: state)
        let part = TablePart(asked: request.query["from"], of: rows.count, most: Self.mostRows)
        let words = GatewayWords(days: configuration.days)
        let counts = Dictionary(grouping: chosen, by: \.condition).mapValues(\.count)
        func path(_ building: String, _ state: GatewayCondition?, from: Int? = nil) -> String {
            let path = PageRoute.gateways.path(["building": building, "state": state?.rawValue ?? ""])
            return from.map { "\(path)&from=\($0)" } ?? path
        }
        let cards = GatewayCondition.allCases.compactMap { condition -> GatewaysPage.Card? in
            guard let count = counts[condition] else { return nil }
            return GatewaysPage.Card(count: count, state: condition.tag, path: path(building, condition))
        }
        var buildings = [SelectOption(value: "", label: "All buildings", isSelected: building.isEmpty)]
        for name in Set(all.map(\.building)).sorted() {
            buildings.append(.init(value: name, label: name, isSelected: name == building))
        }
        var states = [SelectOption(value: "", label: "All states", isSelected: state == nil)]
        for condition in GatewayCondition.allCases {
            states.append(
                .init(value: condition.rawValue, label: condition.tag.words, isSelected: condition == state))
        }
        return page(
            GatewaysPage(
                request.frame("Gateways", route: .gateways), cards: cards, buildings: buildings, states: states,
                rows: rows[part.range].map { words.row($0) }, extent: GatewayRow.extent(part),
                nextPath: part.next.map { path(building, state, from: $0) },
                isEmpty: all.isEmpty))
    }

    /// Shows one gateway.
    func gateway(_ request: PageRequest) async throws -> PageAnswer {
        try await gateway(at: ReceiverPath(request.query["path"] ?? "").gateway, request)
    }

    /// Shows one gateway, `site/building/floor/gateway`.
    ///
    /// - Parameters:
    ///   - notice: what was just done, or why nothing was.
    ///   - mistake: what is wrong with the reason in the form of a revocation.
    func gateway(
        at asked: String, _ request: PageRequest, notice: Frame.Notice? = nil, mistake: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        let gateway = try await knownGateway(asked, now: request.now)
        let (beacons, levels, stored) = try await api.work { store in
            (
                try store.placeBeacons(), try store.moduleLevels(around: asked, limit: Self.mostRows),
                try store.progress(of: asked)
            )
        }
        let own = beacons.filter { beacon in
            guard let receiver = beacon.receiver else { return false }
            return receiver == asked || receiver.hasPrefix(asked + "/")
        }
        let expected = await api.live.expected(levels.map { ($0.module, $0.receiver) })
        let words = GatewayWords(days: configuration.days)
        let explanation = words.explanation(of: gateway)
        let facts =
            words.facts(of: gateway) + [
                LabelledFact("Latest stored record (start/number)", GatewayWords.stored(stored)),
                LabelledFact("Accepted records", GatewayWords.acceptedRecords(configuration.signing)),
            ]
        let levelsText = levels.map(\.at).max().map(words.time)
        return page(
            GatewayPage(
                request.frame(
                    "Gateway \(asked.split(separator: "/").last ?? "")", route: .gateways, notice: notice),
                place: asked,
                state: gateway.condition.tag, what: explanation.what, remedy: explanation.remedy,
                map: plan(of: ReceiverPath(asked).floor)?.pagePath,
                facts: facts,
                receivers: gateway.receivers.map { receiver in
                    GatewayPage.Receiver(
                        name: receiver.path == gateway.path ? "own radio" : receiver.name,
                        location: words.location(of: receiver), state: receiver.condition.tag,
                        offset: words.offset(receiver.offset))
                },
                beacons: own.map {
                    GatewayPage.Beacon(id: $0.beacon, receiver: $0.receiver ?? "", basis: $0.basis.words)
                },
                levels: zip(levels, expected).map { words.row($0, expected: $1) }, levelsTime: levelsText,
                modules: words.modules(of: gateway), hasButtons: givesCommands,
                commands: givesCommands ? [] : words.commands(for: gateway, prefix: api.topicPrefix),
                trust: GatewayPage.Trust(
                    revokedSince: gateway.revocation.map { "\($0.since)" }, mistake: mistake,
                    commands: GatewayWords.trustLines(asked, signs: configuration.signing != nil))),
            status: status)
    }

    /// Returns a gateway, `site/building/floor/gateway`, with what is known of it.
    ///
    /// - Throws: `PageError.unknownGateway`, `StoreError`.
    func knownGateway(_ path: String, now: Int64) async throws -> KnownGateway {
        guard let gateway = try await statuses(now: now).first(where: { $0.path == path }) else {
            throw PageError.unknownGateway
        }
        return gateway
    }

    /// Returns all gateways, with what is known of them.
    func statuses(now: Int64) async throws -> [KnownGateway] {
        let watch = api.gateways
        return try await api.work { store in
            KnownGateways(
                states: try store.gatewayStates(withStored: false),
                positions: try store.receiverPositions(withRevoked: true), offsets: try store.usedOffsets(),
                working: try watch.working(in: store, now: now),
                reports: watch.reports, facts: watch.facts
            ).statuses(now: now)
        }
    }
}

extension PageError {
    static let unknownGateway = Self(
        .notFound, "Not found", "No gateway with this name has sent records.",
        "Choose one in the list of gateways.")
}

extension GatewayWords {
    /// Returns the row of a receiver.
    fileprivate func row(_ row: GatewayRow) -> GatewaysPage.Row {
        let (gateway, receiver) = (row.gateway, row.receiver)
        let path = ReceiverPath(gateway.path)
        let isOwn = receiver.path == gateway.path
        return GatewaysPage.Row(
            name: receiver.name, path: PageRoute.path(ofGateway: gateway.path),
            site: path.site, building: path.buildingName, floor: path.floorName, location: location(of: receiver),
            state: isOwn ? gateway.condition.tag : receiver.condition.tag,
            lastReport: isOwn ? lastReport(of: gateway) : "by its gateway",
            outbox: isOwn ? outbox(of: gateway) : "by its gateway", offset: offset(receiver.offset),
            version: isOwn ? version(of: gateway) : "by its gateway", modules: isOwn ? moduleTags(of: gateway) : [])
    }

    /// Returns the row of a beacon and a receiver that hears it.
    ///
    /// - Parameter expected: expected level in dBm, if it is known.
    fileprivate func row(_ level: InteractionStore.ModuleLevel, expected: Double?) -> GatewayPage.Level {
        GatewayPage.Level(
            beacon: level.module, hearer: level.receiver, level: Format.fixed(level.rssi, 0) + " dBm",
            expected: expected.map { Format.fixed($0, 0) + " dBm" } ?? "not known",
            difference: expected.map { offset($0 - level.rssi) } ?? "not known")
    }

    /// Returns the facts of a gateway.
    fileprivate func facts(of gateway: KnownGateway) -> [LabelledFact] {
        let path = ReceiverPath(gateway.path)
        let own = gateway.receivers.first { $0.path == gateway.path }
        var facts: [LabelledFact] = [
            .init("Version", toldVersion(of: gateway)), .init("Site", path.site), .init("Building", path.buildingName),
            .init("Floor", path.floorName), .init("Room", own?.room ?? "not named"),
            .init("Position", position(own?.position)),
            .init("Last report", lastReport(of: gateway)), .init("Waiting to be sent", outbox(of: gateway)),
        ]
        if let capacity = gateway.report?.outbox?.capacity {
            facts.append(.init("Room for waiting records", ByteSizeText.format(Int(clamping: capacity))))
        }
        if let trouble = gateway.report?.outbox?.trouble { facts.append(.init("Problem with sending", trouble)) }
        facts.append(.init("Correction", offset(own?.offset)))
        return facts
    }
}
