import HTTPTypes
import MatcherCore
import Pages

/// Refused request of the page, in words for people.
struct PageError: Error, Equatable, Sendable {
    var status: HTTPResponse.Status
    var title: String
    /// Event or problem, in a sentence.
    var what: String
    /// Remedy, in a sentence.
    var remedy: String?
    /// Seconds after which the client can try again; `nil` if that is not known.
    var retryAfter: Int64?
    /// The method that the path takes, of an answer to another one.
    var allowed: String?
    /// Whether further data on the connection is ignored.
    var endsConnection = false
    /// Whether the page shows who is signed in. For requests that no budget limits, the store is not asked.
    var showsAccount = true

    init(_ status: HTTPResponse.Status, _ title: String, _ what: String, _ remedy: String?, retryAfter: Int64? = nil) {
        self.status = status
        self.title = title
        self.what = what
        self.remedy = remedy
        self.retryAfter = retryAfter
    }

    /// Creates the error of a request that the common parts of the server refused.
    init(_ problem: APIError) {
        status = problem.status
        title = problem.status.reasonPhrase
        what = problem.detail.asSentence
        remedy = problem.remedy?.asSentence
        retryAfter = problem.retryAfter
        allowed = problem.allowed
        endsConnection = problem.endsConnection
        showsAccount = problem.status != .tooManyRequests && problem != .noHost
    }

    static let signedOut = Self(
        .unauthorized, "Sign in", "You are not signed in.", "Sign in, and open the page again.")

    static let notAllowed = Self(
        .forbidden, "Not allowed", "Your account does not have the role that this page needs.",
        "If you need it, ask the person who manages the accounts of your institution.")

    static let notFound = Self(.notFound, "Not found", "There is no such page.", "Go back, or open the first page.")

    static let tooLarge = Self(
        .contentTooLarge, "Too large", "What you sent is too large, so nothing was saved.",
        "Upload less at once: a form with files takes at most \(PageRoute.files / 1_048_576) MB.")

    static let tooLargePicture = Self(
        .contentTooLarge, "Too large", "The picture is larger than 10 MB, so it was not taken. Nothing was sent.",
        "Go back, and choose a smaller picture: a screenshot of the result is enough.")

    static let foreignForm = Self(
        .forbidden, "Not sent", "The form was sent from another site, so nothing was done.",
        "Open the page itself, and send the form from there.")

    static func invalid(_ what: String, _ remedy: String) -> Self {
        Self(.unprocessableContent, "Not accepted", what, remedy)
    }

    static let unavailable = Self(
        .serviceUnavailable, "Not available now", "The page cannot be shown now.",
        "Try again in a minute. The reason is in the log of the server.", retryAfter: 60)
}
