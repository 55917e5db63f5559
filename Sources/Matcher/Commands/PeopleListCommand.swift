import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import Matching
import OperatorText
import People
import RecordContract

struct PeopleListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the people of the register, or those whom a text fits.")

    @Argument(help: "A number, a name, or beginnings of names: `ann sm` fits Anna Smith. The first 20 are listed.")
    var text: String?

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: StoreOptions

    /// A line of `--json`.
    private struct Document: Encodable {
        var number: String
        var name: String
        var contact: [String]
        /// As `KIND:ID`.
        var subjects: [String]

        init(_ person: Person) {
            number = person.number
            name = person.name
            contact = person.contact
            subjects = person.subjects.map(\.description)
        }
    }

    func run() async throws {
        try await Terminal.run {
            var query: PersonQuery?
            if let text {
                query = PersonQuery(text)
                if query == nil {
                    throw ValidationError("the text must have 1 to \(PersonQuery.longest) characters on one line")
                }
            }
            let store = try options.read().openStore(creating: false)
            try store.noteCommand(
                .searchedPeople, AuditEntry.searched(text ?? ""), detail: text == nil ? "all people" : "")
            var table = TextTable([
                ("NUMBER", .left), ("NAME", .left), ("CONTACT", .left), ("BADGES AND PHONES", .left),
            ])
            var (listed, others) = (0, 0)
            func list(_ people: [Person]) throws {
                listed += people.count
                for person in people {
                    let document = Document(person)
                    if json {
                        try Terminal.print(JSON.encode(document))
                    } else {
                        table.add([
                            document.number, document.name, document.contact.joined(separator: ", "),
                            document.subjects.joined(separator: ", "),
                        ])
                    }
                }
            }
            if let query {
                let choices = try store.people(matching: query)
                others = choices.others
                try list(choices.people)
            } else {
                try store.forEachPage(list)
            }
            if !json, listed > 0 { try Terminal.print(table) }
            let count = "\(listed) \(listed == 1 ? "person" : "people")"
            Terminal.note(others > 0 ? "\(count), and \(others) more: specify more of the name" : count)
        }
    }
}

extension InteractionStore {
    /// Calls `body` with each page of the register, in the order of numbers.
    ///
    /// - Throws: `StoreError`, and what `body` throws.
    func forEachPage(_ body: ([Person]) throws -> Void) throws {
        let size = 1000
        var last: String?
        while true {
            let page = try people(after: last, limit: size)
            try body(page)
            guard page.count == size, let number = page.last?.number else { return }
            last = number
        }
    }
}
