package import Matching

/// A digest that stands for a subject where there are too many to keep their names. It consists of 128 bits of a hash
/// whose key is drawn at each start of the program. Nobody can therefore construct two subjects with the same digest,
/// and hundreds of thousands do not collide by chance (2^-90).
package struct SubjectDigest: Hashable {
    private let high: UInt64
    private let low: UInt64

    package init(_ subject: SubjectIdentity) {
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
    package func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
