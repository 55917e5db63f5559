import People
import Testing

@Suite("Names are compared") struct FoldedNameTests {
    @Test(
        "Two ways of writing a name are the same",
        arguments: [
            ("Smith, Anna", "Anna Smith"), ("anna  SMITH", "Anna Smith"), ("Müller", "Mueller"), ("Müller", "Muller"),
            ("Mu\u{308}ller", "M\u{FC}ller"), ("Mu\u{308}ller", "Mueller"), ("Strauß", "STRAUSS"), ("José", "Jose"),
            ("Łukasz Żółć", "lukasz zolc"), ("Sørensen", "Sorensen"), ("Sørensen", "Soerensen"), ("Åse", "Aase"),
            ("Đặng", "Dang"), ("O'Neill", "O\u{2019}Neill"), ("O'Neill", "ONeill"), ("Anna-Maria", "Anna Maria"),
            ("علی\u{200C}رضا", "علیرضا"), ("Ёлкин", "елкин"), ("Ωνάσης", "ωνασησ"), ("İpek", "ipek"),
            ("Æthelred", "Aethelred"),
        ])
    func same(one: String, other: String) {
        #expect(FoldedName(one).isSame(as: FoldedName(other)), "\(FoldedName(one)), \(FoldedName(other))")
        #expect(FoldedName(other).isSame(as: FoldedName(one)))
    }

    @Test(
        "Different names are different",
        arguments: [
            ("Michael", "Michal"), ("Manuel", "Manul"), ("Mueller", "Muller"), ("Anna Smith", "Smith Anna"),
            ("Anna", "Anna Smith"), ("", "Anna"), ("", ""), ("!!", "??"), ("山田", "山口"), ("कि", "कु"),
        ])
    func different(one: String, other: String) {
        #expect(!FoldedName(one).isSame(as: FoldedName(other)), "\(FoldedName(one)), \(FoldedName(other))")
    }

    @Test func `A word has a short and a long form`() {
        #expect(FoldedName("Müller, Jörg").words == [["jorg", "joerg"], ["muller", "mueller"]])
        #expect(FoldedName("Müller, Jörg").text == "jorg muller")
        #expect(FoldedName("Anna").words == [["anna"]])
    }

    @Test func `A query is a number or words`() throws {
        let query = try #require(PersonQuery("  Mül 12\t"))
        #expect(query.number == "Mül 12")
        #expect(query.prefixes == [["muel", "mul"], ["12"]])
        #expect(PersonQuery("a b c d e f g h i")?.prefixes.count == PersonQuery.mostWords)
        #expect(PersonQuery("!")?.prefixes == [])
    }

    @Test(
        "A text that cannot be anybody's name is no query",
        arguments: ["", "  ", "a\nb", String(repeating: "a", count: 201)])
    func noQuery(text: String) {
        #expect(PersonQuery(text) == nil)
    }
}
