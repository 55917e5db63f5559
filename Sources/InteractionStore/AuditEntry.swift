package import SignIn

/// Entry of the audit: who did what on the page.
package struct AuditEntry: Equatable, Sendable {
    /// Seconds since 1970.
    package var at: Int64
    /// Issuer and identifier of the account.
    package var issuer: String
    package var subject: String
    /// Name of the account at that time.
    package var name: String
    package var action: Action
    /// Object of the action: a report, a person's number, a lecture.
    package var object: String
    /// Further words, such as a reason.
    package var detail: String

    package enum Action: String, CaseIterable, Sendable {
        case signedIn = "signed in"
        case signedOut = "signed out"
        case sawExposures = "saw exposures"
        case sawReport = "saw report"
        case sawPerson = "saw person"
        case searchedPeople = "searched people"
        case filedReport = "filed report"
        case confirmedReport = "confirmed report"
        case refusedReport = "refused report"
        case withdrewReport = "withdrew report"
        case sawResult = "saw result"
        case sawResultPicture = "saw picture of result"
        case sentResult = "sent in result"
        case refusedResult = "refused result"
        case sawAttendance = "saw attendance"
        case correctedAttendance = "corrected attendance"
        case exported = "exported"
        case printedLetters = "printed letters"
        case sentMail = "sent e-mail"
        case sawPositions = "saw positions of people"
        case sawSessions = "saw sessions"
        case endedSessions = "ended sessions"
        case issuedCodes = "issued codes"
        case uploaded
        case removedUpload = "removed upload"
        case drewFloor = "drew floor"
        case removedFloor = "removed floor"
        case identifiedModule = "identified module"
        case resetModule = "reset module"
        case erasedOwnData = "erased own data"
    }

    package init(
        at: Int64, account: Account, action: Action, object: String = "", detail: String = ""
    ) {
        self.at = at
        issuer = account.issuer
        subject = account.subject
        name = account.name
        self.action = action
        self.object = object
        self.detail = detail
    }
}
