package import OperatorText
package import RecordContract

/// Result of an attempt to use the broker.
package enum BrokerOutcome: Equatable, Sendable {
    case accepted(after: Duration)
    case failed(MQTTError)
    /// The broker accepted the connection, but not a subscription that the program needs.
    case notSubscribed(SubscriptionRefused)

    /// Returns what follows from the result.
    ///
    /// - Parameters:
    ///   - client: what the broker accepts: "the gateway".
    ///   - hasMosquitto: whether a broker is installed on this machine.
    ///   - ports: other ports of the host at which a broker answers.
    ///   - edit: returns the remedy that changes the configuration.
    package func finding(
        of broker: BrokerConfiguration, accepting client: String, hasMosquitto: Bool,
        answering ports: [UInt16] = [], edit: (String) -> DoctorFinding.Remedy
    ) -> DoctorFinding {
        switch self {
        case .accepted(let time):
            let milliseconds = Format.fixed(time / .milliseconds(1), 0)
            return DoctorFinding("broker", .ok, "\(broker.preferred) accepted \(client) after \(milliseconds) ms")
        case .failed(let error) where !ports.isEmpty:
            let list = ports.map { "\($0)" }.joined(separator: " and ")
            return DoctorFinding(
                "broker", .failed,
                Self.text(error.what) + "; a broker answers at \(ports.count == 1 ? "port" : "the ports") \(list)",
                ports.map { port in
                    let hasTLS = port == Self.portOfTLS
                    let change = hasTLS == (broker.tls != nil) ? "" : hasTLS ? ", with TLS" : ", without TLS"
                    return edit("set mqtt.port to \(port)\(change), if that broker is meant")
                })
        case .failed(let error):
            return DoctorFinding(
                "broker", .failed, Self.text(error.what),
                Self.remedies(broker, error.cause, hasMosquitto: hasMosquitto, edit: edit))
        case .notSubscribed(let refusal):
            return DoctorFinding(
                "broker", .failed, Self.text(refusal.what),
                [
                    edit(
                        "use a user of the broker with the rights of this program, such as deploy/mosquitto/users.py adds, "
                            + "or allow this one to read these topics")
                ])
        }
    }

    /// Ports at which brokers usually listen.
    package static let usualPorts: [UInt16] = [1883, portOfTLS]
    package static let portOfTLS: UInt16 = 8883

    private static func text(_ what: String) -> String {
        what.hasPrefix("broker ") ? String(what.dropFirst("broker ".count)) : what
    }

    private static func remedies(
        _ broker: BrokerConfiguration, _ cause: MQTTError.Cause, hasMosquitto: Bool,
        edit: (String) -> DoctorFinding.Remedy
    ) -> [DoctorFinding.Remedy] {
        switch cause {
        case .refused(let reason) where MQTTError.isDenial(reason):
            return [edit("correct mqtt.username and mqtt.password-file, or the users of the broker")]
        case .closed, .lost:
            // A broker that expects TLS closes the connection of a client that begins without it.
            let hint =
                broker.tls == nil
                ? [edit("if port \(broker.preferred.port) is one for TLS, switch it on with the table [mqtt.tls]")] : []
            return hint + [edit(MQTTError(broker: "", cause: cause).remedy ?? "correct the table [mqtt]")]
        case .certificate, .encryption, .credentials, .rejected, .notTaken, .unanswered, .disconnected, .breach:
            let remedy = MQTTError(broker: "\(broker.preferred)", cause: cause).remedy
            return [edit(remedy ?? "correct the table [mqtt]")]
        case .refused:
            return [edit("correct mqtt.host and mqtt.port: this broker does not accept \(broker.clientID)")]
        case .library, .system, .timedOut, .notStored: break
        }
        if ["localhost", "127.0.0.1", "::1"].contains(broker.preferred.host) {
            return [
                hasMosquitto
                    ? .init("sudo systemctl enable --now mosquitto", "starts the broker, now and at each boot")
                    : .init("sudo apt-get install mosquitto", "installs a broker on this machine"),
                edit("set mqtt.host and mqtt.port, if the broker is elsewhere"),
            ]
        }
        let host = ShellWord.quote(broker.preferred.host)
        return [
            .init("getent hosts \(host)", "shows whether the broker's name resolves"),
            .init("nc -vz \(host) \(broker.preferred.port)", "shows whether the broker's port can be reached"),
            edit("correct mqtt.host and mqtt.port, if they are wrong"),
        ]
    }
}
