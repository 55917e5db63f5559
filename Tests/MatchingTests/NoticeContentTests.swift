import Matching
import Testing

@Suite("Whether a notice is news") struct NoticeContentTests {
    /// A notice whose latest day is one of November 2026.
    private func content(_ days: Int, latest day: Int64, level: RiskLevel = .medium) -> NoticeContent {
        NoticeContent(
            level: level, label: "", days: days, latest: 1_793_491_200 + (day - 1) * 86_400, policy: "p",
            policyVersion: "1")
    }

    // A report was taken back, and the right one filed: of the other day nobody was told.
    @Test func `One day in the place of another is news, also an earlier one`() {
        let told = content(1, latest: 27)
        #expect(content(1, latest: 25).isNews(after: told))
        #expect(content(1, latest: 28).isNews(after: told))
        #expect(!told.isNews(after: told))
    }

    @Test func `Days that grow too old, or are taken back, are no news`() {
        let told = content(2, latest: 27)
        #expect(!content(1, latest: 27).isNews(after: told))
        #expect(!content(1, latest: 25).isNews(after: told))
        #expect(content(2, latest: 27, level: .high).isNews(after: told))
        #expect(told.isNews(after: nil))
    }
}
