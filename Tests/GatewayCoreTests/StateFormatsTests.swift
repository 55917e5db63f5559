import Publishing
import Testing

@testable import GatewayCore

@Suite("Formats of the state directory") struct StateFormatsTests {
    private static let steps = [1, 2, 3].map { StateFormats.Step(format: $0, actions: [.remove("\($0)")]) }

    private static func finding(_ contents: String?) -> StateFormats.Finding {
        StateFormats.finding(contents, current: 3, steps: steps)
    }

    @Test func `A directory gets the steps from its format on, and none is left out`() {
        #expect(Self.finding(nil) == .earlier(Self.steps))
        #expect(Self.finding("format 1, written by beacon-gateway 0.2.0\n") == .earlier(Array(Self.steps.dropFirst())))
        #expect(Self.finding("format 2, written by beacon-gateway 0.3.0\n") == .earlier([Self.steps[2]]))
        #expect(Self.finding("format 3, written by beacon-gateway 0.4.0\n") == .current)
    }

    @Test func `A directory of a later version is left alone, whatever else that version writes`() {
        #expect(
            Self.finding("format 4, written by beacon-gateway 1.0.0\n")
                == .later(StateFormat(number: 4, program: "1.0.0")))
        #expect(
            Self.finding("format 12, since 2030\nmore\n")
                == .later(StateFormat(number: 12, program: "of unknown version")))
    }

    @Test(arguments: [
        "", "\n", "format", "format x", "format 0, x", "format -1", "fmt 3", "\0\0\0", "format 99999999999",
    ])
    func `What is no format is damage, after which all steps are repeated`(contents: String) {
        #expect(Self.finding(contents) == .damaged(Self.steps))
    }

    @Test func `What is written is read again`() {
        let format = StateFormat(number: 7, program: "1.2.3")
        #expect(StateFormat(format.text) == format)
        #expect(format.text.utf8.count <= StateFormat.longest)
    }

    @Test func `The steps lead to the current format, in their order`() {
        #expect(StateFormats.steps.map(\.format) == Array(1...StateFormats.current))
    }

    // Otherwise an earlier program would open the directory, and only then find an outbox that it does not know.
    @Test func `A new schema of the outbox comes with a new format`() {
        #expect(OutboxSchema.version == StateFormats.outboxSchema)
    }
}
