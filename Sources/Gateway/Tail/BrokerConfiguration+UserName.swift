import Publishing

extension BrokerConfiguration {
    /// Returns the broker with the user's name as client identifier, after it refused one that was made from the name.
    ///
    /// `deploy/mosquitto/users.py` ties each user to this identifier, and listeners for matchers do not set it
    /// themselves.
    ///
    /// - Returns: `nil` if the refusal has another reason, or if the user is a gateway, whose session this would end.
    func namedAsUser(after error: any Error) -> BrokerConfiguration? {
        guard let username, !username.contains("/"), clientID.hasPrefix("\(username)_"),
            let refusal = error as? MQTTError, case .refused(let reason) = refusal.cause, MQTTError.isDenial(reason)
        else { return nil }
        var broker = self
        broker.clientID = username
        return broker
    }
}
