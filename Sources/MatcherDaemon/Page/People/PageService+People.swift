import InteractionStore
import Matching
import Pages
import People

extension PageService {
    /// Searches for a person by name or number, or for a badge or phone.
    func people(_ request: PageRequest) async throws -> PageAnswer {
        let text = request.query["q"] ?? ""
        let frame = request.frame("People", route: .people)
        if text.isEmpty { return page(PeoplePage(frame, query: "", summary: try await emptiness())) }
        try await note(.searchedPeople, AuditEntry.searched(text), request)
        if let subject = SubjectIdentity(text) {
            return .redirect(ShownNames.path(of: subject))
        }
        guard let query = PersonQuery(text) else {
            return page(PeoplePage(frame, query: text, summary: "Type a name or a number on one line."))
        }
        switch try await api.work({ try $0.person(query) }) {
        case .found(let person): return .redirect(ShownNames.link(person).path)
        case .nothing:
            let summary = "Nobody in the register of people has this name or number."
            return page(PeoplePage(frame, query: text, summary: try await emptiness() ?? summary))
        case .choices(let choices):
            let reason =
                choices.haveWholeName
                ? "Several people have this name or number." : "This is a part of these people's names."
            let more = choices.others > 0 ? " Not listed: \(choices.others) more. Type more of the name." : ""
            return page(
                PeoplePage(
                    frame, query: text, summary: reason + more,
                    people: choices.people.map {
                        .init(person: ShownNames.link($0), contact: $0.contact.joined(separator: ", "))
                    }))
        }
    }

    /// Returns a sentence on a register without people; `nil` if there are any.
    private func emptiness() async throws -> String? {
        guard try await api.work({ try $0.peopleCount() }) == 0 else { return nil }
        return "The register of people is empty, so nobody can be found by name. Upload a list of people "
            + "below, or ask the person who runs this service to import one. Until then, search for a badge "
            + "or phone by its identifier, for example \(SubjectIdentity.example)."
    }
}
