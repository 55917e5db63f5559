import ArgumentParser
import CommandSupport
import Glibc
import PictureReading
import SystemIO

/// The worker that systemd starts for each picture: see `deploy/systemd/beacon-ocr@.service`.
struct PictureWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture-worker",
        abstract: "Reads one picture from a socket, where no network can be reached.", shouldDisplay: false)

    func run() async throws {
        try await Terminal.run {
            let reply = try await DedicatedThread.run(name: "picture") {
                Result { try PictureWorker.reply() }
            }.get()
            // systemd accepts connections that do not block.
            let flags = fcntl(STDOUT_FILENO, F_GETFL)
            if flags >= 0 { _ = fcntl(STDOUT_FILENO, F_SETFL, flags & ~O_NONBLOCK) }
            try Terminal.write(reply)
        }
    }
}
