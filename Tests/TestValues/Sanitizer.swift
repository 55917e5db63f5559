import Glibc
package import Testing

/// The sanitizer with which the tests were built.
package enum Sanitizer {
    /// Whether ThreadSanitizer or AddressSanitizer is part of this process.
    package static let isPresent = ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
}

extension Trait where Self == ConditionTrait {
    /// The test does not run with a sanitizer, for the given reason.
    package static func unsanitized(_ reason: Comment) -> Self { .enabled(if: !Sanitizer.isPresent, reason) }
}
