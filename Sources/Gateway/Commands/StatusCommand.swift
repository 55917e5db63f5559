import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import GatewayCore
import Glibc

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the state of the running gateway.",
        discussion: """
            Asks the running gateway at its local socket, without opening ports or the radio: modules, adapters, \
            broker, outbox, clock, and the latest warnings and errors of its log. Root, the gateway's user and the \
            group of the socket are allowed to ask. `schema local-status` describes the JSON document.

            Exit status: 0 everything works, 1 something does not, 69 the gateway is not running, 77 not permitted.
            """)

    @OptionGroup(title: "The gateway")
    var options: LocalSocketOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Repeat every 2 s until Ctrl-C.")
    var watch = false

    private static let interval: Duration = .seconds(2)

    func run() async throws {
        try await Terminal.run {
            if watch { return try await repeatForever() }
            let (document, status) = try await options.client().status()
            try show(document, status)
            if !status.works { throw ExitCode(ExitStatus.negative.rawValue) }
        }
    }

    private func show(_ document: [UInt8], _ status: LocalStatus) throws {
        if json { return try Terminal.print(document) }
        let width = Terminal.isInteractive ? Terminal.size.columns : 80
        for line in StatusText(status, width: width, isColoured: Terminal.isColoured).lines {
            try Terminal.print(line)
        }
    }

    /// Shows the state until the program is ended. A gateway that restarts is waited for.
    private func repeatForever() async throws {
        var wasShown = false
        while true {
            let client: Result<(document: [UInt8], status: LocalStatus), any Error>
            do {
                client = .success(try await options.client().status())
            } catch let error as any OperatorError where wasShown {
                client = .failure(error)
            }
            if Terminal.isInteractive, !json {
                // Clears the terminal, and begins in its corner.
                try Terminal.write("\u{1B}[2J\u{1B}[H")
            }
            switch client {
            case .success(let (document, status)):
                try show(document, status)
                if !json, !Terminal.isInteractive { try Terminal.print("") }
            case .failure(let error): Terminal.note("\(error)")
            }
            wasShown = true
            try await Task.sleep(for: Self.interval)
        }
    }
}
