import Glibc
package import Testing

/// How much the tests do, which the environment variable `TEST_SCALE` says: from 1, for every day, to 100, for the full
/// proofs.
package enum TestScale {
    package static let value = min(max(1, getenv("TEST_SCALE").flatMap { Int(String(cString: $0)) } ?? 1), 100)

    package static var isFull: Bool { value == 100 }

    /// An amount of work: `daily` at scale 1, `full` at scale 100, and on the line through both elsewhere.
    package static func amount(_ daily: Int, full: Int) -> Int { daily + (full - daily) * (value - 1) / 99 }
}

extension Trait where Self == ConditionTrait {
    /// The test takes long, and runs from `TEST_SCALE=100` on.
    package static var full: Self { .enabled(if: TestScale.isFull, "runs with TEST_SCALE=100") }
}
