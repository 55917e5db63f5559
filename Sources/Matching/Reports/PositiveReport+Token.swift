extension PositiveReport {
    /// A token that makes a report more than a claim; it is spent with the report.
    package struct Token: Equatable, Sendable {
        /// A hash that stands for the token.
        package var hash: String
        /// Time until which the token must be remembered, in seconds since 1970.
        package var expires: Int64

        package init(hash: String, expires: Int64) {
            self.hash = hash
            self.expires = expires
        }
    }
}
