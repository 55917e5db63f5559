import Matching
import People
package import SignIn

/// Entry of the audit: who did what on the page or at the command line.
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

    /// The text that replaces the name of an erased subject.
    package static let erased = "(erased)"

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
        case acceptedPlace = "accepted place of beacon"
        case askedPlace = "asked to accept place of beacon"
        case triedPlace = "tried to accept place of beacon"
        case revokedGateway = "revoked gateway"
        case restoredGateway = "restored gateway"
        case revokedEnrolment = "revoked enrolment codes"
        case erasedOwnData = "erased own data"
        // Actions that only the command line has.
        case erasedData = "erased data"
        case removedPerson = "removed person"
        case madeLink = "made sign-in link"
        case sawSecret = "saw secret"
        case renewedSecret = "renewed secret"
        case revokedSecret = "revoked secret"
        case issuedEnrolment = "issued enrolment codes"
        case decidedBeacon = "decided about beacon"
        case forgotGateway = "reset progress of gateway"
        case sawSurvey = "saw survey"
        case choseOffsets = "chose offsets of receivers"
        case sawClientID = "saw client identifier"
        case renewedClientID = "renewed client identifier"
        case sawGatewayKey = "saw key of gateway"
        case madeBackup = "made backup"
        case restoredBackup = "restored backup"
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

    /// Returns how the audit has the text with which somebody searched for people: without white space at its ends, and
    /// a badge or phone as other entries name it, so that its erasure finds it.
    package static func searched(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        let trimmed = String(start.reversed().drop { $0.isWhitespace }.reversed())
        let subject =
            SubjectIdentity(trimmed) ?? SubjectIdentity(writtenKind: SubjectIdentity.badge, id: trimmed)
        return subject?.description ?? String(trimmed.prefix(PersonQuery.longest))
    }
}
