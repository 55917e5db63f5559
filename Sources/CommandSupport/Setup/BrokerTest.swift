import BeaconModel
import Glibc
import MQTTBridge
package import OperatorText
package import Publishing
import Setup
import SystemIO

/// The test of a broker with the answers of a setup.
package enum BrokerTest {
    private static let limit: Duration = .seconds(5)
    /// Time for each other port of a host at whose port nobody listens.
    private static let limitOfOthers: Duration = .seconds(2)

    /// Connects with exactly the settings of the answers, and tries what the program's user may do.
    ///
    /// - Parameters:
    ///   - client: what the broker accepts: "the gateway".
    ///   - createsUser: whether the user is created only at the end.
    ///   - hasMosquitto: whether a broker is installed on this machine.
    package static func finding(
        _ broker: BrokerConfiguration, of client: String, publishing topic: String, subscribing filters: [String],
        createsUser: Bool, hasMosquitto: Bool
    ) async -> DoctorFinding {
        if case .file(let path)? = broker.tls?.authority {
            do throws(SystemError) {
                _ = try FileContents.read(path, limit: 1024 * 1024)
            } catch {
                return DoctorFinding(
                    "broker", .failed, error.what,
                    [.edit(nil, "name a PEM file with the certificate of the broker's authority")])
            }
        }
        let outcome = await BrokerProbe.outcome(
            broker, publishing: topic, subscribing: createsUser ? [] : filters, within: limit)
        var answering: [UInt16] = []
        if case .failed(let error) = outcome, case .system(let reason) = error.cause,
            reason.errorNumber == ECONNREFUSED
        {
            for port in BrokerOutcome.usualPorts where port != broker.preferred.port {
                if await BrokerProbe.answers(broker, at: port, within: limitOfOthers) { answering.append(port) }
            }
        }
        return BrokerQuestions.finding(
            outcome, of: broker, accepting: client, createsUser: createsUser, hasMosquitto: hasMosquitto,
            answering: answering)
    }
}
