import FloorPlans
import HTTPTypes
import InteractionStore
import Localisation
import MatcherCore
import Matching
import OperatorText
import Pages
import SystemIO

/// Map of a floor.
extension PageService {
    /// Shows a floor.
    func floor(_ request: PageRequest) async throws -> PageAnswer {
        let plan = try plan(request)
        let live = api.live
        let receivers = await live.receivers(on: plan.path)
        var snapshot: LiveSnapshotDocument?
        var names: [SubjectIdentity: String]?
        if let view = try liveView(request) {
            snapshot = await live.snapshot(on: plan.path, view: view)
            if let snapshot, view == .identities {
                try await note(.sawPositions, plan.path, request)
                names = try await self.names(of: snapshot.subjects)
            }
        }
        let (isCovered, isLarge) = (request.query["show"] == "coverage", request.query["map"] == "large")
        let coverage = try await isCovered ? self.coverage(of: plan) : nil
        let shown = FloorView(
            plan: plan, receivers: receivers, people: snapshot?.positions ?? [], names: names,
            modules: FloorStateDocument.Module.modules(on: plan.path, api.gateways.facts), coverage: coverage)
        var positions: FloorPage.Positions?
        if let snapshot {
            let state = await live.state(of: plan.path)
            let words = try await stateWords(of: plan, state)
            var doubt: String? = FloorView.doubt(isSilent: true, lastHeard: nil)
            if let state { doubt = words.doubt(state) }
            positions = FloorPage.Positions(
                stream: plan.pagePath + "/live", time: DayWords(days: configuration.days).time(request.now),
                zone: configuration.days.name, count: snapshot.positions.count,
                doubt: doubt, hasNames: names != nil)
        }
        func path(isCovered: Bool, isLarge: Bool) -> String {
            let query = (isCovered ? ["show=coverage"] : []) + (isLarge ? ["map=large"] : [])
            return plan.pagePath + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        }
        return page(
            FloorPage(
                request.frame("\(plan.shownName), \(plan.building)", route: .floors), place: plan.path,
                path: path(isCovered: isCovered, isLarge: isLarge), positions: positions, picture: shown.picture,
                rows: shown.rows, receivers: shown.receiverRows,
                coverage: isCovered
                    ? FloorPage.Coverage(
                        sentence: coverage?.sentence ?? CoverageView.unknown, rows: coverage?.rows ?? [])
                    : nil, coveragePath: isCovered || snapshot == nil ? nil : path(isCovered: true, isLarge: isLarge),
                plainPath: path(isCovered: false, isLarge: isLarge),
                editPath: canDraw(request) ? plan.pagePath + "/edit" : nil,
                matrixPath: canDraw(request) ? plan.pagePath + "/matrix" : nil, isLarge: isLarge,
                sizePath: path(isCovered: isCovered, isLarge: !isLarge) + "#map"))
    }

    /// Returns the words for states of a floor, with the time of the latest report if there may be need of it.
    private func stateWords(of plan: FloorPlan, _ state: FloorStateDocument?) async throws -> FloorStateWords {
        let isSilent = state?.receivers.contains(where: \.isHeard) != true
        let last = try await isSilent ? lastReport(on: plan.path) : nil
        return FloorStateWords(days: configuration.days, lastReport: last)
    }

    /// Streams the positions on a floor: the same events as those of the API, but states in words (`states` instead of
    /// `receivers`), an event `beat` instead of a comment while nobody moves, and for readers of names an event `names`
    /// before those with identities that are new in the stream.
    ///
    /// A stream ends after some minutes (`LiveClient`). The browser opens another, which needs a session that has not
    /// ended, and a role that still sees the floor.
    func liveFloor(_ request: PageRequest) async throws -> PageAnswer {
        let plan = try plan(request)
        guard let session = request.session, let view = try liveView(request) else { throw PageError.notAllowed }
        guard await api.live.isOn else { throw PageError.notLive }
        if view == .identities { try await note(.sawPositions, plan.path, request, detail: "live") }
        let events = try await api.live.events(
            on: plan.path, view: view, of: .session(hash: session.hash, account: session.account.key),
            to: request.client)
        guard let events else { throw PageError.notLive }
        let words = try await stateWords(of: plan, await api.live.state(of: plan.path))
        let inWords: @Sendable (String) -> String = { [api] event in words.prepared(event, now: api.now()) }
        guard view == .identities else {
            return PageAnswer(content: .events(events, preparing: { inWords($0) }))
        }
        let names = LiveNames { try await self.names(of: $0) }
        return PageAnswer(content: .events(events, preparing: { await names.prepared(inWords($0)) }))
    }

    /// Returns where badges are heard on a floor; `nil` if that is not known yet.
    private func coverage(of plan: FloorPlan) async throws -> CoverageView? {
        guard let model = await api.live.model(of: plan.path) else { return nil }
        let path = plan.path
        let coverage = try await DedicatedThread.run(name: "coverage") { model.coverage(of: path) }
        return coverage.map { CoverageView(coverage: $0, plan: plan) }
    }

    /// Returns the time of the latest report of a gateway on a floor; `nil` if there was none.
    private func lastReport(on floor: String) async throws -> Int64? {
        let times = try await api.work { store in
            try store.gatewayStates(withStored: false).filter { $0.path.hasPrefix(floor + "/") }.compactMap(\.heard)
        }
        return times.max()
    }
}

extension PageError {
    static let notLive = Self(
        .notFound, "Not live", "Live positions are switched off.",
        "To switch them on, set localisation.live in the matcher's configuration.")
}

extension LiveSnapshotDocument {
    /// Identities of the people, if they are told.
    fileprivate var subjects: Set<SubjectIdentity> {
        Set(positions.compactMap { $0.subject.flatMap { SubjectIdentity($0) } })
    }
}
