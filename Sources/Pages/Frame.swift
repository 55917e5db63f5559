package import SignIn

/// Frame around the contents of every page: title, navigation, and the account that is signed in.
package struct Frame: Sendable {
    package var title: String
    package var navigation: [Navigation.Item]
    package var viewer: Viewer?
    /// Message at the top of the page.
    package var notice: Notice?
    /// Name of the time zone of all times of the page; `nil` if it has none.
    package var zone: String?
    package let styleSheet = PageAsset.style.path
    package let script = PageAsset.page.path
    package let icon = PageAsset.icon.path

    /// Person who is signed in.
    package struct Viewer: Equatable, Sendable {
        package var name: String
        /// Roles in words.
        package var roles: String
        /// Token that each form sends.
        package var formToken: String

        package init(_ account: Account, formToken: String) {
            name = account.name
            roles = account.roles.sorted().map(\.rawValue).joined(separator: ", ")
            self.formToken = formToken
        }
    }

    /// Message about what was just done, or what went wrong.
    package struct Notice: Equatable, Sendable {
        package var text: String
        package var isProblem: Bool

        package init(_ text: String, isProblem: Bool = false) {
            self.text = text
            self.isProblem = isProblem
        }
    }

    /// Creates the frame of a page.
    ///
    /// - Parameters:
    ///   - route: route whose entry in the navigation is marked.
    ///   - account: the account that is signed in, with the token of its forms.
    package init(
        _ title: String, route: PageRoute? = nil, account: (account: Account, formToken: String)? = nil,
        notice: Notice? = nil, zone: String? = nil
    ) {
        self.title = title
        navigation = account.map { Navigation.items(for: $0.account.roles, current: route) } ?? []
        viewer = account.map { Viewer($0.account, formToken: $0.formToken) }
        self.notice = notice
        self.zone = zone
    }

}
