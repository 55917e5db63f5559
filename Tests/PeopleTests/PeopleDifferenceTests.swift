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
}
