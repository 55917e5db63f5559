import OperatorText
import People

/// A list of people that somebody wrote: what is read is within the limits, and is written so that it reads back.
enum PeopleFileCheck: ParserCheck {
    static let name = "people-file"

    static func violation(for bytes: [UInt8]) -> String? {
        let people: [Person]
        do throws(PeopleFileError) {
            people = try PeopleFile.parse(bytes, file: "p")
        } catch {
            return violation(in: error)
        }
        if people.isEmpty { return "a list of nobody" }
        if Set(people.map(\.number)).count != people.count { return "a number of two people" }
        let subjects = people.flatMap(\.subjects)
        if Set(subjects).count != subjects.count { return "a badge or phone of two people" }
        for person in people {
            if person.name.isEmpty || person.number.isEmpty { return "a person without name or number" }
            if person.contact.count > Person.mostContacts || person.subjects.count > Person.mostSubjects {
                return "more contacts or devices than are allowed"
            }
        }
        let text = ([PeopleFile.header] + people.map(PeopleFile.line)).joined(separator: "\n")
        return (try? PeopleFile.parse(Array(text.utf8), file: "p")) == people
            ? nil : "a list that reads back differently"
    }

    private static func violation(in error: PeopleFileError) -> String? {
        if error.problems.isEmpty { return "an error without problems" }
        if error.problems.count > PeopleFileError.mostListed { return "more problems than are listed" }
        if error.others > 0, error.problems.count < PeopleFileError.mostListed { return "problems that are not listed" }
        let isSilent = error.problems.contains { $0.location.isEmpty || $0.found.isEmpty || $0.allowed.isEmpty }
        return isSilent ? "a problem without place or text" : nil
    }
}
