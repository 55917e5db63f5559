import BeaconModel
package import BlueZScanner
import HCI

/// A source of packets: an adapter, or a simulated radio within this process.
package protocol RadioSource: Sendable {
    /// Name of the source in the configuration.
    var name: String { get }

    /// Starts receiving. The stream ends after `stop`. A radio that fails reports so in its state and recovers by
    /// itself.
    func events() throws -> AsyncThrowingStream<AdapterScanner.Event, any Error>

    /// Reports that the source should be hearing something and is not.
    func suspect(isCertain: Bool)

    /// Restarts scanning, or makes a pending attempt at once.
    func rescan()

    func stop()

    /// Ends the stream at once, whatever the radio does.
    func abandon()
}

extension AdapterScanner: RadioSource {
    package var name: String { selector.description }

    package func events() throws -> AsyncThrowingStream<AdapterScanner.Event, any Error> { try scan() }
}
