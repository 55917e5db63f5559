import ArgumentParser
import BeaconModel
import CommandSupport
import ModuleDialogues
import ModuleEmulator
import SystemIO

extension ModuleCommand {
    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Compares a recorded session with the driver and the emulated module.",
            discussion: """
                Feeds the module's recorded output to the driver, in simulated time. What the module should advertise \
                is taken from the trace. Feeds the recorded input to the emulated module, whose options are guessed \
                from the trace.
                Exit status: 0 no differences, 1 differences, 65 the file is damaged.
                """)

        @Argument(help: ArgumentHelp("A trace from `module trace` or `provision --trace`.", valueName: "file"))
        var file: String

        @Option(
            help: ArgumentHelp("The profile that the driver used, from `module probe`.", valueName: "file"))
        var profile: String?

        func run() async throws {
            try await Terminal.run {
                let trace = try SerialTrace(FileContents.read(file, limit: SerialTrace.longestFile))
                let profile = try profile.map { try RS9116ProfileFile.load($0).profile } ?? RS9116Profile()
                let header = trace.header
                try Terminal.print("trace      \(file)")
                try Terminal.print("recorded   \(header.started) by version \(header.version), port \(header.port)")
                let driver = DriverReplay(trace, profile: profile)
                for line in driver.lines { try Terminal.print(line) }
                let entries = trace.forEmulator
                let emulator = EmulatorReplay(
                    entries, options: RS9116Emulator.Options(guessedFrom: entries), baudRate: header.baudRate)
                for line in emulator.lines { try Terminal.print(line) }
                if driver.difference != nil || !emulator.differences.isEmpty {
                    throw ExitCode(ExitStatus.negative.rawValue)
                }
            }
        }
    }
}

extension RS9116ProfileFile {
    static func load(_ path: String) throws -> RS9116ProfileFile {
        try RS9116ProfileFile(FileContents.read(path, limit: longestFile))
    }
}

extension SerialTrace {
    /// Entries for the emulator, which does not support pulses of DTR and RTS.
    var forEmulator: [EmulatorReplay.Entry] {
        pieces.compactMap { entry in
            let event: EmulatorReplay.Event? =
                switch entry.event {
                case .toModule(let bytes): .toModule(bytes)
                case .fromModule(let bytes): .fromModule(bytes)
                case .baudRate(let rate): .baudRate(rate)
                case .portVanished: .portVanished
                case .portReopened: .portReopened
                case .controlLinesPulsed, .note: nil
                }
            return event.map { EmulatorReplay.Entry(time: entry.time, event: $0, line: entry.line) }
        }
    }
}

extension DriverReplay {
    /// Driver report for the terminal, in the format of `provision`.
    var lines: [String] {
        var lines: [String] = []
        if let wanted {
            let beacon = wanted.beacon
            lines.append(
                "wanted     \(beacon.uuid) \(beacon.major)/\(beacon.minor), \(wanted.measuredPower) dBm, every "
                    + "\(wanted.interval)" + (wanted.transmitPower.map { ", transmit power \($0)" } ?? ""))
        }
        if let difference {
            lines += [
                "driver     differs at line \(difference.line), after \(comparedBytes) identical bytes",
                "  recorded " + (difference.recorded.isEmpty ? "(nothing)" : difference.recorded.shown),
                "  driver   " + (difference.driver.isEmpty ? "(nothing, it waits)" : difference.driver.shown),
            ]
        } else {
            lines.append("driver     sends the same \(comparedBytes) bytes")
            if let timeDifference {
                lines.append("           but at other times, first at line \(timeDifference.line)")
            }
        }
        if !continuation.isEmpty { lines.append("           and continues after the trace: " + continuation.shown) }
        switch end {
        case .provisioned(let module):
            lines.append("ends       \(module.address) advertises, \(module.advertisingType.name)")
        case .identified(let module):
            lines.append("ends       \(module.address) is known; the trace has no further commands")
        case .failed(let error): lines.append("ends       \(error.what)")
        case .nothing: lines.append("ends       nothing was sent")
        }
        return lines
    }
}

extension EmulatorReplay {
    /// Maximum number of differences shown. The rest are only counted.
    private static let mostShown = 10

    /// Emulator report for the terminal, in the format of `provision`.
    var lines: [String] {
        let differences = self.differences
        guard !differences.isEmpty else { return ["emulator   gives the same \(turns.count) answers"] }
        var lines = ["emulator   differs in \(differences.count) of \(turns.count) answers"]
        for turn in differences.prefix(Self.mostShown) {
            lines += [
                "  line \(turn.line), to " + turn.sent.shown,
                "  recorded " + (turn.recorded.isEmpty ? "(nothing)" : turn.recorded.shown),
                "  emulator " + (turn.emulated.isEmpty ? "(nothing)" : turn.emulated.shown),
            ]
        }
        if differences.count > Self.mostShown { lines.append("  and \(differences.count - Self.mostShown) more") }
        return lines
    }
}

extension [UInt8] {
    /// Text with escapes, shortened to 70 bytes.
    fileprivate var shown: String {
        let longest = 70
        return Printable.escaped(prefix(longest)) + (count > longest ? "... (\(count) bytes)" : "")
    }
}
