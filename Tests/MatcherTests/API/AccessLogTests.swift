import HTTPTypes
import Testing

@testable import MatcherDaemon

@Suite("What the log says of requests") struct AccessLogTests {
    private func kind(_ status: Int, who: String? = nil, subjects: [String] = []) -> AccessLog.Entry.Kind {
        AccessLog.Entry(
            method: .post, route: "/v1/reports", who: who, subjects: subjects, about: nil, status: status,
            client: "192.0.2.1"
        ).kind
    }

    @Test func `Whoever was known is said, whatever the answer was`() {
        #expect(kind(200, who: "desk") == .access)
        #expect(kind(422, who: "desk") == .access)
        #expect(kind(429, subjects: ["phone 0123456789abcdef"]) == .access)
        #expect(kind(201) == .access)
    }

    @Test(arguments: [400, 404, 405, 413, 415, 422, 429, 503])
    func `A mistaken request of somebody unknown doesn't fill the log`(status: Int) {
        #expect(kind(status) == .nothing)
    }

    @Test func `Who is refused is said as that`() {
        #expect(kind(401) == .refusal(isLimited: true) && kind(403) == .refusal(isLimited: true))
    }

    @Test func `Who is led to the sign-in is not signed in, and who sent a form and is led on has access`() {
        #expect(kind(303) == .notSignedIn)
        #expect(kind(303, who: "Olga Officer") == .access)
    }

    @Test func `A refusal of which one secret was right is never left out`() {
        #expect(kind(403, subjects: ["badge 0123456789abcdef"]) == .refusal(isLimited: false))
    }

    @Test func `A client that is refused all the time has a line a minute, with what was left out`() {
        var tally = RefusalTally()
        #expect(tally.says("a", 0) == .init(leftOut: 0, leftOutOfOthers: 0))
        for second in 1...59 { #expect(tally.says("a", Double(second)) == nil) }
        #expect(tally.says("b", 30) == .init(leftOut: 0, leftOutOfOthers: 0))
        #expect(tally.says("a", 60) == .init(leftOut: 59, leftOutOfOthers: 0))
        #expect(tally.says("a", 600) == .init(leftOut: 0, leftOutOfOthers: 0))
    }

    // As somebody has who has a network of IPv6.
    @Test func `A hundred thousand clients fill neither the log nor the memory, and none isn't counted`() {
        var tally = RefusalTally()
        var lines = 0
        var leftOut = 0
        for number in 0..<100_000 {
            // A thousand each second.
            guard let line = tally.says("\(number)", Double(number / 1000)) else { continue }
            lines += 1
            leftOut += line.leftOut + line.leftOutOfOthers
        }
        #expect(lines == 2 * RefusalTally.mostAMinute)
        #expect(leftOut == 60_000 - RefusalTally.mostAMinute)
        for minute in 2..<100 {
            for number in 0..<100 { _ = tally.says("\(minute) \(number)", Double(minute * 60)) }
        }
        #expect(tally.count <= 1001)
    }
}

extension RefusalTally {
    // Mutating calls don't go into expectations.
    fileprivate mutating func says(_ client: String, _ now: Double) -> Line? { refused(client, now: now) }
}
