import InteractionStore
import OperatorText
import Pages

extension PageService {
    /// Number of entries on a page of the audit.
    private static let mostEntries = 100
    private static let longestSearch = 100

    /// Shows the audit.
    func audit(_ request: PageRequest) async throws -> PageAnswer {
        let query = request.query["q"].map { String($0.unicodeScalars.prefix(Self.longestSearch)) } ?? ""
        let text = query.isEmpty ? nil : query
        let before = request.query["before"].flatMap { Int64($0) }
        let found = try await api.work {
            try $0.audit(before: before, containing: text, limit: Self.mostEntries + 1)
        }
        let shown = found.prefix(Self.mostEntries)
        let search = text.map { "q=" + FormFields.encode($0) }
        func path(_ fields: [String?]) -> String {
            let query = fields.compactMap(\.self).joined(separator: "&")
            return PageRoute.audit.path + (query.isEmpty ? "" : "?" + query)
        }
        let words = DayWords(days: configuration.days)
        return page(
            AuditPage(
                request.frame("Audit", route: .audit), query: text,
                entries: shown.map { _, entry in
                    let isForm = entry.action == .issuedCodes && entry.object.hasPrefix(CodesDraft.formPrefix)
                    // The random name of a form tells an auditor nothing.
                    return AuditPage.Entry(
                        time: words.time(entry.at), name: entry.name, account: entry.subject,
                        action: entry.action.rawValue, object: isForm ? "" : entry.object,
                        detail: entry.detail)
                },
                olderPath: found.count > shown.count ? shown.last.map { path([search, "before=\($0.number)"]) } : nil,
                latestPath: before == nil ? nil : path([search])))
    }
}
