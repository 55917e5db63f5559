import Testing

@testable import HTTPServing

@Suite("How many connections there may be") struct ConnectionLimitsTests {
    @Test func `A client has as many connections as it may, and others have theirs`() {
        var limits = ConnectionLimits(mostOfOne: 2, mostOfAll: 100)
        #expect(limits.opens(1, "a") == .taken)
        #expect(limits.opens(2, "a") == .taken)
        #expect(limits.opens(3, "a") == .refused)
        #expect(limits.opens(4, "b") == .taken)
        limits.closed(1)
        #expect(limits.opens(5, "a") == .taken)
        for id: UInt64 in [2, 2, 3, 4, 5, 5] { limits.closed(id) }
        #expect(limits.count == 0 && limits.clients == 0)
    }

    @Test func `When all are taken, whoever has the most gives one up`() {
        var limits = ConnectionLimits(mostOfOne: 3, mostOfAll: 4)
        #expect(limits.opens(1, "b") == .taken)
        for id: UInt64 in 2...4 { #expect(limits.opens(id, "a") == .taken) }
        #expect(limits.opens(5, "c") == .takenInPlace(of: 2))
        // a and nobody else has two now, and is the one who gives again, also to itself.
        #expect(limits.opens(6, "a") == .takenInPlace(of: 3))
        // Of clients with as many the one that has waited for the longest time.
        #expect(limits.opens(7, "d") == .takenInPlace(of: 4))
        #expect(limits.opens(8, "e") == .takenInPlace(of: 1))
        #expect(limits.count == 4)
        // The end of one that was given up changes nothing.
        limits.closed(2)
        #expect(limits.count == 4)
    }

    @Test func `Idle connections go first, then unfinished headers and bodies, and answers never`() {
        var limits = ConnectionLimits(mostOfOne: 10, mostOfAll: 5)
        for id: UInt64 in 1...5 { #expect(limits.opens(id, "a") == .taken) }
        limits.moved(1, to: .answer)
        limits.moved(2, to: .body)
        limits.moved(4, to: .idle)
        limits.moved(5, to: .answer)
        // What was closed long ago is nobody's.
        limits.moved(99, to: .idle)
        #expect(limits.opens(6, "b") == .takenInPlace(of: 4))
        #expect(limits.opens(7, "b") == .takenInPlace(of: 3))
        #expect(limits.opens(8, "b") == .takenInPlace(of: 2))
        for id: UInt64 in 6...8 { limits.moved(id, to: .answer) }
        #expect(limits.opens(9, "c") == .refused)
        limits.moved(1, to: .idle)
        #expect(limits.opens(9, "c") == .takenInPlace(of: 1))
    }

    // Clients that ask for much and read nothing had kept everybody out.
    @Test func `Who doesn't take an answer is given up before somebody new is refused, and after all others`() {
        var limits = ConnectionLimits(mostOfOne: 10, mostOfAll: 3)
        for id: UInt64 in 1...3 { #expect(limits.opens(id, "a") == .taken) }
        limits.moved(1, to: .stalled)
        limits.moved(2, to: .body)
        limits.moved(3, to: .answer)
        #expect(limits.opens(4, "b") == .takenInPlace(of: 2))
        limits.moved(4, to: .answer)
        #expect(limits.opens(5, "c") == .takenInPlace(of: 1))
        limits.moved(5, to: .answer)
        #expect(limits.opens(6, "d") == .refused)
        // It goes on reading.
        limits.moved(5, to: .stalled)
        limits.moved(5, to: .answer)
        #expect(limits.opens(6, "d") == .refused)
    }

    @Test func `Being told the same again makes no connection look newer`() {
        var limits = ConnectionLimits(mostOfOne: 10, mostOfAll: 2)
        #expect(limits.opens(1, "a") == .taken)
        #expect(limits.opens(2, "a") == .taken)
        limits.moved(1, to: .header)
        #expect(limits.opens(3, "a") == .takenInPlace(of: 1))
    }
}

extension ConnectionLimits {
    // Mutating calls don't go into expectations.
    fileprivate mutating func opens(_ id: UInt64, _ client: String) -> Opening { opened(id, by: client) }
}
