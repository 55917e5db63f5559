import InteractionStore
import Matching
import People
import SignIn
import SystemIO
import TestValues
import Testing

@testable import MatcherDaemon

extension TestAPI {
    /// 2026-11-01, in days since 1970: the day of tests.
    static let testDay: Int64 = 20_758
    static let smallPicture = PNGFile(grey: [[0, 255, 0], [255, 0, 255]]).bytes

    /// Runs `body` with a page that takes pictures, and whose reader is not there.
    static func withSelfReports<Value>(
        _ backend: Backend = .chosen, isBehindProxy: Bool = false, isolation: isolated (any Actor)? = #isolation,
        _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        let configuration =
            pageConfiguration + """
                [pictures]
                reader = "socket"
                socket = "/nowhere/reader.sock"

                """
        return try await with(backend, configuration: configuration, isBehindProxy: isBehindProxy, body)
    }

    /// Has Ann Other (s1) and Ben Near (s2) in one room, both in the register.
    func annNearBen() async throws -> (ann: Phone, ben: Phone) {
        let (ann, ben) = (try await newPhone(), try await newPhone())
        try hear(ann.identity, 0...20, sequence: 1)
        try hear(ben.identity, 0...20, sequence: 2)
        let people = [
            Person(number: "s1", name: "Ann Other", subjects: [ann.identity]),
            Person(number: "s2", name: "Ben Near", subjects: [ben.identity]),
        ]
        _ = try store.use { try $0.importPeople(people, keepsOthers: false, isTrial: false) }
        return (ann, ben)
    }

    /// Browser in which somebody reports: it keeps the cookie of the self-report, and goes where answers lead.
    final class Reporter: Sendable {
        private struct State: Sendable {
            var browser: Browser
            /// The sealed form, as the cookie has it.
            var sealed: String?
            /// The last page.
            var page = ""
        }

        private let state: LockedValue<State>
        private let ownCookie: String?

        init(_ browser: Browser) {
            state = LockedValue(State(browser: browser))
            ownCookie = browser.cookie
        }

        /// The browser with its cookies of now.
        var browser: Browser { state.withLock { $0.browser } }
        var sealed: String? { state.withLock { $0.sealed } }
        var page: String { state.withLock { $0.page } }

        func get(_ path: String) async throws -> Answer { try await followed(try await browser.get(path)) }

        func post(_ path: String, _ fields: [String: String] = [:]) async throws -> Answer {
            try await followed(try await browser.post(path, fields))
        }

        func upload(_ picture: [UInt8]) async throws -> Answer {
            try await followed(
                try await browser.upload(
                    "/self-report/picture", files: ["picture": (name: "result.png", bytes: picture)]))
        }

        /// Presses the button of the last step.
        func send() async throws -> Answer { try await post("/self-report/send", TestAPI.hidden(in: page)) }

        /// The self-report, as the cookie keeps it.
        func kept() throws -> SelfReport {
            let api = browser.api
            let key = try api.store.use { try $0.secret("forms") }
            let now = api.clock.withLock { $0 }
            let sealed = try #require(sealed)
            return try #require(SelfReport.opened(sealed, key: Array(key.utf8), now: now))
        }

        /// What was typed, as the cookie keeps it.
        func form() throws -> SelfReportForm { try #require(try kept().form) }

        /// Takes the cookie of an answer, and follows it to a step; not to the last page.
        private func followed(_ answer: Answer) async throws -> Answer {
            var answer = answer
            take(answer)
            for _ in 0..<4 {
                guard answer.status == 303, let path = answer.headers["location"],
                    path.hasPrefix("/self-report?with=") || path.hasPrefix("/self-report?step=")
                else { break }
                answer = try await browser.get(path)
                take(answer)
            }
            return answer
        }

        private func take(_ answer: Answer) {
            let name = "beacon-self-report="
            state.withLock { state in
                if answer.status != 303 { state.page = answer.text }
                guard let field = answer.headers["set-cookie"], field.hasPrefix(name) else { return }
                let value = String(field.dropFirst(name.count).prefix { $0 != ";" })
                state.sealed = value.isEmpty ? nil : value
                let cookies = [ownCookie, state.sealed.map { name + $0 }].compactMap(\.self)
                state.browser.cookie = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
            }
        }
    }

    /// Goes through all steps with a code.
    ///
    /// - Returns: the answers to the details and to the last step.
    func sendCode(
        _ code: String, name: String, number: String, by browser: Browser
    ) async throws -> (details: Answer, review: Answer, sent: Answer, reporter: Reporter) {
        let reporter = Reporter(browser)
        let details = try await reporter.post("/self-report/code", ["code": code])
        let review = try await reporter.post("/self-report/details", ["name": name, "number": number])
        let sent = try await reporter.send()
        return (details, review, sent, reporter)
    }

    /// Uploads a picture, and types who sends it.
    ///
    /// - Returns: the browser at the last step.
    func uploadPicture(
        _ picture: [UInt8] = smallPicture, name: String = "Ann Other", number: String = "s1", by browser: Browser
    ) async throws -> Reporter {
        let reporter = Reporter(browser)
        let details = try await reporter.upload(picture)
        #expect(details.status == 200 && details.text.contains("Step 3 of 4"), "\(details.text)")
        let review = try await reporter.post(
            "/self-report/details", ["test": "2026-11-01", "name": name, "number": number])
        #expect(review.status == 200 && review.text.contains("Step 4 of 4"), "\(review.text)")
        return reporter
    }

    /// Sends a picture.
    ///
    /// - Returns: the reference of the result that waits.
    func sendPicture(_ picture: [UInt8] = smallPicture) async throws -> String {
        let reporter = try await uploadPicture(picture, by: stranger)
        let reference = try #require(try reporter.form().reference)
        let sent = try await reporter.send()
        #expect(sent.headers["location"] == "/self-report/received?with=picture", "\(sent.text)")
        return reference
    }

    /// Returns the hidden fields on a page, but for the token.
    static func hidden(in html: String) -> [String: String] {
        var fields: [String: String] = [:]
        for start in html.ranges(of: "<input type=\"hidden\" name=\"").map(\.upperBound) {
            let parts = html[start...].split(separator: "\"", maxSplits: 3, omittingEmptySubsequences: false)
            if parts.count == 4, parts[0] != "token" { fields[String(parts[0])] = String(parts[2]) }
        }
        return fields
    }
}
