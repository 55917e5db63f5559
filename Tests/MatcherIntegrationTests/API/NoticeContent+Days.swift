import Matching

extension NoticeContent {
    /// A notice of so many days, the latest of which is 2026-11-02.
    static func days(_ days: Int) -> NoticeContent {
        NoticeContent(
            level: .medium, label: "", days: days, latest: 1_793_577_600, policy: "further", policyVersion: "1")
    }
}
