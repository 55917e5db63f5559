/// Similarity of two subjects in a minute, in 4 bits: 0 for less than 0.74, then one level for each 0.02.
package struct SimilarityLevel: RawRepresentable, Hashable, Comparable, Sendable {
    /// Level, 0 to 14.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = min(rawValue, 14) }

    /// Minimum similarity that is stored. A policy cannot ask for less.
    package static let least = 0.74
    package static let step = 0.02
    package static let none = SimilarityLevel(rawValue: 0)

    /// Returns the level of a similarity.
    ///
    /// - Parameter similarity: 0 to 1.
    package init(_ similarity: Double) {
        guard similarity >= Self.least else {
            self = .none
            return
        }
        // A similarity that equals a threshold except for the rounding of a square root counts as that threshold.
        rawValue = UInt8(min(14, 1 + Int((similarity - Self.least) / Self.step + 1e-9)))
    }

    /// Returns the level of a threshold; `nil` for one that is not a multiple of the step or is out of range.
    package init?(threshold: Double) {
        let steps = ((threshold - Self.least) / Self.step).rounded()
        guard (0...12).contains(steps), abs(Self.least + steps * Self.step - threshold) < 1e-6 else { return nil }
        rawValue = UInt8(steps) + 1
    }

    /// Minimum similarity of the level; 0 for `none`.
    package var similarity: Double { self == .none ? 0 : Self.least + Double(rawValue - 1) * Self.step }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
