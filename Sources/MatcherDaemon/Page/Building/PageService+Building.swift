import FloorPlans
import MatcherCore
import Pages
import SignIn

/// Floors that have a plan.
extension PageService {
    private var plans: [FloorPlan] { configuration.localisation?.plans ?? [] }

    /// Lists the floors.
    func floors(_ request: PageRequest) async throws -> PageAnswer {
        let live = api.live
        let counts = await live.counts
        var buildings: [(path: String, floors: [FloorsPage.Floor])] = []
        for plan in plans.sorted(by: { ($0.buildingPath, $0.elevation) < ($1.buildingPath, $1.elevation) }) {
            let floor = FloorsPage.Floor(
                name: plan.shownName, place: plan.path, path: plan.pagePath, roomCount: plan.rooms.count,
                receiverCount: await live.receivers(on: plan.path).count,
                peopleCount: counts.map { $0[plan.path] ?? 0 }, isSurveyed: await live.isSurveyed(plan.path))
            if buildings.last?.path != plan.buildingPath { buildings.append((plan.buildingPath, [])) }
            buildings[buildings.count - 1].floors.append(floor)
        }
        let drawings = canDraw(request) ? configuration.localisation : nil
        return page(
            FloorsPage(
                request.frame("Floors", route: .floors),
                buildings: buildings.map { FloorsPage.Building(name: $0.path, floors: $0.floors) },
                isLive: counts != nil, isUnused: configuration.localisation == nil,
                newFloorPath: configuration.localisation != nil && canDraw(request) ? PageRoute.newFloor.path : nil,
                surveysPath: PageRoute.surveys.definition.access.allows(request.session?.account.roles)
                    ? PageRoute.surveys.path : nil,
                uncounted: (drawings?.uncounted ?? []).map {
                    .init(place: $0, editPath: PageRoute.path(ofFloor: $0) + "/edit")
                }, warnings: (drawings?.drawnWarnings ?? []).map { $0 + "." }))
    }

    /// Whether the account of a request can draw floors.
    func canDraw(_ request: PageRequest) -> Bool {
        PageRoute.editFloor.definition.access.allows(request.session?.account.roles)
    }

    /// Returns the plan of the floor in the path of a request.
    func plan(_ request: PageRequest) throws(PageError) -> FloorPlan {
        guard let plan = plans.first(where: { $0.path == request.floor }) else { throw .notFound }
        return plan
    }

    /// Returns the plan of a floor, `site/building/floor`; `nil` if it has none.
    func plan(of floor: String) -> FloorPlan? { plans.first { $0.path == floor } }

    /// Returns what an account sees of people on floors, by the table of the API.
    func liveView(_ request: PageRequest) throws(PageError) -> LiveAccess.View? {
        let roles = try request.account().roles
        let reader: LiveReader? = roles.contains(.officer) ? .officer : roles.contains(.operator) ? .operator : nil
        return reader.flatMap { LiveAccess.view(of: LiveAccess.floor + "/live", for: $0) }
    }
}

extension FloorPlan {
    /// Name for people.
    var shownName: String { name ?? "Floor \(floor)" }

    /// Path of the floor's page.
    var pagePath: String {
        PageRoute.path(ofFloor: [site, building, floor].map(FormFields.encode).joined(separator: "/"))
    }
}
