import Glibc
import TestSupport
import TestValues
import Testing

/// What deploy/rabbitmq/permissions.sh tells a `rabbitmqctl` that only repeats what it is told.
@Suite("deploy/rabbitmq/permissions.sh") struct RabbitMQPermissionsTests {
    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        let directory = try TemporaryDirectory()
        let program = try directory.write("rabbitmqctl", "#!/bin/sh\necho \"$@\"\n")
        try #require(chmod(program, 0o700) == 0)
        let script = Repository.root + "/deploy/rabbitmq/permissions.sh"
        let result = try await ChildProcess.run(
            "sh", ["-c", "PATH=\(directory.path):$PATH exec sh \"$@\"", "sh", script] + arguments)
        return (result.status, result.output, result.errorOutput)
    }

    // The pattern of ann's queues is also that of ann_2.
    @Test(
        "An operator or analyst whose name another's may be the beginning of is refused",
        arguments: [["analyst", "ann_2"], ["operator", "operator_desk"], ["analyst", "_"]])
    func underscore(arguments: [String]) async throws {
        let result = try await run(arguments)
        #expect(result.status == 64 && result.output == [], "\(result)")
        #expect(result.errorOutput.first?.hasPrefix("error: \(arguments[1]) has a _") == true, "\(result)")
    }

    @Test(
        "A name without _ is taken, and so is any of a consumer, whose queues have the name of its identifier",
        arguments: [
            ["analyst", "ann-2"], ["operator", "desk"], ["consumer", "consumer_matcher"],
            ["consumer", "named", "beacon-matcher_2"],
        ])
    func taken(arguments: [String]) async throws {
        let result = try await run(arguments)
        let isConsumer = arguments[0] == "consumer"
        #expect(result.status == 0 && result.output.count == (isConsumer ? 2 : 3), "\(result)")
        // What a user leaves behind fills no disk; what a matcher hasn't fetched is nobody's to throw away.
        #expect(
            isConsumer
                != result.output.contains {
                    $0.hasPrefix("set_policy") && $0.contains("max-length-bytes") && $0.contains("max-length\"")
                })
    }
}
