import InteractionStore
import Matching
import Testing

@testable import EvidenceTests

@Suite("Exposures and notices in the store") struct ExposureStoreTests {
    private func filed(_ store: InteractionStore) throws -> Int64 {
        try #require(
            try store.add(
                PositiveReport(
                    reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                    subjects: [.init(identity: phone("ann"), since: 0, until: morning)])
            ).number)
    }

    private func exposure(
        place: Int64 = 1, _ start: Int64, _ end: Int64, minutes: Double = 1, clockIsDoubtful: Bool = false,
        _ way: Exposure.Way = .beacon
    ) -> ExposureSummary {
        ExposureSummary(
            subject: phone("ben"), place: place, start: start, end: end, minutes: minutes,
            clockIsDoubtful: clockIsDoubtful, way: way)
    }

    @Test(arguments: Backend.installed)
    func `Each part of an exposure is read as it was written, whatever its value`(backend: Backend) async throws {
        let exposures = [
            exposure(morning, morning), exposure(morning, morning + 1, clockIsDoubtful: true),
            exposure(morning, morning + 86_400 * 365, .together),
            exposure(morning, morning + 60, clockIsDoubtful: true, .together),
            exposure(place: .max, 0, 1), exposure(place: .min, -86_400, -1), exposure(.min, .max - 1),
            exposure(.max - 1, .max - 1), exposure(morning, morning, minutes: 0),
            exposure(morning, morning, minutes: 0.001), exposure(morning, morning, minutes: 1e9),
        ]
        try await backend.withStore { store in
            let report = try filed(store)
            for exposure in exposures {
                _ = try store.setExposures([exposure], of: report, keepsForgotten: false)
                #expect(try store.exposures(of: phone("ben")) == [exposure])
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A change of any part changes an exposure, and the same again changes nothing`(
        backend: Backend
    ) async throws {
        let changes = [
            exposure(morning, morning + 60), exposure(morning, morning + 120),
            exposure(morning, morning + 120, minutes: 2),
            exposure(morning, morning + 120, minutes: 2, clockIsDoubtful: true),
            exposure(morning, morning + 120, minutes: 2, clockIsDoubtful: true, .together),
        ]
        try await backend.withStore { store in
            let report = try filed(store)
            for exposure in changes {
                #expect(try store.setExposures([exposure], of: report) == [phone("ben")])
                #expect(try store.setExposures([exposure], of: report) == [])
            }
        }
    }

    private let notices = [
        NoticeContent(level: .low, label: "", days: 0, latest: nil, policy: "", policyVersion: ""),
        NoticeContent(
            level: .medium, label: "très \"élevé\" 😷\n", days: 1, latest: morning, policy: "six-metre-five-minute",
            policyVersion: "2", clockIsDoubtful: true),
        NoticeContent(level: .high, label: "x", days: .max, latest: .max, policy: "p", policyVersion: "1"),
        NoticeContent(level: .high, label: "x", days: .max, latest: .min, policy: "p", policyVersion: "1"),
        NoticeContent(level: .high, label: "x", days: .max, latest: 0, policy: "p", policyVersion: "1"),
        NoticeContent(level: .high, label: "x", days: .max, latest: nil, policy: "p", policyVersion: "1"),
    ]

    /// Makes the notice of Ben, whose exposures have changed.
    private func set(_ content: NoticeContent?, in store: InteractionStore, now: Int64) throws {
        try store.markNoticesStale()
        try store.setNotice(content, for: try #require(try store.staleNotices().first), now: now)
    }

    @Test(arguments: Backend.installed)
    func `Each part of a notice is read as it was written, whatever its value`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.setExposures([exposure(morning, morning)], of: try filed(store))
            for content in notices {
                try set(content, in: store, now: morning)
                #expect(try store.notice(for: phone("ben")) == content)
                #expect(try store.notices(.unread).map(\.content) == [content])
                #expect(try store.notices(of: [phone("ben")]).map(\.content) == [content])
            }
            try set(nil, in: store, now: morning)
            #expect(try store.notice(for: phone("ben")) == nil)
            #expect(try store.notices(.unread) == [])
            #expect(try store.notices().map(\.content) == [nil])
        }
    }

    @Test(arguments: Backend.installed)
    func `A notice that says the same again hasn't changed, and one that says anything else has`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.setExposures([exposure(morning, morning)], of: try filed(store))
            for (index, content) in ([nil] + notices.map(Optional.some)).enumerated() {
                // Before, nothing was left to report.
                let time = index == 0 ? 0 : Int64(index)
                try set(content, in: store, now: Int64(index))
                try set(content, in: store, now: 1000)
                #expect(try store.notices().map(\.changed) == [time])
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Only the notice that was delivered and read counts as such, not one that differs in anything`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.setExposures([exposure(morning, morning)], of: try filed(store))
            for content in notices {
                try set(content, in: store, now: morning)
                for other in notices.map(Optional.some) + [nil] where other != content {
                    let notice = Notice(subject: phone("ben"), content: other, changed: morning)
                    #expect(try !store.isToBeDelivered(notice))
                    try store.delivered(notice)
                    #expect(try !store.seen(phone("ben")) { $0 == other })
                }
                let notice = try #require(try store.notices(.undelivered).first)
                #expect(try store.isToBeDelivered(notice) && store.notices(.unread) == [notice])
                try store.delivered(notice)
                #expect(try store.seen(phone("ben")) { $0 == content })
                #expect(
                    try !store.isToBeDelivered(notice) && store.notices().allSatisfy { $0.isDelivered && $0.isSeen })
            }
        }
    }
}
