import BeaconModel
import FloorPlans
import HTTPTypes
import MatcherCore
import OperatorText
import RecordContract

extension APIService {
    private var plans: [FloorPlan] { configuration.localisation?.plans ?? [] }

    /// Answers with all floors.
    func floors(_ request: APIRequest) async throws -> APIAnswer {
        _ = try authorizeReader(request, on: "/v1/floors")
        let isOn = await live.isOn
        var documents: [FloorDocument] = []
        for plan in plans { documents.append(await document(of: plan, isLive: isOn)) }
        return .json(.ok, JSON.encode(documents))
    }

    /// Answers with one floor.
    func floor(_ request: APIRequest) async throws -> APIAnswer {
        _ = try authorizeReader(request, on: LiveAccess.floor)
        return .json(.ok, JSON.encode(await document(of: try plan(request), isLive: await live.isOn)))
    }

    /// Answers with the picture of a floor.
    func picture(_ request: APIRequest) async throws -> APIAnswer {
        _ = try authorizeReader(request, on: LiveAccess.floor + "/plan.svg")
        let plan = try plan(request)
        let receivers = await live.receivers(on: plan.path).map { receiver in
            PlanReceiver(
                path: receiver.path,
                position: receiver.x.flatMap { x in
                    receiver.y.flatMap { y in receiver.z.map { .init(x: x, y: y, z: $0) } }
                }, room: receiver.room)
        }
        return .picture(FloorPlanDrawing(plan, receivers: receivers).svg)
    }

    /// Answers with the live positions on a floor: once in JSON, or as a stream of events.
    func live(_ request: APIRequest) async throws -> APIAnswer {
        let (credential, view) = try authorizeReader(request, on: LiveAccess.floor + "/live")
        let plan = try plan(request)
        if request.wantsJSON {
            guard let snapshot = await live.snapshot(on: plan.path, view: view) else { throw APIError.notLive }
            return .json(.ok, JSON.encode(snapshot))
        }
        let events = try await live.events(on: plan.path, view: view, of: .operator(credential), to: request.client)
        guard let events else { throw APIError.notLive }
        return .events(events)
    }

    /// Answers a subject with its own place.
    func location(_ request: APIRequest) async throws -> APIAnswer {
        let subject = try request.subject()
        try await authorize(subject, by: request)
        try refuseQuery(request)
        guard LiveAccess.view(of: "/v1/subjects/{id}/location", for: .subject) == .own,
            let location = await live.location(of: subject)
        else { throw APIError.notFound }
        return .json(.ok, JSON.encode(location))
    }

    /// Checks an operator's token, and returns what the operator sees on a route.
    private func authorizeReader(
        _ request: APIRequest, on route: String
    ) throws(APIError) -> (OperatorCredential, LiveAccess.View) {
        let credential = try authorizeOperator(request.secret)
        guard let view = LiveAccess.view(of: route, for: credential.role.reader) else { throw .unauthorizedOperator }
        try refuseQuery(request)
        return (credential, view)
    }

    private func refuseQuery(_ request: APIRequest) throws(APIError) {
        if let key = request.query.keys.min() { throw .invalid(key.excerpt, "is unknown", "omit it") }
    }

    private func plan(_ request: APIRequest) throws(APIError) -> FloorPlan {
        guard let plan = plans.first(where: { $0.path == request.floor }) else { throw .notFound }
        return plan
    }

    private func document(of plan: FloorPlan, isLive: Bool) async -> FloorDocument {
        FloorDocument(
            plan, receivers: await live.receivers(on: plan.path), isLive: isLive,
            isSurveyed: await live.isSurveyed(plan.path))
    }
}
