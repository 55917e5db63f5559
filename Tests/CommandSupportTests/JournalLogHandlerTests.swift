import CommandSupport
import Logging
import SystemIO
import Testing

@Suite struct JournalLogHandlerTests {
    private typealias Fields = [(name: String, value: String)]

    /// Logs one event, and returns the fields that the journal gets.
    private func fields(
        _ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata = [:]
    ) -> [String: String] {
        let sent = LockedValue<Fields>([])
        var logger = Logger(label: "beacon-test") { label in
            JournalLogHandler(label: label, fallback: SwiftLogNoOpLogHandler()) { fields in
                sent.withLock { $0 = fields }
                return true
            }
        }
        logger.logLevel = .trace
        logger[metadataKey: "everywhere"] = "1"
        logger.log(level: level, message, metadata: metadata)
        return Dictionary(sent.withLock(\.self).map { ($0.name, $0.value) }) { $0 + "|" + $1 }
    }

    @Test("Metadata become fields, and are part of the message that people see")
    func metadata() {
        let fields = fields(.warning, "broker connection failed", ["client-id": "east", "because": "timed out"])
        #expect(fields["MESSAGE"] == "broker connection failed: because=timed out client-id=east everywhere=1")
        #expect(fields["BEACON_EVENT"] == "broker connection failed")
        #expect(fields["BEACON_CLIENT_ID"] == "east")
        #expect(fields["BEACON_BECAUSE"] == "timed out")
        #expect(fields["BEACON_EVERYWHERE"] == "1")
        #expect(fields["SYSLOG_IDENTIFIER"] == "beacon-test")
    }

    @Test(
        "Levels are priorities of syslog",
        arguments: zip(Logger.Level.allCases, ["7", "7", "6", "5", "4", "3", "2"]))
    func priorities(level: Logger.Level, priority: String) {
        #expect(fields(level, "x")["PRIORITY"] == priority)
    }

    @Test("What others sent forges no field and no line")
    func hostile() {
        let fields = fields(
            .info, "one\nPRIORITY=0", ["a\nMESSAGE=x": "b\nc", "_trusted": "d", "é": "e", "PRIORITY": "0"])
        #expect(fields["MESSAGE"]?.contains("\n") == false)
        #expect(fields["PRIORITY"] == "6")
        #expect(fields["BEACON_A_MESSAGE_X"] == "b?c")
        #expect(fields["BEACON__TRUSTED"] == "d")
        #expect(fields["BEACON_PRIORITY"] == "0")
        #expect(fields.keys.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") } })
    }

    @Test("Names, values and their number are bounded, and a name is not given twice")
    func bounds() {
        let many = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("key\($0)", Logger.MetadataValue.string("x")) })
        #expect(fields(.info, "x", many).count < 50)
        let fields = fields(
            .info, "x",
            [
                String(repeating: "k", count: 1000): .string(String(repeating: "v", count: 100_000)), "a-b": "1",
                "a_b": "2",
            ])
        #expect(fields.keys.allSatisfy { $0.utf8.count <= 64 })
        #expect(fields.values.allSatisfy { $0.utf8.count < 20_000 })
        #expect(fields["BEACON_A_B"] == "1")
    }

    @Test("What the journal does not take goes to standard error")
    func fallback() {
        let lines = LockedValue<[String]>([])
        struct Kept: LogHandler {
            let lines: LockedValue<[String]>
            var logLevel = Logger.Level.info
            var metadata: Logger.Metadata = [:]
            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }
            func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
        }
        let logger = Logger(label: "test") { label in
            JournalLogHandler(label: label, fallback: Kept(lines: lines)) { _ in false }
        }
        logger.info("started")
        #expect(lines.withLock(\.self) == ["started"])
    }
}
