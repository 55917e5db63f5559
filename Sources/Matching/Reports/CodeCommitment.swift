/// A phone's commitment: a hash of the codes that it transmits on a day.
package struct CodeCommitment: Hashable, Sendable {
    /// Days since 1970.
    package var day: Int64
    package var hash: String

    package init(day: Int64, hash: String) {
        self.day = day
        self.hash = hash
    }
}
