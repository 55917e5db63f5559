/// Verification code that was issued, without the code.
package struct IssuedCode: Equatable, Sendable {
    /// Keyed hash of the code.
    package var hash: String
    package var isLong: Bool
    /// Days of test and onset, in days since 1970.
    package var test: Int64
    package var onset: Int64?
    /// Times of issue and expiry, in seconds since 1970.
    package var issued: Int64
    package var expires: Int64
    /// Name of the health officer's account.
    package var issuer: String

    package init(
        hash: String, isLong: Bool, test: Int64, onset: Int64?, issued: Int64, expires: Int64, issuer: String
    ) {
        self.hash = hash
        self.isLong = isLong
        self.test = test
        self.onset = onset
        self.issued = issued
        self.expires = expires
        self.issuer = issuer
    }
}
