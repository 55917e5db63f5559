import Matching

/// Stands for a subject where there are too many to keep their names: 128 bits of a hash whose key is drawn anew at each
/// start of the program, so that nobody can make two subjects have the same, and hundreds of thousands don't by chance (2^-90).
struct SubjectDigest: Hashable {
    private let high: UInt64
    private let low: UInt64

    init(_ subject: SubjectIdentity) {
        func hash(_ part: UInt8) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(part)
            hasher.combine(subject.kind)
            hasher.combine(subject.id)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        (high, low) = (hash(0), hash(1))
    }

    // One half is as good as both.
    func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
