import InteractionStore
import Matching
import Testing

private let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

@Suite("The names of a subject in texts that people wrote") struct NamesInTextTests {
    private func names(_ text: String) throws -> NamesInText { NamesInText(of: try #require(SubjectIdentity(text))) }

    @Test(
        arguments: [
            ("\(uuid)/7/77", "(erased)"), ("badge:\(uuid)/7/77", "(erased)"),
            (" \(uuid)/7/77 ", " (erased) "),
            ("claimed the badge \(uuid)/7/77 of a student", "claimed the badge (erased) of a student"),
            ("BADGE:\(uuid.uppercased())/7/77: present", "(erased): present"),
            ("it was \(uuid)/7/77.", "it was (erased)."),
            ("(\(uuid)/7/77, twice: \(uuid)/7/77)", "((erased), twice: (erased))"), ("ä\(uuid)/7/77ä", "ä(erased)ä"),
        ] as [(String, String)])
    func `A badge is erased from a text wherever it is`(text: String, erased: String) throws {
        let names = try names("badge:\(uuid)/7/77")
        #expect(names.erased(from: text) == erased)
        #expect(names.naming(in: text) == .yes && names.naming(in: erased) == .no)
    }

    @Test(
        arguments: [
            ("id=\(uuid)/7/77", "id=(erased)"), ("badge%3A\(uuid)/7/77", "(erased)"),
            ("?s=badge%3A\(uuid)%2F7%2F77&x", "?s=(erased)&x"), ("\(uuid)/7/77x2", "(erased)x2"),
            ("17\(uuid)/7/77", "17(erased)"), ("E2C56DB5DFFB48D2B060D0F5A71096E0/7/77", "(erased)"),
        ] as [(String, String)])
    func `A badge is found in addresses and beside other characters`(text: String, erased: String) throws {
        #expect(try names("badge:\(uuid)/7/77").erased(from: text) == erased)
    }

    @Test(arguments: ["\(uuid)/7/771", "\(uuid)/7/7", "", "7/77"])
    func `A badge with another number is another`(text: String) throws {
        let names = try names("badge:\(uuid)/7/77")
        #expect(names.erased(from: text) == text)
        #expect(names.naming(in: text) == .no)
    }

    @Test(arguments: [
        ("person-3-with-a-name", "(erased)"), ("phone:person-3-with-a-name: late", "(erased): late"),
        ("of person-3-with-a-name.", "of (erased)."), ("id=person-3-with-a-name", "id=(erased)"),
        ("phone:person-3-with-a-name:lost it", "(erased):lost it"), ("a/person-3-with-a-name/b", "a/(erased)/b"),
        ("?subject=phone%3Aperson-3-with-a-name", "?subject=(erased)"),
        ("?q%3Dperson-3-with-a-name", "?q%3D(erased)"), ("person-3-with-a-name-too", "person-3-with-a-name-too"),
        ("person-3-with-a-name-two", "(erased)-two"),
    ])
    func `A phone is erased from a text, and a known one of whose name it is a part is not`(
        text: String, erased: String
    ) throws {
        let subject = try #require(SubjectIdentity("phone:person-3-with-a-name"))
        let names = NamesInText(of: subject, others: ["person-3-with-a-name-too"])
        #expect(names.erased(from: text) == erased)
    }

    @Test(arguments: ["xperson-3-with-a-name", "person-3-with-a-name2", "phone:person-3-with-a-names"])
    func `A name beside a letter or digit stays, and is unclear`(text: String) throws {
        let names = try names("phone:person-3-with-a-name")
        #expect(names.erased(from: text) == text)
        #expect(names.naming(in: text) == .unclear)
    }

    @Test(arguments: [
        ("phone:reception", "(erased)"), ("saw phone:reception twice", "saw (erased) twice"),
        ("stolen from reception", "stolen from reception"), ("phone:reception2", "phone:reception2"),
    ])
    func `A word is erased beside its kind alone`(text: String, erased: String) throws {
        #expect(try names("phone:reception").erased(from: text) == erased)
    }

    @Test(
        arguments: [
            ("badge:\(uuid)/7/77", "17\(uuid.uppercased())/7/77"), ("badge:\(uuid)/7/77", "\(uuid)%2F7%2F77x"),
            ("phone:one", "saw phone:one:late"), ("phone:person-3-with-a-name", "id=person-3-with-a-name,"),
            ("phone:one", "?subject=phone%3Aone&x"),
        ] as [(String, String)])
    func `A subject that a text names is a candidate`(subject: String, text: String) throws {
        #expect(SubjectIdentity.candidates(in: text).contains(try #require(SubjectIdentity(subject))))
    }

    @Test func `A word alone is no candidate`() {
        #expect(SubjectIdentity.candidates(in: "stolen from reception, confirmed").isEmpty)
    }
}
