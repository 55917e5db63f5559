import Logging
import OperatorText
import SystemIO
import Testing

@testable import CommandSupport

@Suite("The log of a program that runs") struct ProgramLogTests {
    /// Keeps what is logged.
    private struct Kept: LogHandler {
        let messages = LockedValue<[String]>([])
        var logLevel = Logger.Level.critical
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { messages.withLock { $0.append(event.message.description) } }
    }

    private let kept = Kept()
    private let log = ProgramLog(level: .info)
    private var logger: Logger { Logger(label: "test") { [kept, log] _ in RememberingLogHandler(kept, log: log) } }

    @Test func `A change of the level holds for loggers that are there already`() {
        let logger = logger
        logger.debug("one")
        log.level = .debug
        logger.debug("two")
        log.level = .error
        logger.warning("three")
        #expect(kept.messages.withLock { $0 } == ["two"])
        #expect(log.initialLevel == .info)
    }

    @Test func `A logger with a level of its own keeps it`() {
        var quiet = logger
        quiet.logLevel = .error
        log.level = .trace
        quiet.info("nothing")
        #expect(kept.messages.withLock { $0 } == [])
    }

    @Test func `The latest warnings and errors are remembered, and nothing else`() {
        let logger = logger
        for number in 1...25 {
            logger.warning("warning \(number)", metadata: ["number": "\(number)"])
            logger.notice("notice \(number)")
        }
        let problems = log.problems
        #expect(problems.map(\.message) == (6...25).map { "warning \($0)" })
        #expect(problems.last?.level == "warning" && problems.last?.metadata == ["number": "25"])
    }

    @Test func `What is remembered is bounded and printable`() {
        let many = Dictionary(
            uniqueKeysWithValues: (0..<100).map {
                ("key\($0)", Logger.MetadataValue("\u{1B}\(String(repeating: "a", count: 5000))"))
            })
        logger.error("a\u{7}\(String(repeating: "b", count: 5000))", metadata: many)
        let problem = log.problems[0]
        #expect(problem.message.count < 1100 && problem.message.hasPrefix("a?b"))
        #expect(problem.metadata.count == 20)
        #expect(problem.metadata.values.allSatisfy { $0.count < 1100 && $0.hasPrefix("?a") })
    }
}
