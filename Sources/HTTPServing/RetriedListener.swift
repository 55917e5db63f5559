import BeaconModel
import Logging
import ServiceLifecycle

/// Listener that the rest of a program works without: if its address cannot be used, it logs that and tries again.
package struct RetriedListener: Service, CustomStringConvertible {
    package var listener: HTTPListener
    package var interval: Duration

    package init(_ listener: HTTPListener, interval: Duration = .seconds(30)) {
        self.listener = listener
        self.interval = interval
    }

    package var description: String { listener.description }

    package func run() async throws {
        // An error is logged once, and not each time.
        var last: String?
        while true {
            do {
                return try await listener.run()
            } catch let error as ListenError {
                if last != error.what {
                    var metadata: Logger.Metadata = ["error": "\(error.what)"]
                    if let remedy = error.remedy { metadata["remedy"] = "\(remedy)" }
                    listener.logger.error("\(listener.name) not available", metadata: metadata)
                    last = error.what
                }
            }
            let isEnding = await cancelWhenGracefulShutdown { [interval] in
                (try? await Task.sleep(for: interval)) == nil
            }
            if isEnding { return }
        }
    }
}
