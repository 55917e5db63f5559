import Glibc
public import Testing

/// How much the tests do, which the environment variable `TEST_SCALE` says: from 1, for every day, to 100, for the full
/// proofs.
public enum TestScale {
    public static let value = min(max(1, getenv("TEST_SCALE").flatMap { Int(String(cString: $0)) } ?? 1), 100)

    public static var isFull: Bool { value == 100 }

    /// An amount of work: `daily` at scale 1, `full` at scale 100, and on the line through both elsewhere.
    public static func amount(_ daily: Int, full: Int) -> Int { daily + (full - daily) * (value - 1) / 99 }
}

extension Trait where Self == ConditionTrait {
    /// The test takes long, and runs from `TEST_SCALE=100` on.
    public static var full: Self { .enabled(if: TestScale.isFull, "runs with TEST_SCALE=100") }
}
