import BeaconModel
import Glibc
import SystemIO
import TestSupport
import Testing

/// Programs that tests start beside servers and emulators of the same process.
@Suite(.timeLimit(.minutes(10))) struct InheritedDescriptorTests {
    /// It would keep the connection or line open after the test has closed it, and whoever is at the other end would wait.
    @Test func `A program that a test starts inherits no connection and no pseudo-terminal`() async throws {
        let (listener, port) = try LoopbackSocket.listen()
        let near = try LoopbackSocket.connect(to: port)
        _ = try waitUntilReady(listener, for: .readable, wakeup: nil, timeout: .seconds(10))
        let far = try #require(LoopbackSocket.accept(listener))
        let terminal = try PseudoTerminalPair.open()
        let descriptors = [listener, near, far, terminal.master, terminal.slave]
        defer { for descriptor in descriptors { close(descriptor) } }
        // It ends once it has said which descriptors it has: what each is stands after the arrow.
        let (status, lines, _) = try await ChildProcess.run("ls", ["-l", "/proc/self/fd"])
        #expect(status == 0)
        for (descriptor, own) in zip(descriptors, try descriptors.map(target)) {
            #expect(!lines.contains { $0.hasSuffix("-> \(own)") }, "descriptor \(descriptor), \(own)")
        }
    }

    private func target(of descriptor: CInt) throws -> String {
        var text = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/self/fd/\(descriptor)", &text, text.count)
        guard count > 0 else { throw SystemError("read the descriptor \(descriptor)", errorNumber: errno) }
        return String(decoding: text[..<count].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
