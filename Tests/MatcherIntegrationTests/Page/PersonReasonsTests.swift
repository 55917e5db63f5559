import InteractionStore
import Matching
import Pages
import SignIn
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Reasons on the page of a person", .timeLimit(.minutes(10))) struct PersonReasonsTests {
    /// The cells of a column.
    private func cells(_ label: String, of html: String) -> [String] {
        html.components(between: "<td data-label=\"\(label)\">", and: "</td>")
    }

    @Test("An exposure has the distance and the reason that the page of its report has, and the audit has who looked")
    func reasons() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let reference = try await api.exposeBen()
            let officer = try api.browser(.officer)
            let plain = try await officer.get("/person?number=s2").text
            #expect(plain.contains("href=\"/person?number=s2&amp;why=1#exposures\""))
            #expect(!plain.contains("How near"))
            let report = try await officer.get("/reports/\(reference)?why=1").text
            let person = try await officer.get("/person?number=s2&why=1").text
            for column in ["How near", "Where", "Why it counts"] {
                #expect(cells(column, of: person).count == 1, "\(column)")
                #expect(cells(column, of: person) == cells(column, of: report), "\(column)")
            }
            #expect(cells("Why it counts", of: person).first?.contains("with a probability of") == true)
            let details = try api.store.use { store in
                try store.audit(limit: 10).map { $0.entry }.filter { $0.action == .sawPerson }.map(\.detail)
            }
            #expect(details == ["with reasons", ""])
            #expect(try await api.browser(.operator).get("/person?number=s2&why=1").status == 403)
        }
    }

    @Test("An exposure that is not found again stays, and says so") func changed() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let reference = try await api.exposeBen()
            try api.store.use { store in
                let number = try #require(try store.storedReport(reference)).report.number
                var exposure = try #require(try store.exposures(ofReport: number, limit: 1).first)
                exposure.start += 60
                _ = try store.setExposures([exposure], of: number)
            }
            let page = try await api.browser(.officer).get("/person?number=s2&why=1").text
            #expect(cells("How near", of: page) == ["not known"])
            #expect(cells("Why it counts", of: page).first?.hasPrefix("not found again") == true)
        }
    }

    @Test("The list of exposures has the latest place of each person, and leads to where and why")
    func list() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            _ = try await api.exposeBen()
            let page = try await api.browser(.officer).get("/exposures?days=7").text
            let place = try #require(cells("Where", of: page).first)
            #expect(place.hasPrefix("101, main 1<br>"))
            #expect(place.contains("href=\"/person?number=s2&amp;why=1#exposures\""))
        }
    }
}

extension String {
    /// Returns the parts between two marks, in order.
    fileprivate func components(between start: String, and end: String) -> [String] {
        ranges(of: start).map { found in
            let rest = self[found.upperBound...]
            return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
        }
    }
}
