import TestSupport

extension TemporaryDirectory {
    /// Writes the least configuration that a gateway takes, with a broker on this machine, and its state in here.
    ///
    /// - Returns: its path.
    func writeConfiguration(brokerPort: UInt16) throws -> String {
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
            uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
            [state]
            directory = "\(path)"
            """)
    }
}
