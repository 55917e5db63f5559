import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import ModuleDialogues
@testable import UARTConfig

/// Real senders, an emulated module, and everything between them.
@Suite("A firmware update", .timeLimit(.minutes(10)))
struct FirmwareUpdateTests {
    private static let installed = KermitSender.Program.allCases.compactMap { try? KermitSender.find([$0]) }
    private static let bothInstalled = installed.count == KermitSender.Program.allCases.count

    private static func module(
        _ change: (inout RS9116Emulator.Options) -> Void = { _ in }
    ) throws -> EmulatedModule {
        var options = RS9116Emulator.Options()
        options.initialState = .atMode(opermodeDone: true)
        options.loadingDelay = .milliseconds(5)
        options.resetDelay = .milliseconds(5)
        options.upgradeDelay = .milliseconds(5)
        change(&options)
        return try EmulatedModule(options: options)
    }

    /// Stays in the first transfer a little after its half, so that there is time to end it whatever the machine's speed.
    private static func halfWayModule() throws -> EmulatedModule { try module { $0.firstTransferStall = 36_000 } }

    /// Whether the module has every byte; not as an expectation on the bytes, which would be printed.
    private static func hasReceived(_ module: EmulatedModule) async throws -> Bool {
        try await module.receivedImage(0) == FirmwareUpdateRun.file.value
    }

    private static func script(_ text: String, _ directory: TemporaryDirectory) throws -> KermitSender {
        let path = try directory.write("sender", "#!/bin/sh\n\(text)\n")
        chmod(path, 0o755)
        return KermitSender(program: .gKermit, path: path)
    }

    @Test("burns an image byte for byte, and sees it run", .enabled(if: bothInstalled), arguments: installed)
    func burning(sender: KermitSender) async throws {
        let module = try Self.module()
        defer { module.stop() }
        let run = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect(run.error == nil)
        #expect(try await Self.hasReceived(module))
        #expect(run.found == InstalledFirmware(version: "1610.2.5.2.0.4"))
        #expect(run.updated == UpdatedFirmware(version: "1610.2.12.0.0.3", expectedVersion: "1610.2.12.0.0.3"))
        #expect(run.progress.last?.sent == 60_104)
        #expect(run.progress.last?.repetitions == 0)
        #expect(run.steps.contains(.integrityPassed(image: 0)))
    }

    @Test(
        "succeeds whatever follows the check of the image, in pieces at the speed of the line",
        .enabled(if: bothInstalled), arguments: RS9116Emulator.Options.TextAfterIntegrityCheck.allCases)
    func pieces(text: RS9116Emulator.Options.TextAfterIntegrityCheck) async throws {
        let module = try Self.module {
            $0.textAfterIntegrityCheck = text
            $0.pacedPiece = 8
        }
        defer { module.stop() }
        let sender = try #require(Self.installed.first)
        let run = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect(run.error == nil)
        #expect(run.updated?.isAsExpected == true)
        #expect(run.steps.contains(.integrityPassed(image: 0)))
    }

