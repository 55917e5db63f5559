import HTTPTypes
import InteractionStore
import Pages
import SignIn
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Self-report with a picture", .timeLimit(.minutes(10))) struct SelfReportPictureTests {
    enum Refused: String, CaseIterable {
        case pdf, heic, manyPixels, polyglot, truncated, long, empty

        var file: (bytes: [UInt8], reason: String) {
            var picture = PNGFile(grey: [[0]])
            switch self {
            case .pdf: return (Array("%PDF-1.7\n".utf8), "The file is a PDF document, and not a PNG or JPEG picture.")
            case .heic: return (Array("1234ftypheic".utf8), "The file is a HEIC picture")
            case .manyPixels:
                picture.chunks[0] = PNGFile.header(width: 60_000, height: 60_000)
                return (picture.bytes, "The picture has 60000 x 60000 pixels")
            case .polyglot: return (picture.bytes + Array("PK".utf8), "2 bytes follow the end of the picture.")
            case .truncated: return (Array(picture.bytes.dropLast(5)), "The file ends before the picture does.")
            case .long: return (Array(repeating: 0, count: 10_000_001), "The file is larger than 10 MB.")
            case .empty: return ([], "The file is empty.")
            }
        }
    }

    @Test(arguments: Refused.allCases)
    func `A picture that is refused has its reason at the form, and what was typed is kept`(
        refused: Refused
    ) async throws {
        try await TestAPI.withSelfReports { api in
            let (bytes, reason) = refused.file
            let reporter = try await api.uploadPicture(name: "Cy Typed", by: api.stranger)
            let answer = try await reporter.upload(bytes)
            #expect(answer.status == 422 && answer.text.contains("id=\"picture-mistake\">\(reason)"), "\(answer.text)")
            let form = try reporter.form()
            #expect(form.name == "Cy Typed" && form.test == "2026-11-01")
        }
    }

    @Test func `A file that no proxy would let through is refused with its own words`() async throws {
        try await TestAPI.withSelfReports { api in
            let bytes = [UInt8](repeating: 0, count: PageRoute.picture)
            // The server may close the connection before everything is sent.
            let answer = try? await api.stranger.upload(
                "/self-report/picture", files: ["picture": ("result.png", bytes)])
            if let answer {
                #expect(answer.status == 413 && answer.text.contains("The picture is larger than 10 MB"))
            }
            let count = try api.store.use { try $0.submittedResultCount(number: "") }
            #expect(count == 0)
        }
    }

    @Test func `A form without a picture asks for one`() async throws {
        try await TestAPI.withSelfReports { api in
            let reporter = TestAPI.Reporter(api.stranger)
            let answer = try await reporter.post("/self-report/picture")
            #expect(answer.status == 422 && answer.text.contains("Choose a picture."))
        }
    }

    @Test(arguments: Backend.installed)
    func `A picture waits for an officer, and nothing follows from it`(backend: Backend) async throws {
        try await TestAPI.withSelfReports(backend) { api in
            _ = try await api.annNearBen()
            let reporter = try await api.uploadPicture(by: api.stranger)
            _ = try await reporter.post("/self-report/details", ["order": "AB-1234"])
            let fields = TestAPI.hidden(in: reporter.page)
            let pressedTwice = reporter.browser
            let sent = try await reporter.send()
            #expect(sent.status == 303 && sent.headers["location"] == "/self-report/received?with=picture")
            let last = try await api.stranger.get("/self-report/received?with=picture").text
            #expect(last.contains("Nobody is warned before the officer confirms it."))
            try api.store.use { store in
                let result = try #require(try store.waitingResults(limit: 2).results.first)
                #expect(result.sender == .init(name: "Ann Other", number: "s1", contact: ""))
                #expect(result.testDay == TestAPI.testDay && result.orderNumber == "AB-1234")
                #expect(result.picture?.format == "png" && result.picture?.width == 3)
                #expect(try store.picture(ofSubmittedResult: result.reference) == TestAPI.smallPicture)
                #expect(try store.reports(since: 0).isEmpty)
            }
            // A second press of the button sends nothing more, also if the answer to the first did not arrive.
            for browser in [pressedTwice, reporter.browser] {
                let again = try await browser.post("/self-report/send", fields)
                #expect(again.headers["location"] == sent.headers["location"])
            }
            #expect(try api.store.use { try $0.waitingResultCount() } == 1)
        }
    }

    @Test func `What cameras add to a picture is removed before it is kept`() async throws {
        try await TestAPI.withSelfReports { api in
            var picture = PNGFile(grey: [[0, 255]])
            picture.chunks.insert(PNGFile.chunk("tEXt", Array("Author\0Ann of the camera".utf8)), at: 1)
            let reference = try await api.sendPicture(picture.bytes)
            let kept = try api.store.use { try $0.picture(ofSubmittedResult: reference) }
            #expect(kept == PNGFile(grey: [[0, 255]]).bytes)
        }
    }

    @Test func `What was read is a suggestion, with days of the site`() async throws {
        try await TestAPI.withSelfReports { api in
            let reference = "AAAAAAAAAAAAAAAAAAAAAA"
            let now = api.clock.withLock { $0 }
            func page(_ read: SubmittedResult.ReadOff) async throws -> String {
                let draft = SubmittedResult(
                    reference: reference, state: .draft, at: now, sender: .init(name: "", number: "", contact: ""),
                    proof: .picture(.init(format: "png", width: 3, height: 2, byteCount: 1, read: read)))
                #expect(try api.store.use { try $0.keepDraft(draft, picture: [1], now: now) })
                let report = SelfReport.open(SelfReportForm(.picture(reference: reference)))
                let key = try api.store.use { try $0.secret("forms") }
                var browser = api.stranger
                browser.cookie = report.sealed(key: Array(key.utf8), now: now).map { "beacon-self-report=\($0)" }
                return try await browser.get("/self-report?step=details").text
            }
            let positive = try await page(.init(outcome: "positive", testDay: TestAPI.testDay, orderNumber: "A1"))
            #expect(
                positive.contains("We read: positive, sampled on Sun 2026-11-01, number A1. Correct it if it is wrong.")
            )
            #expect(try await page(.init(outcome: "negative")).contains("Only positive results are reported here"))
            #expect(try await page(.init()).contains("nothing could be read from it"))
        }
    }

    @Test func `A picture that is not sent within an hour has to be chosen again, and what was typed is kept`()
        async throws
    {
        try await TestAPI.withSelfReports { api in
            let reporter = try await api.uploadPicture(by: api.stranger)
            // The cookie is renewed by each step, the draft is not.
            api.clock.withLock { $0 += InteractionStore.draftLifetime - 1 }
            _ = try await reporter.post("/self-report/details")
            api.clock.withLock { $0 += 1 }
            for path in ["/self-report/details", "/self-report/send"] {
                let late = try await reporter.post(path)
                #expect(late.status == 422 && late.text.contains("The picture is not kept any more"), "\(late.text)")
                #expect(try reporter.form().name == "Ann Other")
            }
            let count = try api.store.use { try $0.waitingResultCount() }
            #expect(count == 0)
        }
    }

    @Test func `Another picture takes the place of the first`() async throws {
        try await TestAPI.withSelfReports { api in
            let reporter = try await api.uploadPicture(by: api.stranger)
            let reference = try #require(try reporter.form().reference)
            let other = PNGFile(grey: [[7]]).bytes
            let again = try await reporter.upload(other)
            #expect(try reporter.form().reference == reference)
            #expect(again.text.contains("value=\"Ann Other\""))
            let kept = try api.store.use { try $0.picture(ofSubmittedResult: reference) }
            #expect(kept == other)
        }
    }

    @Test func `An address can send only so many pictures`() async throws {
        try await TestAPI.withSelfReports { api in
            let file = Array("%PDF-1.7\n".utf8)
            let reporter = TestAPI.Reporter(api.stranger)
            for _ in 0..<PictureBudgets.burst {
                let refused = try await reporter.upload(file)
                #expect(refused.status == 422)
            }
            let paused = try await reporter.upload(file)
            #expect(paused.status == 429 && paused.text.contains("Too many pictures came from your network"))
        }
    }

    @Test func `When no more can wait, nothing is sent and what was typed is kept`() async throws {
        try await TestAPI.withSelfReports { api in
            let now = api.clock.withLock { $0 }
            try api.store.use { store throws in
                let facts = SubmittedResult.PictureFacts(format: "png", width: 1, height: 1, byteCount: 1)
                for number in 0..<InteractionStore.mostWaitingResults {
                    let picture = SubmittedResult(
                        reference: "p\(number)", state: .draft, at: now,
                        sender: .init(name: "", number: "", contact: ""), proof: .picture(facts))
                    #expect(try store.keepDraft(picture, picture: [1], now: now))
                    #expect(try store.send(picture, now: now))
                    let result = SubmittedResult(
                        reference: "r\(number)", state: .waiting, at: now,
                        sender: .init(name: "", number: "", contact: ""), proof: .code)
                    #expect(try store.send(result, now: now))
                }
            }
            let reporter = try await api.uploadPicture(by: api.stranger)
            let full = try await reporter.send()
            #expect(full.status == 503 && full.text.contains("Too many results wait"))
            #expect(full.text.contains("Step 4 of 4") && full.text.contains("Ann Other"))
            // A code that could not be used stays what it was.
            let code = try api.verificationCode()
            for _ in 0..<2 {
                let sent = try await api.sendCode(code, name: "Cy", number: "", by: api.stranger).sent
                #expect(sent.status == 503 && sent.text.contains("The code is not used up."), "\(sent.text)")
            }
        }
    }

    @Test func `A page that takes no pictures offers only codes`() async throws {
        let configuration = TestAPI.pageConfiguration + "[pictures]\nreader = \"off\"\n"
        try await TestAPI.with(configuration: configuration) { api in
            let start = try await api.stranger.get("/self-report").text
            #expect(start.contains("/self-report?with=code") && !start.contains("with=picture"))
            let answer = try await api.stranger.upload(
                "/self-report/picture", files: ["picture": ("a.png", TestAPI.smallPicture)])
            #expect(answer.status == 404 && answer.text.contains("takes no pictures"))
        }
    }
}
