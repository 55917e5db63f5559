import People
import Testing

@Suite("What a query finds") struct PersonMatchTests {
    private let anna = Person(number: "1", name: "Anna Smith")
    private let other = Person(number: "2", name: "Anna Smith")

    private func choices(_ people: [Person], others: Int = 0, whole: Bool = true) -> PersonChoices {
        PersonChoices(people: people, others: others, haveWholeName: whole)
    }

    @Test func `The only person of a name or number is found`() {
        #expect(PersonMatch(numbered: nil, namesakes: choices([anna])) { choices([]) } == .found(anna))
        #expect(PersonMatch(numbered: anna, namesakes: choices([])) { choices([]) } == .found(anna))
    }

    @Test func `Several people of one name are choices`() {
        let match = PersonMatch(numbered: nil, namesakes: choices([anna, other])) { choices([]) }
        #expect(match == .choices(choices([anna, other])))
    }

    @Test func `A number that is somebody else's name finds neither`() {
        let match = PersonMatch(numbered: anna, namesakes: choices([other])) { choices([]) }
        #expect(match == .choices(choices([anna, other])))
    }

    @Test func `A part of a name is a choice, even of one person`() {
        let match = PersonMatch(numbered: nil, namesakes: choices([])) { choices([anna], whole: false) }
        #expect(match == .choices(choices([anna], whole: false)))
    }

    @Test func `What nobody has finds nothing`() {
        #expect(PersonMatch(numbered: nil, namesakes: choices([])) { choices([], whole: false) } == .nothing)
    }

    @Test func `Choices are bounded, and the others are counted`() {
        let many = (0..<PersonChoices.most).map { Person(number: "n\($0)", name: "Anna Smith") }
        let match = PersonMatch(numbered: anna, namesakes: choices(many, others: 5)) { choices([]) }
        #expect(match == .choices(choices([anna] + many.dropLast(), others: 6)))
    }
}
