import CommandSupport
import Logging
import SystemIO
import Testing

@Suite struct PrintableLogHandlerTests {
    /// Keeps what it is given.
    private struct Kept: LogHandler {
        let lines: LockedValue<[String]>
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.withLock { $0.append("\(event.message) \(event.metadata?["a"]?.description ?? "")") }
        }
    }

    @Test("What others sent forges no line of the log, and commands no terminal")
    func controlCharacters() {
        let lines = LockedValue<[String]>([])
        let logger = Logger(label: "test") { _ in PrintableLogHandler(Kept(lines: lines)) }
        logger.info("one\ntwo", metadata: ["a": "\u{1B}[31mred\r\n"])
        logger.info("Küche", metadata: ["a": "\u{2028}x"])
        #expect(lines.withLock(\.self) == ["one?two ?[31mred??", "Küche ?x"])
    }

    @Test("A line has an end, whatever is in it")
    func length() {
        let lines = LockedValue<[String]>([])
        let logger = Logger(label: "test") { _ in PrintableLogHandler(Kept(lines: lines)) }
        logger.info("\(String(repeating: "x", count: 100_000))")
        #expect(lines.withLock { $0.first?.count ?? 0 } < 5000)
    }
}
