import SignIn

/// Cookies of the page. Pure.
enum SessionCookie {
    /// Returns the field that gives a browser its session.
    static func setting(_ token: String, for seconds: Int64, at address: PublicAddress) -> String {
        field(address.cookie, token, for: seconds, at: address)
    }

    /// Returns the field that takes the session from a browser.
    static func removing(at address: PublicAddress) -> String { field(address.cookie, "", for: 0, at: address) }

    /// Returns the field that binds a sign-in to its browser.
    static func binding(_ secret: String, for seconds: Int64, at address: PublicAddress) -> String {
        field(address.signInCookie, secret, for: seconds, at: address)
    }

    private static func field(_ name: String, _ value: String, for seconds: Int64, at address: PublicAddress) -> String
    {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (address.isHTTPS ? "; Secure" : "")
    }
}
