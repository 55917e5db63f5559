import TestValues
import Testing

@testable import GatewayCore

@Suite struct BootNumberTests {
    private static let second = 1_605_441_600 as Int64

    @Test("It is greater than the one before, whatever the clock says", arguments: 0..<20 as Range<UInt64>)
    func grows(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var last: UInt64 = 0
        let seconds = [
            Self.second, Self.second, 0, -1, .min, Self.second + 1, 2 << 40, .max, Self.second, .max,
        ]
        for now in seconds {
            let next = BootNumber.next(after: last, seconds: now, using: &generator)
            #expect(next > last && next < BootNumber.greatest, "seed \(seed)")
            #expect(UInt64(exactly: Double(next)) == next, "seed \(seed)")
            last = next
        }
    }

    @Test("It grows with the clock when the one before was lost, and over one that was only seconds")
    func clock() {
        var generator = SystemRandomNumberGenerator()
        let lost = BootNumber.next(after: 0, seconds: Self.second, using: &generator)
        #expect(BootNumber.next(after: 0, seconds: Self.second + 1, using: &generator) > lost)
        #expect(
            BootNumber.next(after: UInt64(Self.second) + 7, seconds: Self.second, using: &generator) >= (lost >> 20)
                << 20
        )
    }

    @Test("Copies of one state that start in the same second get different numbers", arguments: [0, 1 << 52 as UInt64])
    func copies(last: UInt64) {
        var generator = SeededGenerator(seed: 1)
        let numbers = (0..<50).map { _ in BootNumber.next(after: last, seconds: Self.second, using: &generator) }
        #expect(Set(numbers).count == numbers.count)
    }

    @Test("The last numbers are used up to the greatest")
    func end() {
        var generator = SeededGenerator(seed: 2)
        for last in [BootNumber.greatest - 2, BootNumber.greatest - 1, BootNumber.greatest] {
            let next = BootNumber.next(after: last, seconds: Self.second, using: &generator)
            #expect(next <= BootNumber.greatest && next >= min(last + 1, BootNumber.greatest))
        }
    }
}
