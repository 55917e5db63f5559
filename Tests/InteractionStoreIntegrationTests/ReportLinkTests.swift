import InteractionStore
import Matching
import Testing

@testable import EvidenceTests

@Suite("Reports of one owner") struct ReportLinkTests {
    private static let day: Int64 = 86_400

    private func card(_ name: String) throws -> SubjectIdentity {
        try #require(SubjectIdentity(kind: "badge", id: name))
    }

    /// A report of phones and badges that were somebody's in days before and after the first one.
    private func report(
        _ store: InteractionStore, _ reference: String, onDay day: Int64 = 0, since: Int64 = -14,
        _ names: SubjectIdentity...
    ) throws -> Int64 {
        let received = morning + day * Self.day
        return try #require(
            try store.add(
                PositiveReport(
                    reference: reference, received: received, positive: PositiveCase(reportType: .confirmed),
                    subjects: names.map {
                        .init(identity: $0, since: morning + since * Self.day, until: received + 10 * Self.day)
                    })
            ).number)
    }

    @Test(arguments: Backend.installed)
    func `What an owner reported at other times is theirs, from one report to the next`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (old, new, card) = (phone("old"), phone("new"), try card("card"))
            let first = try report(store, "1", old)
            _ = try report(store, "2", onDay: 1, old, card)
            _ = try report(store, "3", onDay: 2, card, new)
            _ = try report(store, "4", phone("somebody else's"))
            #expect(try store.devices(ofReporter: first) == [old, card, new])
        }
    }

    // Ann gives her badge back after her report; Ben gets it on the day after that.
    @Test(arguments: Backend.installed)
    func `Who got a badge of somebody who had reported isn't taken for them`(backend: Backend) async throws {
        try await backend.withStore { store in
            let card = try card("card")
            let ann = try report(store, "ann", phone("ann"), card)
            let ben = try report(store, "ben", onDay: 3, since: 1, phone("ben"), card)
            #expect(try store.devices(ofReporter: ann) == [phone("ann"), card])
            let exposures = [ann, ben].map { report in
                (
                    report,
                    ExposureSummary(
                        subject: phone("cleo"), place: 1, start: morning, end: morning + 60, minutes: 1)
                )
            }
            for (report, exposure) in exposures { _ = try store.setExposures([exposure], of: report) }
            #expect(try store.exposures(of: phone("cleo")).count == 2)
        }
    }

    // 1,437 of one day had hidden three other days.
    @Test(arguments: Backend.installed)
    func `Many exposures of one day hide no other day`(backend: Backend) async throws {
        try await backend.withStore { store in
            let report = try report(store, "ann", phone("ann"))
            let exposures = (0..<1100).map { index in
                ExposureSummary(
                    subject: phone("cleo"), place: 1, start: morning + Int64(index) * 3,
                    end: morning + Int64(index) * 3 + 2,
                    minutes: 0.1)
            }
            let other = ExposureSummary(
                subject: phone("cleo"), place: 1, start: morning - 86_400, end: morning - 86_000, minutes: 5)
            _ = try store.setExposures(exposures + [other], of: report)
            let found = try store.exposures(of: phone("cleo"))
            #expect((4...7).contains(found.count))
            #expect(found.last?.start == other.start)
        }
    }

    // 20 days apart: what was found by the first until ten days after it, the second finds too.
    @Test(arguments: Backend.installed)
    func `A phone is its owner's however far reports are apart`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = try report(store, "1", phone("ann"))
            _ = try report(store, "2", onDay: 20, since: 6, phone("ann"), phone("ann's other"))
            #expect(try store.devices(ofReporter: first) == [phone("ann"), phone("ann's other")])
        }
    }

    @Test(arguments: Backend.installed)
    func `Who says of many phones that they are theirs keeps nobody waiting`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = try report(store, "0", phone("0"), phone("1"))
            for number in 1...400 { _ = try report(store, "\(number)", phone("\(number)"), phone("\(number + 1)")) }
            let devices = try store.devices(ofReporter: first)
            #expect(devices.isSuperset(of: [phone("0"), phone("1"), phone("2")]))
            #expect(devices.count < 250)
        }
    }
}
