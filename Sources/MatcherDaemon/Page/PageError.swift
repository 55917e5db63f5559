import HTTPTypes
import MatcherCore
import Pages

/// Refused request of the page, in words for people.
struct PageError: Error, Equatable, Sendable {
    var status: HTTPResponse.Status
    var title: String
    /// What happened, in a sentence.
    var what: String
    /// What to do, in a sentence.
    var remedy: String?
    /// Whether further data on the connection is ignored.
    var endsConnection = false

    init(_ status: HTTPResponse.Status, _ title: String, _ what: String, _ remedy: String?) {
        self.status = status
        self.title = title
        self.what = what
        self.remedy = remedy
    }

    /// Creates the error of a request that the common parts of the server refused.
    init(_ problem: APIError) {
        status = problem.status
        title = problem.status.reasonPhrase
        what = Self.sentence(problem.detail)
        remedy = problem.remedy.map(Self.sentence)
        endsConnection = problem.endsConnection
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    static let signedOut = Self(
        .unauthorized, "Sign in", "You are not signed in.", "Sign in, and open the page again.")

    static let notAllowed = Self(
        .forbidden, "Not allowed", "Your account does not have the role that this page needs.",
        "If you need it, ask the person who manages the accounts of your institution.")

    static let notFound = Self(.notFound, "Not found", "There is no such page.", "Go back, or to the first page.")

    static let tooLarge = Self(
        .contentTooLarge, "Too large", "What you sent is too large, so nothing was saved.",
        "Upload less at once: a form with files takes at most \(PageRoute.files / 1_048_576) MB.")

    static let foreignForm = Self(
        .forbidden, "Not sent", "The form was sent from another site, so nothing was done.",
        "Open the page itself, and send the form from there.")

    static func invalid(_ what: String, _ remedy: String) -> Self {
        Self(.unprocessableContent, "Not accepted", what, remedy)
    }

    static let unavailable = Self(
        .serviceUnavailable, "Not available now", "The answer cannot be given now.",
        "Try again in a minute. The reason is in the log of the server.")
}
