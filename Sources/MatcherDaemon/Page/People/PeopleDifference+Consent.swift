import Crypto
import OperatorText
import People

extension PeopleDifference {
    /// Returns the value of the field that agrees to an import. It holds for exactly this list and these changes, so
    /// that whoever looked at others is asked again.
    ///
    /// - Parameters:
    ///   - list: the list as it was uploaded.
    ///   - keepsOthers: whether people who are not in the list stay.
    func consent(to list: String, keepsOthers: Bool) -> String {
        var hash = SHA256()
        // No line of a person has a line break.
        func add(_ line: String) { hash.update(data: Array((line + "\n").utf8)) }
        add(keepsOthers ? "keep" : "replace")
        add(HexadecimalText.of(SHA256.hash(data: Array(list.utf8))))
        for person in added { add("new " + PeopleFile.line(of: person)) }
        for change in changed {
            add("former " + PeopleFile.line(of: change.former))
            add("changed " + PeopleFile.line(of: change.new))
        }
        for person in removed { add("removed " + PeopleFile.line(of: person)) }
        return HexadecimalText.of(hash.finalize())
    }
}
