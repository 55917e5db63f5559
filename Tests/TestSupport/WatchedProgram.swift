import BeaconModel
package import HTTPClient
import SystemIO

/// `/metrics` and `/healthz` of a program that a test runs.
package struct WatchedProgram: Sendable {
    package let port: Int
    private let client = HTTPClient()

    package init(port: Int) { self.port = port }

    /// Finds the port in the program's log, in which it stands when the program listens; `nil` if the program ends before.
    ///
    /// - Parameter log: lines of the program, which are read until then.
    package init?(_ log: LineStream) async {
        let line = await log.first { $0.contains("metrics listening") }
        guard let port = line?.split(separator: "port=").last.flatMap({ Int($0.prefix(while: \.isNumber)) }) else {
            return nil
        }
        self.port = port
    }

    package func get(_ path: String, method: String = "GET", accept: String? = nil) async throws -> HTTPClient.Response
    {
        try await client.send(
            HTTPClient.Request(
                method, "http://127.0.0.1:\(port)\(path)", headers: accept.map { [.init("Accept", $0)] } ?? []))
    }

    /// The exposition in Prometheus' own format.
    package func metrics() async throws -> String {
        String(decoding: try await get("/metrics").body, as: UTF8.self)
    }

    /// Returns the value of a sample by its name and labels as they stand in the exposition; `nil` if there is none.
    package func value(_ sample: String) async throws -> Double? {
        try await metrics().split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            .flatMap { Double($0.dropFirst(sample.utf8.count + 1)) }
    }

    /// Returns the status and the text of `/healthz`.
    package func health() async throws -> (status: Int, text: String) {
        let response = try await get("/healthz")
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    /// Waits until `/healthz` has a status and a text.
    package func isEventually(_ status: Int, _ text: String = "") async throws -> Bool {
        try await eventually {
            let health = try await health()
            return health.status == status && (text.isEmpty || health.text.contains(text))
        }
    }
}
