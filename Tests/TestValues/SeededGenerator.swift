import Glibc
package import Testing

/// Random numbers of a test that can be repeated (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    package let seed: UInt64
    private var state: UInt64

    /// The same numbers at each run.
    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Other numbers at each run, or, to repeat a failure, those of the environment variable `BEACON_TEST_SEED`.
    ///
    /// Says its seed on standard error, because a test that traps leaves no comment.
    package init(_ purpose: String) {
        var system = SystemRandomNumberGenerator()
        self.init(seed: getenv("BEACON_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? system.next())
        let line = "\(purpose): BEACON_TEST_SEED=\(seed)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }

    /// For the failure of an expectation.
    package var comment: Comment { "repeat with BEACON_TEST_SEED=\(seed)" }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
