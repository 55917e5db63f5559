import OperatorText
import Testing

@Suite struct ProductVersionTests {
    @Test func `The commit is in parentheses behind the version`() {
        #expect(ProductVersion.text(commit: "ef56311") == ProductVersion.number + " (ef56311)")
    }

    @Test func `A build that does not know its commit says the version alone`() {
        #expect(ProductVersion.text(commit: "") == ProductVersion.number)
    }
}
