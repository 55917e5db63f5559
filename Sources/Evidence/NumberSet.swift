/// A set of subject numbers with fast rejection: most numbers that are tested are below the least or above the
/// greatest.
package struct NumberSet {
    private let numbers: Set<Int64>
    private let bounds: ClosedRange<Int64>?

    package init(_ numbers: Set<Int64>) {
        self.numbers = numbers
        bounds = numbers.min().flatMap { least in numbers.max().map { least...$0 } }
    }

    package func contains(_ number: Int64) -> Bool {
        guard let bounds, bounds.contains(number) else { return false }
        return bounds.lowerBound == bounds.upperBound || numbers.contains(number)
    }
}
