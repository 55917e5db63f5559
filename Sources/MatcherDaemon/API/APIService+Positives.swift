import HTTPTypes
import MatcherCore

extension APIService {
    /// Answers with the list of days that have positives.
    func positives(_ request: APIRequest) async throws -> APIAnswer {
        answer(try await pages.index(now: now()), request.tag)
    }

    /// Answers with the positives of a day.
    func positivesOfDay(_ request: APIRequest) async throws -> APIAnswer {
        guard let day = request.day, let page = try await pages.page(ofDay: day, now: now()) else {
            throw APIError.notFound
        }
        return answer(page, request.tag)
    }

    private func answer(_ page: PositivePages.Page, _ tag: String?) -> APIAnswer {
        let tags = tag?.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } } ?? []
        return tags.contains { $0 == page.tag || $0 == "W/" + page.tag || $0 == "*" } ? .notModified(page) : .page(page)
    }
}
