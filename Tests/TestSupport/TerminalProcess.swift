import BeaconModel
import CLinux
import Glibc
import SystemIO

/// A program at a terminal of its own, as a person runs it: what it shows, and what is typed.
package actor TerminalProcess {
    package nonisolated let identifier: Int32
    private nonisolated let master: CInt
    private let chunks: AsyncStream<String>
    private let ended: Task<Int32, Never>
    /// What was shown after the last text that was waited for.
    private var rest = ""
    /// Everything that was shown, with line ends of files.
    package private(set) var transcript = ""

    /// - Parameter columns: width of the terminal.
    package init(_ executable: String, _ arguments: [String], columns: UInt16 = 80) throws {
        let pair = try PseudoTerminalPair.open()
        var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(pair.slave, UInt(TIOCSWINSZ), &size)
        var name = [CChar](repeating: 0, count: 128)
        guard ttyname_r(pair.slave, &name, name.count) == 0 else {
            throw SystemError("name a pseudo-terminal", errorNumber: errno)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens is the one whose Ctrl-C it gets.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, which <spawn.h> declares only under _GNU_SOURCE.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | 0x80)
        var pointers = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var identifier: Int32 = 0
        let status = posix_spawn(&identifier, executable, &actions, &attributes, &pointers, environ)
        close(pair.slave)
        guard status == 0 else {
            close(pair.master)
            throw SystemError("start \(executable)", errorNumber: status)
        }
        self.identifier = identifier
        let master = pair.master
        self.master = master
        _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) & ~O_NONBLOCK)
        let (chunks, continuation) = AsyncStream<String>.makeStream()
        self.chunks = chunks
        try DedicatedThread.start(name: "terminal") {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = Glibc.read(master, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                // The last program has closed the other end.
                guard count > 0 else { break }
                continuation.yield(String(decoding: buffer[0..<count], as: UTF8.self))
            }
            continuation.finish()
        }
        ended = Task { [identifier] in
            (try? await DedicatedThread.run(name: "wait") { ChildProgram.wait(for: identifier) }) ?? -1
        }
    }

    deinit { close(master) }

    /// Waits until the program shows a text, after what was waited for before.
    ///
    /// - Returns: what it showed up to the text; `nil` if it ended without.
    @discardableResult
    package func wait(for text: String) async -> String? {
        if let shown = take(text) { return shown }
        for await chunk in chunks {
            let chunk = chunk.replacing("\r\n", with: "\n")
            rest += chunk
            transcript += chunk
            if let shown = take(text) { return shown }
        }
        return nil
    }

    private func take(_ text: String) -> String? {
        guard let range = rest.firstRange(of: text) else { return nil }
        let shown = String(rest[..<range.upperBound])
        rest = String(rest[range.upperBound...])
        return shown
    }

    /// Types a text and Enter.
    package func type(_ text: String) { write(text + "\n") }

    /// Waits for a question, and answers it.
    package func answer(_ question: String, _ text: String) async {
        await wait(for: question)
        type(text)
    }

    package func pressControlC() { write("\u{3}") }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(master, bytes, bytes.count)
    }

    /// Waits for the end.
    package func exitStatus() async -> Int32 {
        await wait(for: "\u{0}")
        return await ended.value
    }
}
