/// Notice of what was just done, on the page that follows. The address has only the case: nobody can make a link with
/// words of their own.
package enum DoneNotice: String, CaseIterable, Sendable {
    case confirmed, refused, withdrawn, filed, corrected
    case signedOut = "signed-out"
    case uploaded
    case uploadedWithNotes = "uploaded-notes"
    case uploadRemoved = "upload-removed"
    case importedPeople = "people-imported"
    case resultRefused = "result-refused"
    case filedUnconfirmed = "filed-unconfirmed"
    case mailOrdered = "mail-ordered"
    case noMail = "no-mail"
    case floorSaved = "floor-saved"
    case floorRemoved = "floor-removed"
    case floorsSaved = "floors-saved"
    case pictureSaved = "picture-saved"
    case pictureRemoved = "picture-removed"
    case placeAccepted = "place-accepted"
    case gatewayRevoked = "gateway-revoked"
    case gatewayRestored = "gateway-restored"
    case enrolmentRevoked = "enrolment-revoked"
    case wantsMail = "wants-mail"
    case wantsNoMail = "wants-no-mail"

    case answered
    case checkedIn = "checked-in"
    case alreadyCheckedIn = "already-checked-in"
    case erased
    case erasedInPart = "erased-in-part"
    case selfReportGone = "self-report-gone"
    case selfReportDeleted = "self-report-deleted"

    /// Name of the field in the query of the page that follows.
    private static let field = "done"

    /// Creates the notice that a query names; `nil` if it names none.
    package init?(query: [String: String]) {
        guard let name = query[Self.field] else { return nil }
        self.init(rawValue: name)
    }

    /// The notice as a part of a query.
    package var query: String { "\(Self.field)=\(rawValue)" }

    package var text: String {
        switch self {
        case .confirmed: "The report is confirmed. People who were exposed are notified."
        case .refused: "The report is refused. Nothing follows from it."
        case .withdrawn: "The report is withdrawn, with the notices that followed from it."
        case .resultRefused: "The result is refused and deleted. Nothing follows from it."
        case .filed: "The report is filed. People who were exposed are notified."
        case .filedUnconfirmed: "The report is filed. Nobody is notified until it is confirmed."
        case .corrected: "The correction is saved."
        case .uploaded: "The upload is saved, and counts from now on."
        case .uploadedWithNotes:
            "The upload is saved, and counts from now on. Some of what it names is not known here: check the file under "
                + "Timetable and roster to see what."
        case .uploadRemoved: "The upload is removed."
        case .importedPeople: "The list of people is imported."
        case .mailOrdered: "The e-mails are being sent. The list of people shows the state of each."
        case .noMail: "No e-mail was sent. Nobody in the list who has an address needs one."
        case .wantsMail: "Saved. You get an e-mail when there is news about you."
        case .wantsNoMail: "Saved. You get no e-mails, except those that the health office sends itself."
        case .floorSaved: "The floor is saved. Positions follow it from now on."
        case .floorRemoved: "What was drawn of the floor is removed. It stays among its earlier versions."
        case .floorsSaved:
            "The floors are saved. Draw their doors next: without doors, nobody is expected to walk from room to room."
        case .pictureSaved: "The picture is under the drawing."
        case .pictureRemoved: "The picture is removed."
        case .placeAccepted: "The place of the beacon is accepted. It counts from the beacon's next record on."
        case .gatewayRevoked:
            "The gateway is revoked. Remove its user at the broker too, and replace the other secrets that were on it."
        case .gatewayRestored: "Records of the gateway are accepted again, from now on."
        case .enrolmentRevoked: "The codes are revoked. Phones that have enrolled with them stay enrolled."
        case .answered: "Your answers are saved. Only you see them."
        case .checkedIn: "You are checked in to the lecture."
        case .alreadyCheckedIn: "You have already checked in to this lecture. Nothing has changed."
        case .erased: "Your data is deleted. What is listed below is what is left."
        case .erasedInPart:
            "Your data is deleted, but a part of it was still found afterwards. Delete it again in an hour, or write "
                + "to the person who runs this service."
        case .selfReportGone:
            "What you typed is not there any more, and nothing was sent. Begin again. Your browser keeps it for an "
                + "hour, and only if it accepts cookies."
        case .selfReportDeleted: "What you typed is deleted. Nothing was sent."
        case .signedOut: "You are signed out."
        }
    }
}
