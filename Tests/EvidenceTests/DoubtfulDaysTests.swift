import Testing

@testable import Evidence

@Suite struct DoubtfulDaysTests {
    private let today: Int64 = 20_000

    private func admitted(_ tried: [Int64], of gateway: String, _ days: inout DoubtfulDays) -> [Int64] {
        var admitted: [Int64] = []
        for day in tried where days.admits(day, of: gateway, today: today) { admitted.append(day) }
        return admitted
    }

    @Test func `A gateway has a bound, and days around the machine's clock are always admitted`() {
        var days = DoubtfulDays()
        #expect(admitted(Array(0..<1000), of: "thief", &days).count == 40)
        let near = [today, today + 1, today - 30, today + 30]
        #expect(admitted(near + [today + 31], of: "thief", &days) == near)
        // Others have room of their own, and what there is is there for everybody.
        #expect(admitted([5000], of: "honest", &days) == [5000])
        #expect(admitted([5000], of: "thief", &days) == [5000])
    }

    @Test func `All of them together have one, too`() {
        var days = DoubtfulDays(known: [1, 2, 3])
        var count = 0
        for day in 0..<10_000 { count += admitted([Int64(day)], of: "gateway \(day % 100)", &days).count }
        #expect(count == 600)
        #expect(admitted([today], of: "gateway 1", &days) == [today])
    }
}
