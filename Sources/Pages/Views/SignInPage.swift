/// Page that leads to the identity provider.
package struct SignInPage: PageContent {
    package static let template = PageTemplate.signIn
    package var frame: Frame
    /// Address of the route that begins the sign-in; `nil` if no identity provider is configured.
    package var start: String?

    /// Address at which the session at the identity provider ends, for somebody who has just signed out.
    package var endElsewhere: String?

    package init(_ frame: Frame, start: String?, endElsewhere: String? = nil) {
        self.frame = frame
        self.start = start
        self.endElsewhere = endElsewhere
    }
}

/// Page of a one-time link. A button uses the link up, because programs that look at links beforehand follow them.
package struct LinkPage: PageContent {
    package static let template = PageTemplate.link
    package var frame: Frame
    package var token: String
    /// Path to which the browser goes after the sign-in.
    package var destination: String

    package init(_ frame: Frame, token: String, destination: String) {
        self.frame = frame
        self.token = token
        self.destination = destination
    }
}