    @Test("of a module whose boot loader is bypassed says so, and leaves its firmware as it was")
    func bypassed() async throws {
        let module = try Self.module { $0.bypassesBootloader = true }
        defer { module.stop() }
        let run = try await FirmwareUpdateRun(
            port: module.portPath, sender: KermitSender(program: .gKermit, path: "/bin/false"))
        #expect(run.failure == .noBootLoader)
        // It still takes AT commands.
        let beacon = BeaconConfiguration(
            beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 2), measuredPower: -59)
        let provisioner = ModuleProvisioner(port: module.portPath, configuration: beacon)
        #expect(try await provisioner.provision { _ in }.configuration == beacon)
    }

    @Test("brings a module without firmware to life", .enabled(if: bothInstalled), arguments: installed)
    func missingFirmware(sender: KermitSender) async throws {
        let module = try Self.module {
            $0.initialState = .waitingForABRD
            $0.imageIsMissing = true
        }
        defer { module.stop() }
        let run = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect(run.error == nil)
        #expect(run.found == InstalledFirmware(version: nil))
        #expect(run.steps.contains(.noFirmware))
        #expect(try await Self.hasReceived(module))
    }

    @Test("survives a module whose port goes away at each reset", .enabled(if: bothInstalled))
    func vanishingPort() async throws {
        let directory = try TemporaryDirectory()
        let link = directory.path + "/module"
        var options = RS9116Emulator.Options()
        options.portVanishesOnReset = true
        options.initialState = .atMode(opermodeDone: true)
        let module = try EmulatedModule(options: options, link: link)
        defer { module.stop() }
        let run = try await FirmwareUpdateRun(port: link, sender: Self.installed[0])
        #expect(run.error == nil)
        #expect(try await Self.hasReceived(module))
    }

    @Test("of the wrong family is refused, and the module never leaves its firmware")
    func wrongFamily() async throws {
        let module = try Self.module()
        defer { module.stop() }
        let file = RPSFile(body: [1, 2, 3], flags: 0, extendedVersion: 0x1611_0000).bytes
        let sender = KermitSender(program: .cKermit, path: "/nonexistent")
        let run = try await FirmwareUpdateRun(port: module.portPath, file: file, sender: sender)
        #expect(run.failure?.exitStatus == .data)
        #expect(run.failure?.remedy == "use the RS9116W.*.rps of the same firmware package")
        #expect(run.steps == [.module(.firmwareVersion("1610.2.5.2.0.4"))])
        #expect(run.found == nil)
    }

    @Test(
        "that was cut by unplugging says how to go on, and succeeds when it is done again", .enabled(if: bothInstalled),
        arguments: installed, [true, false])
    func unplugged(sender: KermitSender, waits: Bool) async throws {
        let module = try waits ? Self.halfWayModule() : Self.module()
        defer { module.stop() }
        let cut = try await FirmwareUpdateRun(port: module.portPath, sender: sender) { _, _ in module.unplug() }
        // A module that doesn't wait may have the whole image before it is unplugged.
        if !waits, cut.error == nil { return }
        if waits || cut.failure != .unverified {
            #expect(cut.failure?.remedy == "plug the module in again and run the same command again: it starts over")
        }
        #expect(cut.failure?.meaning?.contains("boot loader") == true)
        #expect(kill(cut.sender ?? 0, 0) < 0 && errno == ESRCH)
        try module.plug()
        let again = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect(again.error == nil)
        #expect(try await Self.hasReceived(module))
    }

    @Test(
        "whose sender was killed says so, and succeeds when it is done again at once", .enabled(if: bothInstalled),
        arguments: installed)
    func killedSender(sender: KermitSender) async throws {
        let module = try Self.halfWayModule()
        defer { module.stop() }
        let cut = try await FirmwareUpdateRun(port: module.portPath, sender: sender) { _, process in
            kill(process, SIGKILL)
        }
        guard case .senderFailed(sender.program, status: 128 + SIGKILL, reason: _, _) = cut.failure else {
            Issue.record("\(String(describing: cut.error))")
            return
        }
        #expect(cut.failure?.remedy?.hasPrefix("run the same command again") == true)
        let again = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect(again.error == nil)
        #expect(try await Self.hasReceived(module))
    }

    @Test(
        "that was ended half-way leaves the module in its menu, and no process", .enabled(if: bothInstalled),
        arguments: installed)
    func closed(sender: KermitSender) async throws {
        let module = try Self.halfWayModule()
        defer { module.stop() }
        let cut = try await FirmwareUpdateRun(port: module.portPath, sender: sender) { link, _ in link.close() }
        guard case .interrupted(let progress, portVanished: false) = cut.failure else {
            Issue.record("\(String(describing: cut.error))")
            return
        }
        #expect(progress.sent >= progress.total / 2 && progress.sent <= progress.total)
        #expect(kill(cut.sender ?? 0, 0) < 0 && errno == ESRCH)
        let again = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect(again.error == nil)
        // The boot loader was told, and needed no time-out.
        #expect(!again.steps.contains(.endingOldTransfer))
        #expect(try await Self.hasReceived(module))
    }

    @Test("ends the transfer of a program that was killed without a chance to", .enabled(if: bothInstalled))
    func oldTransfer() async throws {
        let module = try Self.module {
            $0.initialState = .menu
            // However late the driver comes.
            $0.transferTimeout = .seconds(600)
        }
        defer { module.stop() }
        try Self.type("B0", to: module.portPath)
        let run = try await FirmwareUpdateRun(port: module.portPath, sender: Self.installed[0])
        #expect(run.error == nil)
        #expect(run.steps.contains(.endingOldTransfer))
        #expect(try await Self.hasReceived(module))
    }

    private static func type(_ text: String, to path: String) throws {
        let port = try SerialPort.open(path)
        try port.write(Array(text.utf8))
        try listen(port, until: ".rps")
    }

    private static func listen(_ port: borrowing SerialPort, until text: String, _ heard: String = "") throws {
        let wakeup = try WakeupPipe()
        var heard = heard
        while !heard.contains(text), let bytes = try port.read(timeout: .seconds(10), wakeup: wakeup), !bytes.isEmpty {
            heard += String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(
        "gets through a line that loses bytes, with a sender that can't", .enabled(if: bothInstalled),
        arguments: installed)
    func badLine(sender: KermitSender) async throws {
        let module = try Self.module {
            $0.initialState = .menu
            $0.droppedBytePeriod = 397
        }
        defer { module.stop() }
        let path = module.portPath
        let file = try await FirmwareUpdateRun.file.value
        let report = try await DedicatedThread.run(name: "transfer") {
            Result {
                let port = try SerialPort.open(path)
                try port.write(Array("B0".utf8))
                try Self.listen(port, until: ".rps")
                let transfer = KermitTransfer(
                    sender: sender, image: file, silence: .milliseconds(500))
                let report = try transfer.run(
                    on: port, wakeup: WakeupPipe(), isClosed: { false }, began: { _ in }, progress: { _ in })
                try Self.listen(port, until: "Next", String(decoding: report.tail, as: UTF8.self))
                return report
            }
        }.get()
        #expect(report.outcome == .ended(status: 0, lastWords: nil))
        #expect(report.progress.repetitions > 2)
        #expect(report.progress.sent == file.count)
        #expect(try await Self.hasReceived(module))
    }

    @Test("says what the sender said last when that fails")
    func failingSender() async throws {
        let directory = try TemporaryDirectory()
        let module = try Self.module()
        defer { module.stop() }
        let sender = try Self.script("echo starting >&2; echo 'no such luck' >&2; exit 3", directory)
        let run = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect(
            run.failure?.what
                == "gkermit gave up after 0 of 60104 bytes, with status 3: no such luck")
        #expect(run.failure?.exitStatus == .inputOutput)
    }

    @Test("ends a sender that does nothing")
    func idleSender() async throws {
        let directory = try TemporaryDirectory()
        let module = try Self.module()
        defer { module.stop() }
        let sender = try Self.script("exec sleep 1000", directory)
        let run = try await FirmwareUpdateRun(port: module.portPath, sender: sender, silence: .milliseconds(20))
        guard case .stalled = run.failure else {
            Issue.record("\(String(describing: run.error))")
            return
        }
        #expect(kill(run.sender ?? 0, 0) < 0 && errno == ESRCH)
    }

    @Test("with a sender that can't be started is a system error")
    func impossibleSender() async throws {
        let module = try Self.module()
        defer { module.stop() }
        let sender = KermitSender(program: .gKermit, path: "/nonexistent/gkermit")
        let run = try await FirmwareUpdateRun(port: module.portPath, sender: sender)
        #expect((run.error as? SystemError)?.errorNumber == ENOENT)
    }

    @Test("takes C-Kermit before G-Kermit, and says what to install when there is neither")
    func senders() throws {
        let directory = try TemporaryDirectory()
        for name in ["gkermit", "kermit"] { chmod(try directory.write(name, ""), 0o755) }
        let found = try KermitSender.find(in: ["/nonexistent", directory.path])
        #expect(found == KermitSender(program: .cKermit, path: directory.path + "/kermit"))
        #expect(try KermitSender.find([.gKermit], in: [directory.path]).program == .gKermit)
        do {
            _ = try KermitSender.find(in: ["/nonexistent"])
            Issue.record("found a sender")
        } catch {
            #expect(error == .noSender)
            #expect(error.exitStatus == .unavailable)
            #expect(error.remedy == "sudo apt-get install ckermit")
        }
    }
}
