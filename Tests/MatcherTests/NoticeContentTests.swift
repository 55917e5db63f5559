import Testing

@testable import Matcher

@Suite("Whether a notice is news") struct NoticeContentTests {
    private func content(_ exposures: Int, latest: String?, level: String = "medium") -> NoticeContent {
        NoticeContent(
            level: level, label: "", exposures: exposures, latest: latest, policy: .init(name: "p", version: "1"),
            missing: nil)
    }

    // A report was taken back, and the right one filed: of the other day nobody was told.
    @Test func `One day in the place of another is news, also an earlier one`() {
        let told = content(1, latest: "2026-11-27T00:00:00Z")
        #expect(content(1, latest: "2026-11-25T00:00:00Z").isNews(after: told))
        #expect(content(1, latest: "2026-11-28T00:00:00Z").isNews(after: told))
        #expect(!told.isNews(after: told))
    }

    @Test func `Days that grow too old, or are taken back, are no news`() {
        let told = content(2, latest: "2026-11-27T00:00:00Z")
        #expect(!content(1, latest: "2026-11-27T00:00:00Z").isNews(after: told))
        #expect(!content(1, latest: "2026-11-25T00:00:00Z").isNews(after: told))
        #expect(content(2, latest: "2026-11-27T00:00:00Z", level: "high").isNews(after: told))
        #expect(told.isNews(after: nil))
    }
}
