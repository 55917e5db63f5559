import OperatorText

/// Reason why a sign-in failed.
package enum SignInError: Error, Equatable, Sendable {
    /// The discovery document cannot be used: what was found, and what is allowed.
    case metadata(found: String, allowed: String)
    /// The key set cannot be used.
    case keySet(found: String, allowed: String)
    /// The browser came back with parameters that no provider sends.
    case callback(found: String, allowed: String)
    /// The provider refused the sign-in. Code and description are safe to show.
    case refused(code: String, description: String?)
    /// The sign-in was started by another browser, or never.
    case otherBrowser
    /// The sign-in took longer than `AuthorizationAttempt.lifetime`.
    case late
    /// The token endpoint refused the code. Code and description are safe to show.
    case tokenRefused(status: Int, code: String, description: String?)
    /// The token endpoint's answer cannot be used.
    case tokenResponse(found: String, allowed: String)
    case token(IDTokenError)

    /// Problem for the log, in one sentence without a full stop.
    package var what: String {
        switch self {
        case .metadata(let found, let allowed): "the provider's discovery document \(found); it \(allowed)"
        case .keySet(let found, let allowed): "the provider's key set \(found); it \(allowed)"
        case .callback(let found, let allowed): "the answer through the browser \(found); it \(allowed)"
        case .refused(let code, let description):
            "the provider refused the sign-in: \(Self.shown(code, description))"
        case .otherBrowser: "the browser brought an answer to a sign-in that it did not start"
        case .late: "the browser brought the answer to a sign-in that started more than 10 minutes ago"
        case .tokenRefused(let status, let code, let description):
            "the token endpoint answered \(status): \(Self.shown(code, description))"
        case .tokenResponse(let found, let allowed): "the token endpoint's answer \(found); it \(allowed)"
        case .token(let error): error.what
        }
    }

    /// Description of what happened, shown to the person.
    package var sentence: String {
        switch self {
        case .metadata, .keySet, .tokenRefused, .tokenResponse:
            "The sign-in service gave an answer that cannot be used."
        case .callback: "The address of this page did not come from the sign-in service."
        case .refused(let code, let description):
            "The sign-in service did not sign you in: \(Self.shown(code, description))."
        case .otherBrowser: "This sign-in was not started in this browser, or is already finished."
        case .late: "The sign-in took longer than 10 minutes."
        case .token(let error): error.sentence
        }
    }

    /// Remedy, for the person.
    package var remedy: String {
        switch self {
        case .refused, .callback, .otherBrowser, .late: "Start the sign-in again from this page."
        case .metadata, .keySet, .tokenRefused, .tokenResponse, .token:
            "Try again. If it fails again, tell the person who runs this service: the log has the reason."
        }
    }

    private static func shown(_ code: String, _ description: String?) -> String {
        description.map { "\(code) (\($0))" } ?? code
    }
}

extension SignInError {
    /// Returns an error code of OAuth that is safe to show; `unknown_error` if it has other characters.
    static func code(_ text: String) -> String {
        let isCode =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "._-:/".utf8.contains($0)
            }
        return isCode ? text : "unknown_error"
    }

    /// Returns a description of an error that is safe to show.
    static func description(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0.shown(upTo: 200) }
    }
}
