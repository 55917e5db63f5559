import Pages

/// A refused attempt to prove who somebody is, for the metrics.
enum SignInFailure: String, CaseIterable {
    /// A sign-in at the identity provider.
    case signIn = "sign-in"
    /// A one-time link of `beacon-matcher sign-in`.
    case link
    /// A verification code of a health officer.
    case code
    /// The token of an operator.
    case operatorToken = "operator-token"
    /// The secret of a subject or of a phone, or an enrolment code.
    case secret

    /// Returns the failure that an answer means; `nil` if it is none.
    ///
    /// - Parameters:
    ///   - access: who can use the route of the API; `nil` for a page.
    ///   - page: route of the page; `nil` for the API.
    init?(_ access: APIRoute.Access?, _ page: PageRoute?, status: Int) {
        switch (access, page) {
        case (.operators?, _) where status == 401 || status == 403: self = .operatorToken
        case (.code?, _) where status == 401 || status == 403: self = .code
        case (.subject?, _) where status == 401 || status == 403: self = .secret
        case (.carrier?, _) where status == 401 || status == 403: self = .secret
        case (.reporter?, _) where status == 401 || status == 403: self = .secret
        case (.enrolment?, _) where status == 401 || status == 403: self = .secret
        case (nil, .finishSignIn?) where status == 403: self = .signIn
        case (nil, .useLink?) where status == 403: self = .link
        case (nil, .sendSelfReport?) where status == 403: self = .code
        default: return nil
        }
    }
}
