import MatcherCore
import Matching
import OperatorText
import Testing

@Suite("Names about which an empty answer would mean nothing") struct HearingErrorsTests {
    private let one = SubjectIdentity("phone:1")!
    private let two = SubjectIdentity("phone:2")!
    private let other = SubjectIdentity("phone:3")!

    @Test func `Of a person of whom one phone was heard, the others need not be`() {
        let unheard = UnheardSubjects(among: [one, two, other], heard: [one], people: [[one, two], [other]])
        #expect(unheard?.subjects == [other])
        #expect(UnheardSubjects(among: [one, two], heard: [two], people: [[one, two]]) == nil)
        #expect(UnheardSubjects(among: [one, two], heard: [two], people: [])?.subjects == [one])
        #expect(UnheardSubjects(among: [one, two], heard: [], people: [[one, two]])?.subjects == [one, two])
    }

    @Test func `Only erasures after the beginning of the time matter`() {
        let erased = ErasedSubject.list([two: 101, one: 200, other: 100], since: 100, days: .utc)
        #expect(erased.map(\.subject) == [one, two])
        #expect(erased.first?.next == "1970-01-01T00:03:21Z")
    }
}
