import BeaconModel
import ModuleEmulator
import TestValues
import Testing

@testable import ModuleDialogues

/// The dialogue of an update as the reference has it, spoken by hand.
@Suite struct FirmwareUpdateDialogueTests {
    /// Speaks it: what the module says in, what the driver does out.
    struct Talk {
        private(set) var dialogue: FirmwareUpdateDialogue

        init(family: SiliconFamily = .rs9116w, number: UInt8 = 0) throws {
            let word: UInt32 = family == .rs9116w ? 0x1610_0000 : 0x1611_0000
            let file = RPSFile(body: Array(0..<100), extendedVersion: word)
            dialogue = FirmwareUpdateDialogue(image: try RPSImage(file.bytes), number: number)
        }

        mutating func tell(_ input: LineInput<FirmwareUpdateDialogue.Request>) -> [LineStep<
            FirmwareUpdateDialogue.Output
        >] {
            dialogue.handle(input, now: .zero)
        }

        mutating func hear(_ text: String) -> [LineStep<FirmwareUpdateDialogue.Output>] {
            tell(.bytes(Array(text.utf8)))
        }

        /// From the port to a module whose firmware runs.
        mutating func findRunning(_ version: String = "1610.2.5.2.0.4") -> [LineStep<FirmwareUpdateDialogue.Output>] {
            _ = tell(.opened)
            _ = tell(.deadline)
            return hear("OK\(version)\0\r\n")
        }

        /// From a module that runs to its quiet menu.
        mutating func returnToMenu() -> [LineStep<FirmwareUpdateDialogue.Output>] {
            _ = hear("OK\r\n")
            // The question comes before the handshake: the boot loader may be bypassed.
            for _ in 0..<5 { _ = tell(.deadline) }
            _ = hear("U")
            _ = hear("\r\nWELCOME TO REDPINE SIGNALS\r\n\r\nZ JTAG Selection\r\n")
            return tell(.deadline)
        }

        /// From the port to the transfer.
        mutating func burn() -> [LineStep<FirmwareUpdateDialogue.Output>] {
            _ = findRunning()
            _ = tell(.confirmed)
            _ = returnToMenu()
            _ = tell(.deadline)
            _ = hear("B\r\nEnter Wireless Image No(0-f)\r\n")
            return hear("0\r\nSend NWP firmware(*.rps)         \r\n")
        }

        static func report(
            _ outcome: TransferReport.Outcome = .ended(status: 0, lastWords: nil), tail: String = ""
        ) -> TransferReport {
            TransferReport(
                program: .gKermit, outcome: outcome,
                progress: TransferProgress(sent: 100, total: 164, repetitions: 0, elapsed: .seconds(1)),
                tail: Array(tail.utf8))
        }
    }

    @Test(
        "To leave before the image is sent is no failure; to leave afterwards is, as nobody knows what is in the module"
    )
    func leaving() throws {
        var talk = try Talk()
        _ = talk.findRunning()
        #expect(talk.tell(.leave) == [])
        talk = try Talk()
        _ = talk.burn()
        #expect(talk.tell(.leave).failure == .unverified)
        #expect(!talk.dialogue.isBurning)
    }

