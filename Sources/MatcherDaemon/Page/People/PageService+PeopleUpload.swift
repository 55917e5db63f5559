import HTTPTypes
import InteractionStore
import Matching
import OperatorText
import Pages
import People
import SystemIO

// A list of people that is uploaded, looked at, and then imported.
extension PageService {
    /// Maximum number of people that are listed for each kind of change.
    private static let mostListed = 20

    /// Checks a list of people, and keeps it until its import is confirmed.
    func uploadPeople(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        guard let session = request.session else { throw PageError.signedOut }
        guard let file = request.files["people"] else {
            throw PageError.invalid("No list of people was chosen.", "Go back, choose a file, and send the form again.")
        }
        switch try await self.people(in: file.bytes, named: file.name) {
        case .failure(let error):
            let review = UploadReview(
                file: "List of people \(file.name)",
                mistakes: error.problems.map(\.description.asSentence),
                others: error.others > 0 ? "Not listed: \(error.others) more." : nil)
            let frame = request.frame(
                "People", route: .people,
                notice: .init("Nothing was imported, because of the mistakes below.", isProblem: true))
            return page(
                PeoplePage(frame, query: "", summary: nil, reviews: [review]), status: .unprocessableContent)
        case .success(let people):
            try await note(.uploaded, "people", request, detail: "list of \(people.count), not imported yet")
            let content = String(decoding: file.bytes, as: UTF8.self)
            let by = Self.author(account)
            try await api.work {
                try $0.keepPending(people: content, session: session.hash, by: by, now: request.now)
            }
            let keep = request.form["keep"] == "yes" ? "?keep=yes" : ""
            return .redirect(PageRoute.pendingPeople.path + keep)
        }
    }

    /// Shows what the import of the list that waits would change.
    func pendingPeople(_ request: PageRequest) async throws -> PageAnswer {
        try await preview(request, keepsOthers: request.query["keep"] == "yes")
    }

    /// Imports the list that waits, if the officer saw what the import changes and agrees to it.
    func importPeople(_ request: PageRequest) async throws -> PageAnswer {
        guard let session = request.session else { throw PageError.signedOut }
        let (keepsOthers, seen) = (request.form["keep"] == "yes", request.form["seen"])
        let passesOn = request.form["passes-on"] == "yes"
        let (list, people) = try await pending(request)
        let entry = AuditEntry(
            at: request.now, account: session.account, action: .uploaded, object: "people", detail: "imported")
        let outcome = try await api.work { store in
            try store.importPeople(
                people, keepsOthers: keepsOthers, from: list,
                isAgreed: { difference in
                    difference.consent(to: list.content, keepsOthers: keepsOthers) == seen
                        && (passesOn || difference.passedOn.isEmpty)
                },
                audit: { difference in
                    var entry = entry
                    entry.detail = "imported: \(difference.summary)"
                    return entry
                })
        }
        switch outcome {
        case .done: return .redirect(PageRoute.people.path(done: .importedPeople))
        case .refused(let difference):
            let isSeen = difference.consent(to: list.content, keepsOthers: keepsOthers) == seen
            let isForgotten = isSeen && !passesOn && !difference.passedOn.isEmpty
            return try await preview(
                request, keepsOthers: keepsOthers,
                notice: Frame.Notice(isForgotten ? Self.passesOnNotice : Self.changedNotice, isProblem: true),
                status: isForgotten ? .unprocessableContent : .conflict)
        }
    }

    private static let passesOnNotice =
        "Nothing was imported yet, because badges or phones would pass from one person to another. If that is right, "
        + "mark that you know it, and press Import. Otherwise erase them first, and upload the list again."
    private static let changedNotice =
        "The register has changed since you looked, or another list was uploaded. Look at the list again."

    /// Shows what the import of the list that waits would change now.
    private func preview(
        _ request: PageRequest, keepsOthers: Bool, notice: Frame.Notice? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        let (list, people) = try await pending(request)
        let (difference, seen) = try await api.work { store in
            let difference = try store.peopleDifference(to: people, keepsOthers: keepsOthers)
            return (difference, difference.consent(to: list.content, keepsOthers: keepsOthers))
        }
        let words = DayWords(days: configuration.days)
        return page(
            PendingPeoplePage(
                request.frame("Import a list of people", route: .people, notice: notice),
                until: words.clock(list.at + InteractionStore.pendingLifetime),
                counts: [
                    .init("New", "\(difference.added.count)"), .init("Changed", "\(difference.changed.count)"),
                    .init("Removed", "\(difference.removed.count)"), .init("Unchanged", "\(difference.unchanged)"),
                ], groups: Self.groups(difference), hasConflicts: !difference.conflicts.isEmpty,
                passesOn: !difference.passedOn.isEmpty, keepsOthers: keepsOthers, seen: seen),
            status: status)
    }

    /// Returns the list that waits in the session.
    private func pending(_ request: PageRequest) async throws -> (file: UploadedFile, people: [Person]) {
        guard let session = request.session else { throw PageError.signedOut }
        let file = try await api.work { try $0.pendingPeople(session: session.hash, now: request.now) }
        guard let file else { throw PageError.noPendingPeople }
        // It was right when it was uploaded; a fixed beacon may have been configured since.
        guard case .success(let people) = try await self.people(in: Array(file.content.utf8), named: "the list") else {
            throw PageError.noPendingPeople
        }
        return (file, people)
    }

    private func people(
        in bytes: [UInt8], named name: String
    ) async throws -> Result<[Person], PeopleFileError> {
        let fixed = configuration.fixedSubjects
        return try await DedicatedThread.run(name: "people") { () -> Result<[Person], PeopleFileError> in
            do throws(PeopleFileError) {
                return .success(try PeopleFile.parse(bytes, file: name, fixedBeacons: fixed))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func groups(_ difference: PeopleDifference) -> [PendingPeoplePage.Group] {
        func group(_ heading: String, _ lines: [String], meaning: String? = nil) -> PendingPeoplePage.Group? {
            if lines.isEmpty { return nil }
            return PendingPeoplePage.Group(
                heading: heading, meaning: meaning, lines: Array(lines.prefix(mostListed)),
                more: lines.count > mostListed ? "Not listed: \(lines.count - mostListed) more." : nil)
        }
        return [
            group(
                "Conflicts",
                difference.conflicts.map {
                    "\($0.subject) belongs to \($0.imported.label) in the list and to \($0.kept.label) in the register"
                }),
            group("Passed on to another person", difference.passedOn.map(\.text), meaning: passedOnMeaning),
            group("New", difference.added.map(\.label)),
            group("Changed", difference.changed.map(\.text)),
            group("Removed", difference.removed.map(\.label)),
        ].compactMap(\.self)
    }

    private static let passedOnMeaning =
        "What was heard of these badges and phones before counts as the new person's: it is on their own page, in "
        + "letters and e-mails to them, and in a report about them. If it is not the same person, ask the person who "
        + "runs this service to erase each badge and phone first (beacon-matcher erase KIND:ID), and upload the list "
        + "again."
}

extension PageError {
    static let noPendingPeople = Self(
        .notFound, "No list waits",
        "No list of people waits to be imported. An uploaded list is kept for ten minutes.",
        "Open People, and upload the list again.")
}
