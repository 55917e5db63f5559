package import Logging
import OperatorText

/// A log handler that removes control characters. Text received by radio, on a serial line or by MQTT could otherwise
/// forge log lines, or control the terminal that shows them.
package struct PrintableLogHandler<Handler: LogHandler>: LogHandler {
    private var handler: Handler
    /// Maximum length of a message or value, in Unicode scalars.
    private static var longest: Int { 4096 }

    package init(_ handler: Handler) { self.handler = handler }

    package var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.shown(upTo: Self.longest))"
        event.metadata = event.metadata?.mapValues { .string($0.description.shown(upTo: Self.longest)) }
        handler.log(event: event)
    }
}
