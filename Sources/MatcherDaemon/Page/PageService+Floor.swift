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
        let isCovered = request.query["show"] == "coverage"
        let coverage = try await isCovered ? self.coverage(of: plan) : nil
        let shown = FloorView(
            plan: plan, receivers: receivers, people: snapshot?.positions ?? [], names: names,
            coverage: coverage)
        var positions: FloorPage.Positions?
        if let snapshot {
            let isSilent = !receivers.contains { $0.isHeard == true }
            let heardAt = try await isSilent && !snapshot.isHeard ? lastReport(on: plan.path) : nil
            positions = FloorPage.Positions(
                stream: plan.pagePath + "/live", time: configuration.days.text(request.now),
                zone: configuration.days.name, count: snapshot.positions.count,
                doubt: snapshot.isHeard
                    ? nil : FloorView.doubt(isSilent: isSilent, lastHeard: heardAt.map(configuration.days.text)),
                hasNames: names != nil)
        }
        return page(
            FloorPage(
                request.frame("\(plan.shownName), \(plan.building)", route: .floors), place: plan.path,
                path: plan.pagePath, positions: positions, picture: shown.picture, rows: shown.rows,
                receivers: shown.receiverRows,
                coverage: isCovered
                    ? FloorPage.Coverage(
                        sentence: coverage?.sentence ?? CoverageView.unknown, rows: coverage?.rows ?? [])
                    : nil, coveragePath: isCovered || snapshot == nil ? nil : plan.pagePath + "?show=coverage",
                editPath: canDraw(request) ? plan.pagePath + "/edit" : nil))
    }

    /// Streams the positions on a floor: the same events as those of the API, and for readers of names an event `names`
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
            on: plan.path, view: view, of: .session(hash: session.hash), to: request.client)
        guard let events else { throw PageError.notLive }
        guard view == .identities else { return PageAnswer(content: .events(events)) }
        let names = LiveNames { try await self.names(of: $0) }
        return PageAnswer(content: .events(events, preparing: { await names.prepared($0) }))
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
