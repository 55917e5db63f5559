import TestValues
import Testing

@testable import Publishing

@Suite struct BackoffTests {
    @Test("Waits double from a second to a minute, the second half at random", arguments: 0..<20)
    func doubling(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = Backoff()
        for ceiling in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            let wait = backoff.next(using: &generator)
            #expect(wait >= .seconds(ceiling) / 2 && wait <= .seconds(ceiling), "seed \(seed)")
        }
        backoff.ease()
        #expect((1...2).contains(backoff.next(using: &generator) / .seconds(1)), "seed \(seed)")
        backoff.reset()
        #expect(backoff.next(using: &generator) <= .seconds(1), "seed \(seed)")
    }
}
