import HTTPTypes
import MatcherCore
import OperatorText
import RecordContract

extension APIService {
    /// Answers with the occupancy of all rooms and floors.
    func occupancy(_ request: APIRequest) async throws -> APIAnswer {
        try authorizeOperator(request.secret)
        if let key = request.query.keys.min() {
            throw APIError.invalid(key.excerpt, "is unknown", "omit it: the response has all rooms and floors")
        }
        let now = now()
        let presence = await live.presence(kinds: occupancy.kinds)
        let documents = try await work { [occupancy, gateways] store in
            try occupancy.documents(store, heard: gateways.working(in: store, now: now), now: now)
                .replaced(by: presence, now: now)
        }
        return .json(.ok, JSON.encode(documents))
    }
}
