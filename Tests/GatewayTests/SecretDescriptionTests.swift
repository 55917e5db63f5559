import RecordContract
import Testing

@testable import Gateway
@testable import GatewayCore
@testable import Publishing

@Suite struct SecretDescriptionTests {
    @Test("No description of what runs, as a log of a debug level has it, tells a secret")
    func secrets() throws {
        var configuration = Configuration.anywhere
        configuration.broker.password = "hunter2secret"
        configuration.pseudonymSecret = Array(repeating: 171, count: 32)
        struct Service {
            var configuration: Configuration
            var pseudonymizer: Pseudonymizer?
            var broker: BrokerConfiguration
        }
        let service = Service(
            configuration: configuration, pseudonymizer: configuration.pseudonymizer, broker: configuration.broker)
        var dumped = ""
        dump([configuration], to: &dumped, maxDepth: 1)
        for text in [String(describing: service), String(reflecting: service), "\(configuration)", dumped] {
            #expect(!text.contains("hunter2secret") && !text.contains("171, 171"), "\(text)")
        }
    }
}
