import Matching
import People
import Testing

@Suite("What an import changes") struct PeopleDifferenceTests {
    private func person(_ number: String, _ name: String, _ phones: String...) -> Person {
        Person(number: number, name: name, subjects: phones.compactMap { SubjectIdentity("phone:\($0)") })
    }

    @Test func `People are new, changed, removed or unchanged`() {
        let register = [person("1", "Ann", "a"), person("2", "Bo"), person("3", "Cy")]
        let file = [person("4", "Di"), person("2", "Bob"), person("1", "Ann", "a")]
        let difference = PeopleDifference(from: register, to: file, keepsOthers: false)
        #expect(difference.added == [person("4", "Di")])
        #expect(difference.changed == [.init(former: person("2", "Bo"), new: person("2", "Bob"))])
        #expect(difference.removed == [person("3", "Cy")])
        #expect(difference.unchanged == 1 && difference.conflicts.isEmpty && !difference.isEmpty)
        let kept = PeopleDifference(from: register, to: file, keepsOthers: true)
        #expect(kept.removed.isEmpty && kept.added == difference.added && kept.changed == difference.changed)
    }

    @Test func `A device may pass between people of the file, but not from somebody who is kept`() {
        let register = [person("1", "Ann", "a"), person("2", "Bo", "b")]
        let file = [person("1", "Ann", "b")]
        #expect(PeopleDifference(from: register, to: file, keepsOthers: false).conflicts.isEmpty)
        let kept = PeopleDifference(from: register, to: file, keepsOthers: true)
        #expect(kept.conflicts.map(\.imported) == file && kept.conflicts.map(\.kept) == [register[1]])
        let swapped = [person("1", "Ann", "b"), person("2", "Bo", "a")]
        #expect(PeopleDifference(from: register, to: swapped, keepsOthers: true).conflicts.isEmpty)
    }

    @Test func `The order of devices is no change`() {
        let difference = PeopleDifference(
            from: [person("1", "Ann", "a", "b")], to: [person("1", "Ann", "b", "a")], keepsOthers: false)
        #expect(difference.isEmpty && difference.unchanged == 1)
    }

    @Test func `What passes from one person of the register to another is told, and conflicts are not among it`() {
        let (ann, bo) = (person("1", "Ann", "a", "x"), person("2", "Bo", "b"))
        func passedOn(_ file: Person..., keepsOthers: Bool = false) -> [String] {
            PeopleDifference(from: [ann, bo], to: file, keepsOthers: keepsOthers).passedOn.map(\.text)
        }
        // To somebody who is known, to somebody who is new, and under another number.
        #expect(passedOn(person("1", "Ann", "x"), person("2", "Bo", "a", "b")) == ["phone:a from Ann (1) to Bo (2)"])
        #expect(passedOn(ann, person("3", "Cy", "b")) == ["phone:b from Bo (2) to Cy (3)"])
        #expect(passedOn(person("0", "Ann", "a"), bo) == ["phone:a from Ann (1) to Ann (0)"])
        #expect(
            passedOn(person("1", "Ann", "b"), person("2", "Bo", "a"), keepsOthers: true)
                == ["phone:b from Bo (2) to Ann (1)", "phone:a from Ann (1) to Bo (2)"])
        // What was nobody's before passes from nobody.
        #expect(passedOn(person("1", "Anna", "a", "x"), person("2", "Bo", "b", "new")).isEmpty)
        let kept = PeopleDifference(from: [ann, bo], to: [person("3", "Cy", "b")], keepsOthers: true)
        #expect(kept.passedOn.isEmpty && kept.conflicts.count == 1)
    }

    @Test func `A summary says what passes on only if something does`() {
        let register = [person("1", "Ann", "a"), person("2", "Bo")]
        func summary(_ file: Person...) -> String {
            PeopleDifference(from: register, to: file, keepsOthers: false).summary
        }
        #expect(summary(person("1", "Ann", "a")) == "0 new, 0 changed, 1 removed, 1 unchanged")
        #expect(summary(person("3", "Cy", "a")) == "1 new, 0 changed, 2 removed, 0 unchanged, 1 passed on")
    }
}
