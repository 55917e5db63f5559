import Matching
import Testing

@testable import Evidence

@Suite("In which order readings are settled") struct SettlingOrderTests {
    @Test func `Between two quarters of the present there is one of the past at most`() {
        var order = SettlingOrder()
        #expect(!order.isTurnOfLate)
        order.settled(isLate: false)
        #expect(order.isTurnOfLate)
        order.settled(isLate: true)
        #expect(!order.isTurnOfLate)
        order.settled(isLate: true)
        #expect(!order.isTurnOfLate)
    }

    @Test func `What ended an hour ago is late`() {
        let block = ReadingBlock(number: 1000)
        #expect(SettlingOrder.newestLate(now: block.end + 3600) == 1000)
        #expect(SettlingOrder.newestLate(now: block.end + 3599) == 999)
    }

    @Test func `A gateway has 96 quarters an hour compared anew, and keeps none of others'`() {
        var order = SettlingOrder()
        for _ in 0..<96 {
            #expect(order.admits(["thief"], now: 7200))
            order.countAnew(["thief"], now: 7200)
        }
        #expect(!order.admits(["thief"], now: 10_799))
        #expect(order.admits(["thief", "other"], now: 10_799))
        #expect(order.admits(["thief"], now: 10_800))
        order.countAnew(["thief"], now: 10_800)
        #expect(order.admits(["thief"], now: 10_801))
    }
}
