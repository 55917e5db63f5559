extension Liveness {
    /// Returns the liveness for those who watch a gateway, not for its service manager.
    ///
    /// A gateway without a broker keeps its records and loses nothing, so that a restart would be wrong, and delivering
    /// counts as working. Nothing is delivered at the moment, however, and a person has to look.
    ///
    /// - Parameters:
    ///   - isConnected: whether the gateway is connected to a broker.
    ///   - waiting: number of records that wait in the outbox.
    package func present(isConnected: Bool, waiting: Int) -> Liveness {
        guard delivering.isWorking, !isConnected else { return self }
        var present = self
        present.delivering = .failing(
            what: "the broker is not connected, waiting records: \(waiting)",
            remedy: "start the broker, or mend the network to it")
        return present
    }
}
