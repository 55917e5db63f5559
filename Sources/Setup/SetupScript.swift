import OperatorText

/// The questions and tests of one program's setup.
package protocol SetupScript: Sendable {
    associatedtype Test: SetupTest
    /// What tests find out that later questions need.
    associatedtype Knowledge: Sendable

    /// Returns all steps in their order, as far as the answers determine them.
    func steps(_ answers: SetupAnswers) -> [SetupStep<Test>]

    mutating func learn(_ knowledge: Knowledge)
}

/// A test of answers, or of the machine.
package protocol SetupTest: Hashable, Sendable {
    /// Name of the test in `keep-anyway`.
    var key: String { get }
    /// Keys of the questions that are asked again after the test has failed.
    var questions: [String] { get }
    /// What is being tested, for display meanwhile.
    var progress: String { get }
}

package enum SetupStep<Test: SetupTest>: Sendable {
    case question(SetupQuestion)
    case test(Test)
}
