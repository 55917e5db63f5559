import TestSupport

extension TemporaryDirectory {
    /// Writes the least configuration that a gateway takes, with a broker on this machine, and its state in here.
    ///
    /// - Parameters:
    ///   - uuid: whose beacons are followed.
    ///   - further: other tables.
    /// - Returns: its path.
    func writeConfiguration(
        brokerPort: UInt16, uuid: String = "e2c56db5-dffb-48d2-b060-d0f5a71096e0", further: String = ""
    ) throws -> String {
        try write(
            "gateway.toml",
            """
            [place]
            site = "s"
            building = "b"
            floor = "1"
            gateway = "g"
            [mqtt]
            host = "127.0.0.1"
            port = \(brokerPort)
            [beacons]
            uuids = ["\(uuid)"]
            [state]
            directory = "\(path)"
            \(further)
            """
                // Programs of tests run beside each other.
                + (further.contains("[metrics]") ? "" : "\n[metrics]\nlisten = \"off\"\n"))
    }
}
