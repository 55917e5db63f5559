import BeaconModel
package import BlueZScanner
import HCI

/// Where packets come from: an adapter, or a radio that exists only in this process.
package protocol RadioSource: Sendable {
    /// As the configuration names it.
    var name: String { get }

    /// Starts receiving. The stream ends after `stop`; a radio that fails says so in its state, and comes back by itself.
    func events() throws -> AsyncThrowingStream<AdapterScanner.Event, any Error>

    /// Says that something should be heard that isn't.
    func suspect(isCertain: Bool)

    /// Switches scanning on anew, or tries at once what is waited for.
    func rescan()

    func stop()

    /// Ends the stream at once, whatever the radio does.
    func abandon()
}

extension AdapterScanner: RadioSource {
    package var name: String { selector.description }

    package func events() throws -> AsyncThrowingStream<AdapterScanner.Event, any Error> { try scan() }
}
