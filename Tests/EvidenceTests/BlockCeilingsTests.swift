import Testing

@testable import Evidence

@Suite("Whom a gateway is believed to have heard in a block") struct BlockCeilingsTests {
    @Test func `Of too many those count that have been known for longest, in whatever order they come`() {
        let ascending = Array(1...100 as ClosedRange<Int64>)
        for numbers in [ascending, ascending.reversed(), ascending.map { $0 * 37 % 101 }] {
            var ceilings = BlockCeilings(limit: 10)
            for number in numbers { ceilings.add(number, of: 1) }
            ceilings.close()
            #expect(ceilings.isNeeded)
            #expect((1...100).filter { ceilings.admits($0, of: 1) } == Array(1...10))
            // Another gateway's word isn't touched.
            #expect(ceilings.admits(100, of: 2))
        }
    }

    @Test func `The same subject again is no more`() {
        var ceilings = BlockCeilings(limit: 10)
        for _ in 1...50 { for number in 1...10 as ClosedRange<Int64> { ceilings.add(number, of: 1) } }
        ceilings.close()
        #expect(!ceilings.isNeeded && ceilings.admits(11, of: 1))
    }
}
