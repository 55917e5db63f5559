import EmulatedModules
import Glibc
import ModuleEmulator
import TestSupport
import Testing

@testable import ModuleEmulatorTests

/// Real senders, started as `sh` starts them, with the port as their standard input and output or as descriptor 3.
@Suite(
    "A Kermit program", .enabled(if: KermitPrograms.areInstalled, "gkermit or kermit isn't installed"),
    .timeLimit(.minutes(10)))
struct KermitSenderTests {
    /// Without `-X` it runs `stty`, and leaves a terminal that echoes.
    private static let gkermit = "gkermit -X -i -P -S -q -e 94 -b 5 -s FILE <>PORT >&0"
    private static let cKermit =
        #"kermit -Y -H -q -C "set carrier-watch off, set line 3, set speed 115200, set flow none, "#
        + "set parity none, set file type binary, set file names literal, set prefixing all, "
        + #"set streaming off, set block-check 1, send FILE, if fail exit 1, exit 0" 3<>PORT"#

    @Test("burns a firmware file byte for byte", arguments: [gkermit, cKermit])
    func burning(command: String) async throws {
        var options = RS9116Emulator.Options()
        options.initialState = .menu
        options.loadingDelay = .milliseconds(5)
        let module = try EmulatedModule(options: options)
        defer { module.stop() }
        let directory = try TemporaryDirectory()
        let firmware = TestFirmware.file(body: TestFirmware.body)
        let file = try directory.write("firmware.rps", firmware)
        let client = try SerialClient(module.portPath)
        try client.type("B3")
        let prompt = "B\r\nEnter Wireless Image No(0-f)\r\n3\r\nSend NWP firmware(*.rps)         \r\n"
        #expect(try client.read(until: "(*.rps)         \r\n") == prompt)
        let line = "exec " + command.replacing("FILE", with: file).replacing("PORT", with: module.portPath)
        let run = try await ChildProcess.run("sh", ["-c", line])
        #expect(run.status == 0, "\(run.output) \(run.errorOutput)")
        let words = "\r\nSafe Upgrade in Progress ...\r\n\r\nUpgradation Successful\r\n\r\nEnter Next Command\r\n"
        // The end of the last packet may be left over.
        #expect(try client.read(until: "Command\r\n").hasSuffix(words))
        #expect(module.receivedImage(3) == firmware)
        try client.type("A3")
        _ = try client.read(until: "Loading Done\r\n")
        try client.type("at+rsi_fwversion?\r\n")
        #expect(try client.read(until: "\0\r\n") == "OK1610.2.12.0.0.3\0\r\n")
    }
}

private enum KermitPrograms {
    static var areInstalled: Bool {
        ["gkermit", "kermit"].allSatisfy { access(ChildProcess.find($0), X_OK) == 0 }
    }
}
