/// A server that ended before it was ready.
package struct ServerStartError: Error, CustomStringConvertible {
    let program: String
    /// The last lines that it printed.
    let lines: [String]

    package var description: String {
        "\(program) ended before it was ready: \(lines.suffix(20).joined(separator: " | "))"
    }

    /// What servers say of a port that another program has: mosquitto and NATS, RabbitMQ, and epmd.
    private static let signs = [
        "address already in use", "eaddrinuse", "dist_port_already_used", "there is already a epmd running",
    ]

    /// Whether another program had one of its ports.
    var isPortTaken: Bool {
        lines.contains { line in Self.signs.contains { line.lowercased().contains($0) } }
    }
}

extension LineStream {
    /// Waits for the line by which a server says that it is ready.
    ///
    /// - Throws: `ServerStartError` when its output ends without one.
    func waitUntilReady(_ program: String, saying text: String) async throws(ServerStartError) {
        var last: [String] = []
        for await line in lines {
            if line.contains(text) { return }
            last = last.suffix(199) + [line]
        }
        throw ServerStartError(program: program, lines: last)
    }
}