    @Test("The whole update, from running firmware to new firmware, sends what the reference says")
    func session() throws {
        var talk = try Talk()
        #expect(talk.findRunning().contains(.found(InstalledFirmware(version: "1610.2.5.2.0.4"))))
        #expect(talk.tell(.confirmed).sent == ["at+rsi_reset\r\n"])
        #expect(talk.returnToMenu() == [.wait(.milliseconds(300))])
        #expect(talk.tell(.deadline) == [.send([0x42]), .wait(.seconds(5))])
        #expect(talk.hear("B\r\nEnter Wire").sent == [])
        #expect(talk.hear("less Image No(0-f)\r\n").sent == ["0"])
        #expect(talk.hear("0\r\nSend NWP firmware(*.rps)         \r\n") == [.transfer])
        #expect(talk.dialogue.isBurning)
        let report = Talk.report()
        #expect(talk.tell(.transferred(report)) == [.report(.sent(report.progress)), .wait(.seconds(120))])
        #expect(talk.hear("\r\nSafe Upgrade in Progress ...\r\n") == [])
        // It is let to finish before the next key is pressed.
        #expect(
            talk.hear("\r\nUpgradation Successful\r\n\r\nEnter Next") == [
                .report(.upgraded), .wait(.milliseconds(300)),
            ])
        #expect(talk.hear(" Command\r\n") == [.wait(.milliseconds(300))])
        #expect(talk.tell(.deadline).sent == ["K"])
        #expect(talk.hear("K\r\nEnter Wireless Image No(0-f)\r\n").sent == ["0"])
        #expect(
            talk.hear("0\r\nIntegrity Passed")
                == [.report(.integrityPassed(image: 0)), .wait(.milliseconds(300))])
        #expect(talk.hear("\r\n\r\nEnter Next Command\r\n") == [.wait(.milliseconds(300))])
        #expect(talk.tell(.deadline).sent == ["1"])
        #expect(talk.hear("1\r\nLoading...\r\nLoading Done\r\n").sent == ["at+rsi_fwversion?\r\n"])
        let updated = UpdatedFirmware(version: "1610.2.12.0.0.3", expectedVersion: "1610.2.12.0.0.3")
        #expect(talk.hear("OK1610.2.12.0.0.3\0\r\n").contains(.finished(updated)))
        #expect(updated.isAsExpected)
        #expect(!talk.dialogue.isBurning)
    }

    @Test("Nothing is sent to a module before the person has agreed but the questions what is in it")
    func agreement() throws {
        var talk = try Talk()
        _ = talk.tell(.opened)
        #expect(talk.tell(.deadline).sent == ["at+rsi_fwversion?\r\n"])
        #expect(talk.hear("OK1610.2.5.2.0.4\0\r\n").sent == [])
        #expect(talk.tell(.deadline) == [])
        #expect(talk.hear("AT+RSIBT_ADVERTISE,1\r\n") == [])
    }

    @Test("An image of the wrong family is refused before anything but a question was sent")
    func family() throws {
        var talk = try Talk(family: .rs916w)
        let actions = talk.findRunning()
        #expect(actions.failure == .image(.otherFamily(image: .rs916w, module: .rs9116w)))
        #expect(actions.sent == [])
        #expect(talk.tell(.confirmed) == [])
    }

    @Test("Firmware of an unheard-of family is found, and the person is left to judge")
    func unknownFamily() throws {
        var talk = try Talk()
        let installed = InstalledFirmware(version: "1700.1.2.3.0.4")
        #expect(talk.findRunning("1700.1.2.3.0.4").contains(.found(installed)))
        #expect(installed.family == nil)
    }

    @Test("A module in its boot loader loads its firmware first, because only that tells the family")
    func bootLoader() throws {
        var talk = try Talk(family: .rs916w)
        _ = talk.tell(.opened)
        _ = talk.tell(.deadline)
        _ = talk.tell(.deadline)
        _ = talk.hear("U")
        _ = talk.hear("Z JTAG Selection\r\n")
        #expect(talk.tell(.deadline).sent == ["1"])
        #expect(talk.hear("1\r\nLoading...\r\nLoading Done\r\n").sent == ["at+rsi_fwversion?\r\n"])
        #expect(talk.hear("OK1610.2.5.2.0.4\r\n").failure?.exitStatus == .data)
    }

    @Test("A module without firmware is found as that, and burnt from the menu it is in")
    func noFirmware() throws {
        var talk = try Talk()
        _ = talk.tell(.opened)
        _ = talk.tell(.deadline)
        _ = talk.hear("\r\nInvalid Option\r\n\r\nWaiting for Correct Option...\r\n")
        #expect(talk.tell(.deadline).sent == ["1"])
        let failed = talk.hear("1\r\nLoading...\r\nInvalid Firmware\r\n\r\nEnter Next Command\r\n")
        #expect(failed.contains(.report(.noFirmware)))
        #expect(failed.failure == nil)
        _ = talk.tell(.deadline)
        _ = talk.hear("\r\nInvalid Option\r\n\r\nWaiting for Correct Option...\r\n")
        #expect(talk.tell(.deadline) == [.found(InstalledFirmware(version: nil))])
        #expect(talk.tell(.confirmed) == [.wait(.milliseconds(300))])
        #expect(talk.hear("Waiting for Correct Option...\r\n") == [.wait(.milliseconds(300))])
        #expect(talk.tell(.deadline).sent == ["B"])
    }

    @Test("A module that answers nothing may wait for a transfer: that is ended, and the module looked for once more")
    func oldTransfer() throws {
        var talk = try Talk()
        var actions = talk.tell(.opened)
        var rounds = 0
        while actions.failure == nil, rounds < 1000 {
            actions += talk.tell(.deadline)
            rounds += 1
        }
        #expect(actions.failure == .module(.silent))
        #expect(actions.filter { $0 == .report(.endingOldTransfer) }.count == 1)
        #expect(actions.sent.filter { $0.contains("Einterrupted") }.count == 1)
    }

    @Test(
        "Other words of other boot loaders are understood",
        arguments: ["Send the file by Kermit\r\n", "firmware (*.RPS) please\r\n"],
        ["\r\nUPGRADATION SUCCESSFUL\r\n", "Firmware Upgradation completed\r\n"])
    func words(prompt: String, verdict: String) throws {
        var talk = try Talk()
        _ = talk.findRunning()
        _ = talk.tell(.confirmed)
        _ = talk.returnToMenu()
        _ = talk.tell(.deadline)
        _ = talk.hear("B\r\nENTER WIRELESS IMAGE NO (0-F)\r\n")
        #expect(talk.hear("0\r\n" + prompt) == [.transfer])
        _ = talk.tell(.transferred(Talk.report()))
        #expect(talk.hear(verdict).contains(.report(.upgraded)))
        #expect(talk.tell(.deadline).sent == ["K"])
    }

    @Test("What the boot loader says while the sender still leaves counts")
    func tail() throws {
        var talk = try Talk()
        _ = talk.burn()
        let actions = talk.tell(.transferred(Talk.report(tail: "\u{1}#'YE\r\r\nUpgradation Successful\r\n")))
        #expect(actions.contains(.report(.upgraded)))
        #expect(talk.tell(.deadline).sent == ["K"])
    }

    @Test("A boot loader that doesn't ask is left alone, with what it said", arguments: [true, false])
    func noPrompt(atFirst: Bool) throws {
        var talk = try Talk()
        _ = talk.findRunning()
        _ = talk.tell(.confirmed)
        _ = talk.returnToMenu()
        _ = talk.tell(.deadline)
        if !atFirst { _ = talk.hear("B\r\nEnter Wireless Image No(0-f)\r\n") }
        _ = talk.hear("\r\nNot Supported\r\n")
        let error = talk.tell(.deadline).failure
        #expect(error == .noPrompt(atFirst ? .imageNumber : .file, said: "Not Supported"))
        #expect(!talk.dialogue.isBurning)
    }

    @Test(
        "A refused image is an error with the boot loader's words; noise of its menu isn't",
        arguments: ["Upgradation Failed", "Invalid Firmware"])
    func refused(text: String) throws {
        var talk = try Talk()
        _ = talk.burn()
        _ = talk.tell(.transferred(Talk.report()))
        #expect(talk.hear("\r\nInvalid Option\r\n") == [])
        // A line is judged when it is complete, and the invitation that follows isn't the reason.
        #expect(talk.hear("\r\n\(text)") == [])
        #expect(talk.hear("\r\n\r\nEnter Next Command\r\n").failure == .refused(said: text))
    }

    @Test("Each end of a transfer has its error, which says to run the command again")
    func transfers() throws {
        let outcomes: [TransferReport.Outcome] = [
            .ended(status: 1, lastWords: "Too many retries"), .interrupted, .stalled, .tookTooLong,
        ]
        for outcome in outcomes {
            var talk = try Talk()
            _ = talk.burn()
            let error = try #require(talk.tell(.transferred(Talk.report(outcome))).failure)
            #expect(error.remedy?.contains("run the same command again") == true, "\(error)")
            #expect(error.what.contains("100 of 164 bytes"), "\(error)")
        }
    }

    @Test("A boot loader that says nothing after the transfer is given two minutes")
    func noResult() throws {
        var talk = try Talk()
        _ = talk.burn()
        _ = talk.tell(.transferred(Talk.report()))
        #expect(talk.tell(.deadline).failure == .noResult(.seconds(120)))
    }

    @Test("A damaged image is an error; an unheard-of answer is left to the loading to settle")
    func integrity() throws {
        var talk = try Talk()
        _ = talk.burn()
        _ = talk.tell(.transferred(Talk.report()))
        _ = talk.hear("Upgradation Successful\r\n")
        _ = talk.tell(.deadline)
        var other = talk
        _ = talk.hear("K\r\nEnter Wireless Image No(0-f)\r\n")
        #expect(talk.hear("0\r\nIntegrity Failed\r\n").failure == .integrityFailed(image: 0))
        let unknown = other.tell(.deadline)
        #expect(unknown == [.report(.integrityUnknown(image: 0)), .send([0x31]), .wait(.seconds(10))])
    }

    @Test("An image other than the first is loaded by its number")
    func otherImage() throws {
        var talk = try Talk(number: 11)
        _ = talk.findRunning()
        _ = talk.tell(.confirmed)
        _ = talk.returnToMenu()
        _ = talk.tell(.deadline)
        #expect(talk.hear("B\r\nEnter Wireless Image No(0-f)\r\n").sent == ["b"])
        _ = talk.hear("b\r\nSend NWP firmware(*.rps)\r\n")
        _ = talk.tell(.transferred(Talk.report(tail: "Upgradation Successful\r\n")))
        #expect(talk.tell(.deadline).sent == ["K"])
        #expect(talk.hear("K\r\nEnter Wireless Image No(0-f)\r\n").sent == ["b"])
        _ = talk.hear("b\r\nIntegrity Passed\r\n")
        #expect(talk.tell(.deadline).sent == ["A"])
        #expect(talk.hear("A\r\nEnter Wireless Image No(0-f)\r\n").sent == ["b"])
        #expect(talk.hear("b\r\nLoading...\r\nLoading Done\r\n").sent == ["at+rsi_fwversion?\r\n"])
    }

    @Test("New firmware that doesn't load is an error of its own")
    func doesNotStart() throws {
        var talk = try Talk()
        _ = talk.burn()
        _ = talk.tell(.transferred(Talk.report(tail: "Upgradation Successful\r\n")))
        _ = talk.tell(.deadline)
        _ = talk.hear("Enter Wireless Image No(0-f)\r\n")
        _ = talk.hear("Integrity Passed\r\n")
        #expect(talk.tell(.deadline).sent == ["1"])
        // What it said before may still arrive.
        #expect(talk.hear("\r\nEnter Next Command\r\n").failure == nil)
        let actions = talk.hear("1\r\nLoading...\r\nInvalid Firmware\r\n\r\nEnter Next Command\r\n")
        #expect(actions.failure == .doesNotStart(.firmwareNotLoaded))
    }

    @Test("A port that comes back once the image was taken leads to its check, not to another burning")
    func portCameBack() throws {
        var talk = try Talk()
        _ = talk.burn()
        _ = talk.tell(.transferred(Talk.report(tail: "Upgradation Successful\r\n")))
        // The boot loader is let to finish.
        #expect(talk.dialogue.isBurning)
        _ = talk.tell(.opened)
        _ = talk.tell(.deadline)
        _ = talk.hear("\r\nInvalid Option\r\n\r\nWaiting for Correct Option...\r\n")
        #expect(talk.tell(.deadline) == [.wait(.milliseconds(300))])
        // Of its menu, too.
        #expect(talk.hear("Waiting for Correct Option...\r\n") == [.wait(.milliseconds(300))])
        #expect(talk.tell(.deadline).sent == ["K"])
    }

    @Test("Any bytes at any time are legal, and the dialogue comes to its end")
    func noise() throws {
        var generator = SeededGenerator("firmware update")
        let texts = [
            "U", "JTAG Selection", "OK1610.2.5.2.0.4\r\n", "Enter Wireless Image No", "Send .rps", "Fail",
            "Loading Done",
            "Upgradation Succe", "Integrity Passed", "ERROR 4D09\r\n", "\u{1}",
        ]
        for _ in 0..<200 {
            var talk = try Talk()
            var actions = talk.tell(.opened)
            var steps = 0
            while actions.failure == nil, !actions.isFinished, steps < 5000 {
                steps += 1
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: actions = talk.hear(texts.randomElement(using: &generator) ?? "")
                case 1: actions = talk.tell(.confirmed)
                case 2: actions = talk.tell(.bytes([UInt8.random(in: 0...255, using: &generator)]))
                case 3 where steps % 50 == 0: actions = talk.tell(.opened)
                case 4: actions = talk.tell(.transferred(Talk.report()))
                default: actions = talk.tell(.deadline)
                }
            }
            #expect(steps < 5000, generator.comment)
        }
    }
}

extension LineInput where Request == FirmwareUpdateDialogue.Request {
    static var confirmed: Self { .request(.confirmed) }
    static func transferred(_ report: TransferReport) -> Self { .request(.transferred(report)) }
}

extension [LineStep<FirmwareUpdateDialogue.Output>] {
    /// What is sent, as text.
    var sent: [String] {
        compactMap { if case .line(.send(let bytes)) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    var failure: FirmwareUpdateError? {
        lazy.compactMap { if case .output(.failed(let error)) = $0 { error } else { nil } }.first
    }

    var isFinished: Bool { contains { if case .output(.finished) = $0 { true } else { false } } }
}
