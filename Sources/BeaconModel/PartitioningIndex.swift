extension RandomAccessCollection {
    /// Returns the first index whose element belongs to the second part of a partitioned collection, or `endIndex` when
    /// there is none. Takes logarithmic time.
    ///
    /// - Parameter belongsInSecondPartition: false for the elements of the first part, true for all others.
    @inlinable
    package func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = self.count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if belongsInSecondPartition(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
