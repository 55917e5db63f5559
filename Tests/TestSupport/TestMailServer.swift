package import BeaconModel
import Glibc
package import SystemIO

/// A mail server that keeps what it takes, and answers some commands as it is told.
package final class TestMailServer: Sendable {
    /// A message that was taken.
    package struct Mail: Equatable, Sendable {
        package var sender: String
        package var recipient: String
        /// Header and text, without the full stops that the protocol adds.
        package var lines: [String]
        /// Whether the client had signed in.
        package var isSignedIn: Bool

        package init(sender: String, recipient: String, lines: [String], isSignedIn: Bool) {
            self.sender = sender
            self.recipient = recipient
            self.lines = lines
            self.isSignedIn = isSignedIn
        }

        /// The text of lines behind the header.
        package var body: [String] { Array(lines.drop { !$0.isEmpty }.dropFirst()) }
    }

    package let port: UInt16
    package let mails = LockedValue<[Mail]>([])
    /// Commands so far.
    package let commands = LockedValue<[String]>([])
    /// Answers to the next commands, by verb; `END` stands for the end of the content, `GREETING` for a new connection.
    package let answers: LockedValue<[String: [String]]>
    private let wakeup: WakeupPipe

    /// - Parameter login: name and password as the method PLAIN sends them, in Base64; `nil` for a server without
    ///   sign-in.
    package init(answers: [String: [String]] = [:], login: String? = nil) throws(SystemError) {
        let (listener, port) = try LoopbackSocket.listen()
        self.port = port
        self.answers = LockedValue(answers)
        wakeup = try WakeupPipe()
        let session = MailSession(
            mails: mails, commands: commands, answers: self.answers, wakeup: wakeup, login: login)
        try DedicatedThread.start(name: "mail-server") {
            while session.isReady(listener) {
                guard let client = LoopbackSocket.accept(listener) else { continue }
                var session = session
                session.serve(client)
                close(client)
            }
            close(listener)
        }
    }

    package var url: String { "smtp://127.0.0.1:\(port)" }

    package func end() { wakeup.wake() }
}

/// One connection to the server.
private struct MailSession: Sendable {
    var mails: LockedValue<[TestMailServer.Mail]>
    var commands: LockedValue<[String]>
    var answers: LockedValue<[String: [String]]>
    var wakeup: WakeupPipe
    var login: String?
    private var received: [UInt8] = []
    private var isSignedIn = false

    init(
        mails: LockedValue<[TestMailServer.Mail]>, commands: LockedValue<[String]>,
        answers: LockedValue<[String: [String]]>, wakeup: WakeupPipe, login: String?
    ) {
        self.mails = mails
        self.commands = commands
        self.answers = answers
        self.wakeup = wakeup
        self.login = login
    }

    func isReady(_ descriptor: CInt) -> Bool {
        (try? waitUntilReady(descriptor, for: .readable, wakeup: wakeup, timeout: nil)).map { !$0.woken } ?? false
    }

    mutating func serve(_ client: CInt) {
        say(answer(to: "GREETING") ?? "220 test", client)
        var (sender, recipient) = ("", "")
        while let line = self.line(client) {
            commands.withLock { $0.append(line) }
            let verb = line.prefix { $0 != " " && $0 != ":" }.uppercased()
            if let told = answer(to: verb), verb != "DATA" || !told.hasPrefix("354") {
                say(told, client)
                continue
            }
            switch verb {
            case "EHLO": say(login == nil ? "250 test" : "250-test\r\n250 AUTH PLAIN", client)
            case "AUTH":
                say("334 ", client)
                isSignedIn = self.line(client) == login
                say(isSignedIn ? "235 welcome" : "535 5.7.8 wrong password", client)
            case "MAIL":
                sender = Self.address(line)
                say("250 ok", client)
            case "RCPT":
                recipient = Self.address(line)
                say("250 ok", client)
            case "DATA":
                say("354 go on", client)
                guard let lines = content(client) else { return }
                let told = answer(to: "END") ?? "250 taken"
                if told.hasPrefix("250") {
                    let mail = TestMailServer.Mail(
                        sender: sender, recipient: recipient, lines: lines, isSignedIn: isSignedIn)
                    mails.withLock { $0.append(mail) }
                }
                say(told, client)
            case "QUIT":
                say("221 bye", client)
                return
            default: say("502 unknown", client)
            }
        }
    }

    private func answer(to verb: String) -> String? {
        answers.withLock { answers in
            guard let first = answers[verb]?.first else { return nil }
            answers[verb]?.removeFirst()
            return first
        }
    }

    private mutating func content(_ client: CInt) -> [String]? {
        var lines: [String] = []
        while let line = self.line(client) {
            if line == "." { return lines }
            lines.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
        }
        return nil
    }

    private mutating func line(_ client: CInt) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = received[..<end].filter { $0 != UInt8(ascii: "\r") }
                received.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self)
            }
            guard isReady(client) else { return nil }
            let count = read(client, &buffer, buffer.count)
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }

    private func say(_ text: String, _ client: CInt) {
        let bytes = Array((text + "\r\n").utf8)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns the address of `MAIL FROM:<a@b.example> SIZE=1`.
    private static func address(_ line: String) -> String {
        String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
    }
}
