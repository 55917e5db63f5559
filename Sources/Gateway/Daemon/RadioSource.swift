import BeaconModel
import BlueZScanner

/// Where packets come from: an adapter, or a radio that exists only in this process.
protocol RadioSource: Sendable {
    var name: String { get }

    /// Starts receiving. The stream ends after `stop`, or with an error when the radio fails.
    func events() throws -> AsyncThrowingStream<HCIScanner.Event, any Error>

    func stop()

    /// Ends the stream at once, whatever the radio does.
    func abandon()
}

extension HCIScanner: RadioSource {
    var name: String { adapter.description }

    func events() throws -> AsyncThrowingStream<HCIScanner.Event, any Error> { try scan() }
}
