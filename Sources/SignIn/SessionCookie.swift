/// Cookies of the page.
package enum SessionCookie {
    /// Returns the field that gives a browser its session.
    package static func setting(_ token: String, for seconds: Int64, at address: PublicAddress) -> String {
        field(address.cookie, token, for: seconds, at: address)
    }

    /// Returns the field that takes the session from a browser.
    package static func removing(at address: PublicAddress) -> String { field(address.cookie, "", for: 0, at: address) }

    /// Returns the field that binds a sign-in to its browser.
    package static func binding(_ secret: String, for seconds: Int64, at address: PublicAddress) -> String {
        field(address.signInCookie, secret, for: seconds, at: address)
    }

    /// Returns the field that gives a browser what was typed of a self-report, sealed.
    package static func selfReport(_ sealed: String, for seconds: Int64, at address: PublicAddress) -> String {
        field(address.selfReportCookie, sealed, for: seconds, at: address)
    }

    private static func field(_ name: String, _ value: String, for seconds: Int64, at address: PublicAddress) -> String
    {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (address.isHTTPS ? "; Secure" : "")
    }
}
