import TestSupport

/// The program as a person or a service manager runs it.
enum GatewayProgram {
    /// Options with the identity that a module gets.
    static let identity = [
        "--uuid", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "--major", "1", "--minor", "2", "--measured-power", "-59",
    ]

    static func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), arguments)
    }
}
