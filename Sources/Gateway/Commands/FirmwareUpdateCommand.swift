import ArgumentParser
import BeaconModel
import CommandSupport
import Glibc
import ModuleDialogues
import ModuleEmulator
import SystemIO
import UARTConfig
import UnixSignals

struct FirmwareUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Writes a firmware image to an RS9116 module.",
        discussion: """
            Verifies the image, asks for confirmation, sends the image by Kermit (C-Kermit or G-Kermit must be \
            installed), and waits until the new firmware runs. An interrupted update leaves the module in its boot \
            loader; run the same command again to start over.

            EXAMPLE: beacon-gateway firmware update --port /dev/serial/by-id/usb-FTDI_... RS9116W.2.12.0.0.3.rps
            """)

    @Option(help: "The module's serial port; see `ls -l /dev/serial/by-id`.")
    var port: String

    @Argument(help: ArgumentHelp("A firmware image from the manufacturer's package.", valueName: "file.rps"))
    var file: String

    @Option(
        help: ArgumentHelp("Image number to write, 0 to f. Modules start image 0.", valueName: "digit"),
        transform: OptionValue.imageNumber)
    var image: UInt8 = 0

    @Flag(help: "Write the image without asking for confirmation.")
    var yes = false

    func run() async throws {
        try await Terminal.run {
            let rps = try RPSImage(FileContents.read(file, limit: 16 * RPSImage.longest))
            guard yes || Terminal.canAsk else { throw NobodyToAsk() }
            let sender = try KermitSender.find()
            for line in ["port       \(port)", "file       \(file)"] + rps.updateLines { try Terminal.print(line) }
            let link = try FirmwareUpdateLink(port: port, image: rps, number: image, sender: sender)
            try await withTaskCancellationHandler {
                try await follow(link, rps, sender)
            } onCancel: {
                link.close()
            }
        }
    }

    private func follow(_ link: FirmwareUpdateLink, _ rps: RPSImage, _ sender: KermitSender) async throws {
        var output = FirmwareUpdateOutput(image: image)
        var guarding: Task<Void, Never>?
        defer { guarding?.cancel() }
        do {
            for try await event in link.events {
                switch event {
                case .found(let installed):
                    try Terminal.print(installed.line(for: rps))
                    let duration = TransferEstimate(rps.bytes).text
                    try Terminal.print(
                        "write      as image \(String(image, radix: 16)), by \(sender.program.rawValue); \(duration)")
                    guard try await isAgreed() else {
                        link.close()
                        continue
                    }
                    guarding = await guardBurning(link)
                    link.confirm()
                // Closed output is no reason to stop half-way.
                case .step(let step): output.show(step)
                case .progress(let progress): output.show(progress)
                case .finished(let firmware): return output.show(firmware)
                }
            }
            Terminal.note("cancelled; the module keeps its firmware")
            throw ExitCode.failure
        } catch {
            output.finishLine()
            throw error
        }
    }

    private func isAgreed() async throws -> Bool {
        if yes { return true }
        return try await Terminal.isAgreed("write the image")
    }

    /// Protects the burning phase, in which an interruption costs the module its firmware. The first Ctrl-C only warns,
    /// and a terminal hang-up is ignored.
    private func guardBurning(_ link: FirmwareUpdateLink) async -> Task<Void, Never> {
        signal(SIGHUP, SIG_IGN)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return Task {
            var wasWarned = false
            for await signal in signals {
                guard signal == .sigint, !wasWarned else {
                    link.close()
                    continue
                }
                wasWarned = true
                Terminal.note(
                    "\nwarning: writing is in progress; stopping now leaves the module without usable firmware. Press "
                        + "Ctrl-C again to stop.")
            }
        }
    }
}

/// Terminal output of an update.
private struct FirmwareUpdateOutput {
    let image: UInt8
    private var bar = TransferBar(isInteractive: Terminal.isInteractive)

    init(image: UInt8) { self.image = image }

    mutating func show(_ step: FirmwareUpdateStep) {
        finishLine()
        try? Terminal.print(step.line)
    }

    mutating func show(_ progress: TransferProgress) {
        guard let text = bar.text(for: progress, columns: Terminal.size.columns) else { return }
        try? Terminal.write(text)
    }

    mutating func show(_ firmware: UpdatedFirmware) {
        finishLine()
        guard !firmware.isAsExpected else {
            try? Terminal.print("done       the module runs \(firmware.version)")
            return
        }
        try? Terminal.print(
            "warning    the module runs \(firmware.version); the image has \(firmware.expectedVersion): compare them "
                + "with `firmware inspect`")
    }

    mutating func finishLine() {
        guard let text = bar.end() else { return }
        try? Terminal.write(text)
    }
}

/// Error when consent is needed and there is no terminal to ask on.
private struct NobodyToAsk: OperatorError {
    var what: String { "writing firmware requires confirmation, and there is no terminal to ask on" }
    var remedy: String? { "run the command in a terminal, or specify --yes" }
    var exitStatus: BeaconModel.ExitStatus { .usage }
}
