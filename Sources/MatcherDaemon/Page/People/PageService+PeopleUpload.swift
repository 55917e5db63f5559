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
        let keepsOthers = request.query["keep"] == "yes"
        let (pending, people) = try await self.pending(request)
        let difference = try await api.work {
            try $0.importPeople(people, keepsOthers: keepsOthers, isTrial: true)
        }
        let words = DayWords(days: configuration.days)
        return page(
            PendingPeoplePage(
                request.frame("Import a list of people", route: .people),
                until: words.clock(pending.at + InteractionStore.pendingLifetime),
                counts: [
                    .init("New", "\(difference.added.count)"), .init("Changed", "\(difference.changed.count)"),
                    .init("Removed", "\(difference.removed.count)"), .init("Unchanged", "\(difference.unchanged)"),
                ], groups: Self.groups(difference), hasConflicts: !difference.conflicts.isEmpty,
                keepsOthers: keepsOthers))
    }

    /// Imports the list that waits.
    func importPeople(_ request: PageRequest) async throws -> PageAnswer {
        guard let session = request.session else { throw PageError.signedOut }
        let keepsOthers = request.form["keep"] == "yes"
        let (_, people) = try await self.pending(request)
        let entry = AuditEntry(
            at: request.now, account: session.account, action: .uploaded, object: "people", detail: "imported")
        let isImported = try await api.work { store -> Bool in
            let difference = try store.importPeople(people, keepsOthers: keepsOthers, isTrial: false)
            guard difference.conflicts.isEmpty else { return false }
            var entry = entry
            entry.detail =
                "imported: \(difference.added.count) new, \(difference.changed.count) changed, "
                + "\(difference.removed.count) removed, \(difference.unchanged) unchanged"
            try store.note(entry)
            try store.dropPendingPeople(session: session.hash)
            return true
        }
        // Somebody changed the register since the list was looked at.
        guard isImported else { return .redirect(PageRoute.pendingPeople.path + (keepsOthers ? "?keep=yes" : "")) }
        return .redirect(PageRoute.people.path(done: .importedPeople))
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
        func group(_ heading: String, _ lines: [String]) -> PendingPeoplePage.Group? {
            if lines.isEmpty { return nil }
            return PendingPeoplePage.Group(
                heading: heading, lines: Array(lines.prefix(mostListed)),
                more: lines.count > mostListed ? "Not listed: \(lines.count - mostListed) more." : nil)
        }
        return [
            group(
                "Conflicts",
                difference.conflicts.map {
                    "\($0.subject) belongs to \($0.imported.label) in the list and to \($0.kept.label) in the register"
                }),
            group("New", difference.added.map(\.label)),
            group("Changed", difference.changed.map(\.text)),
            group("Removed", difference.removed.map(\.label)),
        ].compactMap(\.self)
    }
}

extension PageError {
    static let noPendingPeople = Self(
        .notFound, "No list waits",
        "No list of people waits to be imported. An uploaded list is kept for ten minutes.",
        "Open People, and upload the list again.")
}
