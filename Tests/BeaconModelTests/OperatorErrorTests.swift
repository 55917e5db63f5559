import BeaconModel
import Testing

@Suite("OperatorError")
struct OperatorErrorTests {
    private struct Failure: OperatorError {
        var what = "the lamp is out"
        var meaning: String?
        var remedy: String?
        var exitStatus: BeaconModel.ExitStatus { .unavailable }
    }

    private struct Terse: OperatorError {
        var what: String { "the lamp is out" }
        var exitStatus: BeaconModel.ExitStatus { .data }
    }

    @Test("A description is one line each for what happened, what it means and what to do")
    func whole() {
        let error = Failure(meaning: "it is dark", remedy: "change the bulb")
        #expect(error.description == "the lamp is out\n  it means: it is dark\n  what to do: change the bulb")
    }

    @Test("A line that has nothing to say is left out")
    func parts() {
        #expect(Failure(meaning: "it is dark").description == "the lamp is out\n  it means: it is dark")
        #expect(Failure(remedy: "change the bulb").description == "the lamp is out\n  what to do: change the bulb")
    }

    @Test("An error need say only what happened")
    func terse() {
        #expect(Terse().description == "the lamp is out")
    }

    @Test("Exit statuses are those of sysexits.h")
    func exitStatuses() {
        let statuses: [BeaconModel.ExitStatus] = [
            .usage, .data, .unavailable, .inputOutput, .permission, .configuration,
        ]
        #expect(statuses.map(\.rawValue) == [64, 65, 69, 74, 77, 78])
    }
}
