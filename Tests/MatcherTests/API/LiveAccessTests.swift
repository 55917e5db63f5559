import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Who may see what of live positions") struct LiveAccessTests {
    @Test func `Each route about places is in the table, for those who can be authenticated there`() {
        let routes = APIRoute.table.filter {
            $0.path.hasPrefix("/v1/floors") || $0.path.hasSuffix("/location") || $0.path == "/v1/interactions"
        }
        #expect(routes.map(\.path).sorted() == LiveAccess.table.map(\.route).sorted())
        for route in routes {
            let readers: Set<LiveReader> =
                switch route.access {
                case .operators: [.operator, .officer]
                case .subject, .carrier: [.subject]
                default: []
                }
            for reader in LiveReader.allCases {
                let view = LiveAccess.view(of: route.path, for: reader)
                #expect((view != nil) == readers.contains(reader), "\(reader) \(route.path)")
                // Identities are for officers, and a subject sees itself alone.
                if view == .identities { #expect(reader == .officer) }
                #expect((view == .own) == (reader == .subject && view != nil))
            }
        }
        #expect(LiveAccess.view(of: "/v1/occupancy", for: .officer) == nil)
        #expect(OperatorRole.allCases.map(\.reader) == [.operator, .officer])
    }
}
