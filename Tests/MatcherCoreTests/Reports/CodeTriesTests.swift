import Testing

@testable import MatcherCore

@Suite("Tries of verification codes") struct CodeTriesTests {
    @Test(arguments: VerificationCode.Form.allCases)
    func `An address can try five wrong codes an hour`(form: VerificationCode.Form) {
        var tries = CodeTries()
        for second in 0..<5 { #expect(tries.fails(form, by: "a", now: 1000 + Int64(second)) == nil) }
        #expect(tries.fails(form, by: "a", now: 1010) == 3590)
        #expect(tries.fails(form, by: "b", now: 1010) == nil)
        #expect(tries.fails(form, by: "a", now: 4599) == 1)
        // The first is an hour old, and the second a second later.
        #expect(tries.fails(form, by: "a", now: 4600) == nil)
        #expect(tries.fails(form, by: "a", now: 4600) == 1)
    }

    @Test func `All addresses together can try twenty wrong short codes an hour, and long ones go on`() {
        var tries = CodeTries()
        for address in 0..<20 { #expect(tries.fails(.short, by: "\(address)", now: 0) == nil) }
        #expect(tries.fails(.short, by: "new", now: 600) == 3000)
        #expect(tries.fails(.long, by: "new", now: 600) == nil)
        #expect(tries.fails(.short, by: "new", now: 3600) == nil)
    }

    @Test func `Right codes and those that could not be looked up don't count`() {
        var tries = CodeTries()
        for _ in 0..<100 {
            #expect(tries.begins(.short, by: "a", now: 0) == nil)
            tries.end(.short, by: "a", isWrong: false, now: 0)
        }
        #expect(tries.count == 0)
    }

    // Otherwise a thousand could be tried at once, before the first is known to be wrong.
    @Test func `Codes in progress take up places`() {
        var tries = CodeTries()
        for _ in 0..<5 { #expect(tries.begins(.short, by: "a", now: 0) == nil) }
        #expect(tries.begins(.short, by: "a", now: 0) == 1)
        for address in 0..<15 { #expect(tries.begins(.short, by: "\(address)", now: 0) == nil) }
        #expect(tries.begins(.short, by: "b", now: 0) == 1)
        #expect(tries.begins(.long, by: "b", now: 0) == nil)
        tries.end(.short, by: "a", isWrong: false, now: 0)
        #expect(tries.begins(.short, by: "a", now: 0) == nil)
    }

    @Test func `A clock that was set back keeps nobody waiting for longer than an hour`() {
        var tries = CodeTries()
        for _ in 0..<5 { #expect(tries.fails(.long, by: "a", now: 1_000_000) == nil) }
        #expect(tries.fails(.long, by: "a", now: 0) == 3600)
    }

    @Test func `Addresses that never come again aren't remembered for ever`() {
        var tries = CodeTries(capacity: 100)
        for address in 0..<10_000 { #expect(tries.fails(.long, by: "\(address)", now: 0) == nil) }
        #expect(tries.count <= 200)
        for _ in 0..<4 { #expect(tries.fails(.long, by: "9999", now: 0) == nil) }
        #expect(tries.fails(.long, by: "9999", now: 0) == 3600)
    }
}

extension CodeTries {
    // Mutating calls don't go into expectations.
    fileprivate mutating func begins(_ form: VerificationCode.Form, by address: String, now: Int64) -> Int64? {
        begin(form, by: address, now: now)
    }

    /// Tries a wrong code.
    fileprivate mutating func fails(_ form: VerificationCode.Form, by address: String, now: Int64) -> Int64? {
        let seconds = begin(form, by: address, now: now)
        if seconds == nil { end(form, by: address, isWrong: true, now: now) }
        return seconds
    }
}
