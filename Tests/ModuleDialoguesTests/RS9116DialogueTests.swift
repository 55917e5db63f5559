import BeaconModel
import ModuleEmulator
import TestValues
import Testing

@testable import ModuleDialogues

/// The dialogue as the reference's transcripts have it, spoken by hand.
@Suite struct RS9116DialogueTests {
    @Test("The line settles for 100 ms; then firmware that may be running is asked before any handshake byte")
    func settling() {
        var conversation = Conversation()
        #expect(conversation.tell(.opened) == [.wait(.milliseconds(100))])
        #expect(conversation.hear("UUU") == [])
        #expect(
            conversation.waitInVain() == [.send(Array("at+rsi_fwversion?\r\n".utf8)), .wait(.milliseconds(300))])
        #expect(conversation.waitInVain() == [.send([0x7C]), .wait(.milliseconds(200))])
    }

    @Test("The whole session, from silence to the air, sends what the reference says")
    func session() {
        var conversation = Conversation()
        #expect(conversation.open().sent == ["at+rsi_fwversion?\r\n", "|"])
        #expect(conversation.hear("U").sent == ["U"])
        #expect(conversation.hear("\r\nWELCOME TO REDPINE SIGNALS\r\n").sent == [])
        #expect(conversation.hear("Z JTAG Selection\r\n") == [.wait(.milliseconds(50))])
        #expect(conversation.waitInVain().sent == ["1"])
        #expect(conversation.hear("1\r\nLoading...\r\n").sent == [])
        #expect(conversation.hear("Loading Done\r\n").sent == ["at+rsi_fwversion?\r\n"])
        #expect(
            conversation.hear("OK1610.2.5.2.0.4\0\r\n").sent
                == ["at+rsi_opermode=851968,0,1,2147483648,2150629376,3221225472,0,1075773440\r\n"])
        #expect(conversation.hear("OK\r\n").sent == [])
        #expect(conversation.hear("bt_loaded\r\n").sent == ["at+rsibt_getlocalbdaddr?\r\n"])
        let identity = conversation.hear("OK 88-DA-1A-E8-06-6F\r\n").identity
        #expect(identity?.address == BluetoothAddress("88:DA:1A:E8:06:6F"))
        #expect(identity?.applied == AppliedConfiguration.none)
        #expect(
            conversation.tell(.assigned(conversation.configuration)).sent.first?
                .hasPrefix("at+rsibt_setadvertisedata=1E,") == true)
        #expect(conversation.hear("OK\r\n").sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
        let mark = ConfigurationFingerprint(conversation.configuration)
        #expect(conversation.hear("OK\r\n").sent == ["at+rsibt_setlocalname=15,\(mark)n\r\n"])
        let module = conversation.hear("OK\r\n").provisioned
        #expect(module?.address == BluetoothAddress("88:DA:1A:E8:06:6F"))
        #expect(module?.firmware == "1610.2.5.2.0.4")
        #expect(module?.advertisingType == .nonConnectable)
    }

    @Test("Tries go on for less than half a minute: both handshake bytes, every speed, DTR and RTS")
    func handshakes() {
        var conversation = Conversation()
        var actions = conversation.open()
        while actions.failure == nil { actions += conversation.waitInVain() }
        let waited = actions.reduce(Duration.zero) { sum, action in
            if case .line(.wait(let duration)) = action { sum + duration } else { sum }
        }
        #expect(waited < .seconds(30))
        #expect(actions.failure == .silent)
        #expect(actions.sent.filter { $0 == "|" }.count > 10)
        #expect(actions.sent.filter { $0 == "\u{1C}" }.count > 10)
        let rates = actions.compactMap { if case .line(.setBaudRate(let rate)) = $0 { rate } else { nil } }
        #expect(Set(rates) == [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600])
        #expect(actions.filter { $0 == .pulseControlLines }.count == 1)
    }

    @Test("A module that is in its menu already gets its key without a handshake")
    func openMenu() {
        var conversation = Conversation()
        _ = conversation.open()
        _ = conversation.hear("\r\n\r\nInvalid Option\r\n\r\nWaiting for Correct Option...\r\n\r\n")
        #expect(conversation.waitInVain().sent == ["1"])
    }

    @Test("Firmware that runs already is asked who it is and what it was given, and isn't disturbed")
    func runningFirmware() {
        var conversation = Conversation()
        _ = conversation.tell(.opened)
        _ = conversation.waitInVain()
        // What was in the line before spoils the first question.
        #expect(conversation.hear("ERROR FFF8\r\n").sent == ["at+rsi_fwversion?\r\n"])
        #expect(conversation.hear("OK1610.2.5.2.0.4\r\n").sent == ["at+rsibt_getlocalbdaddr?\r\n"])
        #expect(conversation.hear("OK 88-DA-1A-E8-06-6F\r\n").sent == ["at+rsibt_getlocalname?\r\n"])
        let mark = ConfigurationFingerprint(conversation.configuration)
        #expect(conversation.hear("OK F,\(mark)n\r\n").sent == ["at+rsibt_getdevstate?\r\n"])
        #expect(conversation.hear("OK 1\r\n").identity?.applied == .marked(mark))
    }

    @Test("A module whose port comes back before its assignment is asked again who it is, and only then configured")
    func reopenedBeforeAssignment() {
        var conversation = Conversation()
        _ = conversation.findMarked()
        _ = conversation.tell(.opened)
        #expect(conversation.tell(.assigned(conversation.configuration)).sent == [])
        #expect(conversation.waitInVain().sent == ["at+rsi_fwversion?\r\n"])
        #expect(conversation.hear("OK1610.2.5.2.0.4\r\n").sent == ["at+rsibt_getlocalbdaddr?\r\n"])
        #expect(conversation.hear("OK 88-DA-1A-E8-06-6F\r\n").sent == ["at+rsibt_getlocalname?\r\n"])
        let mark = ConfigurationFingerprint(conversation.configuration)
        #expect(conversation.hear("OK F,\(mark)n\r\n").sent == ["at+rsibt_getdevstate?\r\n"])
        #expect(conversation.hear("OK 1\r\n").sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
    }

    @Test("A module that advertises and has its mark is given its data again, because nobody can ask it for them")
    func sentAgain() {
        var conversation = Conversation()
        _ = conversation.findMarked()
        // That it advertises is seen by the refusal to start what is on.
        let actions = conversation.tell(.assigned(conversation.configuration))
        #expect(actions.sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
        #expect(conversation.hear("ERROR 4E0C\r\n").sent == ["at+rsibt_advertise=0,131,0,0,0,160,160,0,7\r\n"])
        #expect(conversation.hear("OK\r\n").sent.first?.hasPrefix("at+rsibt_setadvertisedata=1E,") == true)
        #expect(conversation.hear("OK\r\n").sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
        let done = conversation.hear("OK\r\n")
        #expect(done.provisioned?.isUnchanged == true)
        #expect(done.steps == [.sentAgain(.nonConnectable, .appleIBeacon)])
    }

    @Test("A module that has its mark and was stopped is started, and that is a change")
    func stopped() {
        var conversation = Conversation()
        let mark = ConfigurationFingerprint(conversation.configuration)
        #expect(conversation.findMarked(state: 0).identity?.applied == .stopped(mark))
        _ = conversation.tell(.assigned(conversation.configuration))
        // Started, it is stopped again, given its data, and started.
        for _ in 0..<3 { #expect(conversation.hear("OK\r\n").provisioned == nil) }
        #expect(conversation.hear("OK\r\n").provisioned?.isUnchanged == false)
    }

    @Test("Firmware that runs with something else is reset before it gets what it shall advertise")
    func otherConfiguration() {
        var conversation = Conversation()
        _ = conversation.tell(.opened)
        _ = conversation.waitInVain()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        _ = conversation.hear("OK 88-DA-1A-E8-06-6F\r\n")
        #expect(conversation.hear("OK B,RS9116W_BLE\r\n").identity?.applied == .unknown)
        let actions = conversation.tell(.assigned(conversation.configuration))
        #expect(actions.sent == ["at+rsi_reset\r\n"])
        #expect(actions.steps == [.resetting])
        #expect(conversation.hear("OK\r\n").sent == [])
        // Its boot loader, which hasn't been seen, may be bypassed.
        for _ in 0..<4 { #expect(conversation.waitInVain().sent == ["at+rsi_fwversion?\r\n"]) }
        #expect(conversation.waitInVain().sent == ["|"])
    }

    @Test("A module that was started only to be asked is reset, so that it is left as it was found")
    func leftAsFound() {
        var conversation = Conversation()
        conversation.boot()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        _ = conversation.hear("OK\r\nbt_loaded\r\n")
        _ = conversation.hear("OK 88-DA-1A-E8-06-6F\r\n")
        #expect(conversation.tell(.assigned(nil)) == [.send(Array("at+rsi_reset\r\n".utf8)), .finished])
    }

    @Test("Another module on the port isn't given the first one's identity")
    func anotherModule() {
        var conversation = Conversation()
        conversation.provision()
        _ = conversation.waitInVain()
        #expect(conversation.hear("OK 88-DA-1A-00-00-01\r\n").losses == [.reset])
        _ = conversation.waitInVain()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        _ = conversation.hear("OK 88-DA-1A-00-00-01\r\n")
        #expect(conversation.hear("OK something\r\n").identity?.address == BluetoothAddress("88:DA:1A:00:00:01"))
    }

    @Test("A central that leaves before the answer to `disconnect` isn't taken for advertising that has begun")
    func centralLeaves() {
        var conversation = Conversation()
        conversation.provision()
        #expect(
            conversation.hear("AT+RSIBT_LE_DEVICE_ENHANCE_CONNECTED=1,6B-63-FE-FE-3D-FD,0\r\n").losses == [.central])
        #expect(conversation.hear("AT+RSIBT_LE_DISCONNECTED 6B-63-FE-FE-3D-FD,4E13\r\n").sent == [])
        let answered = conversation.hear("OK\r\n")
        #expect(answered.provisioned == nil)
        #expect(answered.sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
        #expect(conversation.hear("OK\r\n").provisioned != nil)
    }

    @Test("A port that went away under a module that was well is a loss, and the module is looked at anew")
    func portCameBack() {
        let wanted = Conversation.configuration
        var line = EmulatedSerialLine(RS9116Emulator(options: .init()), assignment: wanted)
        line.run()
        line.tell(.check)
        line.tell(.opened)
        line.run(until: line.now + .seconds(300))
        #expect(line.failure == nil)
        #expect(line.losses == [.reset])
        #expect(line.provisionings.count == 2)
    }

    @Test("A module that isn't assigned anything is left as it is")
    func unassigned() {
        var conversation = Conversation()
        _ = conversation.tell(.opened)
        _ = conversation.waitInVain()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        _ = conversation.hear("OK 88-DA-1A-E8-06-6F\r\n")
        _ = conversation.hear("OK B,RS9116W_BLE\r\n")
        #expect(conversation.tell(.assigned(nil)) == [.finished])
    }

    @Test("A module without non-connectable advertising gets connectable advertising")
    func fallback() {
        var conversation = Conversation()
        conversation.bootUntilAdvertise()
        let actions = conversation.refuse("4E11")
        #expect(actions.steps == [.advertisingTypeRefused(.nonConnectable, RS9116ErrorCode(rawValue: 0x4E11))])
        #expect(actions.sent == ["at+rsibt_advertise=1,128,0,0,0,160,160,0,7\r\n"])
        _ = conversation.hear("OK\r\n")
        // A central may have connected since: stopped and started again, the module advertises.
        #expect(conversation.hear("OK\r\n").sent == ["at+rsibt_advertise=0,128,0,0,0,160,160,0,7\r\n"])
        #expect(conversation.hear("OK\r\n").sent == ["at+rsibt_advertise=1,128,0,0,0,160,160,0,7\r\n"])
        // One that comes at once is waited for.
        #expect(conversation.hear("OK\r\n").provisioned == nil)
        #expect(conversation.waitInVain().provisioned?.advertisingType == .connectable)
    }

    @Test("One refusal of non-connectable advertising isn't believed: the command may have been damaged on its way")
    func damagedStart() {
        var conversation = Conversation()
        conversation.bootUntilAdvertise()
        #expect(conversation.hear("ERROR 4E62\r\n").sent == [])
        #expect(conversation.waitInVain().sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
        _ = conversation.hear("OK\r\n")
        #expect(conversation.hear("OK\r\n").provisioned?.advertisingType == .nonConnectable)
    }

    @Test("An answer that comes after its time isn't taken for that of the next command")
    func lateAnswer() {
        var conversation = Conversation()
        conversation.bootUntilAdvertise()
        // No answer to the start in time: a question is sent, behind which nothing old can come.
        #expect(conversation.waitInVain().sent == ["at+rsi_fwversion?\r\n"])
        _ = conversation.hear("ERROR 4E11\r\n")
        #expect(conversation.waitInVain().sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
        // The answer to the question is none to the start.
        let version = conversation.hear("OK1610.2.5.2.0.4\0\r\n")
        #expect(version.sent == [])
        #expect(version.provisioned == nil)
    }

    @Test("A command whose answer is lost is sent again once a question is answered")
    func lostAnswer() {
        var conversation = Conversation()
        conversation.bootUntilAdvertise()
        #expect(conversation.waitInVain().sent == ["at+rsi_fwversion?\r\n"])
        #expect(
            conversation.hear("OK1610.2.5.2.0.4\0\r\n").sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
    }

    @Test("A module that refuses both ways fails, and the error names the command and the code")
    func refused() {
        var conversation = Conversation()
        conversation.bootUntilAdvertise()
        _ = conversation.refuse("4E12")
        let failure = conversation.refuse("4E12").failure
        #expect(failure?.what.contains("ERROR 4E12 (invalid HCI parameter)") == true)
        #expect(failure?.what.contains("at+rsibt_advertise=1,128") == true)
        #expect(failure?.remedy != nil)
    }

    @Test("Advertising that is on already is stopped and started again, once")
    func alreadyAdvertising() {
        var conversation = Conversation()
        conversation.bootUntilAdvertise()
        #expect(conversation.hear("ERROR 4E0C\r\n").sent == ["at+rsibt_advertise=0,131,0,0,0,160,160,0,7\r\n"])
        #expect(conversation.hear("ERROR 4E0C\r\n").sent == ["at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"])
        #expect(conversation.hear("ERROR 4E0C\r\n").sent == ["at+rsi_reset\r\n"])
    }

    @Test("A busy module is asked again after 200 ms, three times in all")
    func busy() {
        var conversation = Conversation()
        conversation.boot()
        for _ in 0..<2 {
            #expect(conversation.hear("ERROR 002C\r\n").contains(.wait(.milliseconds(200))))
            #expect(conversation.waitInVain().sent == ["at+rsi_fwversion?\r\n"])
        }
        #expect(conversation.hear("ERROR 002C\r\n").failure != nil)
    }

    @Test("A module in the wrong state is reset, and the dialogue repeated, twice at most")
    func reset() {
        var conversation = Conversation()
        conversation.boot()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        for _ in 0..<2 {
            #expect(conversation.hear("ERROR 0021\r\n").sent == ["at+rsi_reset\r\n"])
            _ = conversation.waitInVain()
            _ = conversation.hear("U")
            _ = conversation.hear("JTAG Selection\r\n")
            _ = conversation.waitInVain()
            _ = conversation.hear("Loading Done\r\n")
            _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        }
        #expect(conversation.hear("ERROR 0021\r\n").failure != nil)
    }

    @Test("Without bt_loaded the Bluetooth commands are tried all the same")
    func bluetoothUnconfirmed() {
        var conversation = Conversation()
        conversation.boot()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        #expect(conversation.hear("OK\r\n") == [.wait(.seconds(10))])
        let actions = conversation.waitInVain()
        #expect(actions.sent == ["at+rsibt_getlocalbdaddr?\r\n"])
        #expect(actions.steps == [.bluetoothUnconfirmed])
    }

    @Test("A lost OK to the operating mode is made good by bt_loaded")
    func lostOK() {
        var conversation = Conversation()
        conversation.boot()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        // It may still come.
        #expect(conversation.hear("bt_loaded\r\n").sent == ["at+rsi_fwversion?\r\n"])
        #expect(conversation.hear("OK1610.2.5.2.0.4\r\n").sent == ["at+rsibt_getlocalbdaddr?\r\n"])
    }

    @Test("A damaged address is asked for again")
    func damagedAddress() {
        var conversation = Conversation()
        conversation.boot()
        _ = conversation.hear("OK1610.2.5.2.0.4\r\n")
        _ = conversation.hear("OK\r\nbt_loaded\r\n")
        #expect(conversation.hear("OK 88-DA-1A-E8-0\r\n") == [.wait(.milliseconds(200))])
        #expect(conversation.waitInVain().sent == ["at+rsibt_getlocalbdaddr?\r\n"])
    }

    @Test("Loading that never ends is asked after with an AT command, then named as missing firmware")
    func noImage() {
        var conversation = Conversation()
        _ = conversation.open()
        _ = conversation.hear("U")
        _ = conversation.hear("JTAG Selection\r\n")
        #expect(conversation.waitInVain().contains(.wait(.seconds(10))))
        _ = conversation.hear("1\r\nLoading...\r\n")
        for _ in 0..<3 { #expect(conversation.waitInVain().sent == ["at+rsi_fwversion?\r\n"]) }
        #expect(conversation.waitInVain().failure == .firmwareNotLoaded)
    }

    @Test("A lost \"Loading Done\" is made good by an answer to the first AT command")
    func lostLoadingDone() {
        var conversation = Conversation()
        _ = conversation.open()
        _ = conversation.hear("U")
        _ = conversation.hear("JTAG Selection\r\n")
        _ = conversation.waitInVain()
        _ = conversation.hear("1\r\nLoading...\r\nLoadi")
        _ = conversation.waitInVain()
        #expect(conversation.hear("OK1610.2.5.2.0.4\r\n").sent == ["at+rsibt_getlocalbdaddr?\r\n"])
        #expect(conversation.hear("ERROR 0021\r\n").sent.first?.hasPrefix("at+rsi_opermode=") == true)
    }

    @Test("Another device's chatter is named as such")
    func chatter() {
        var conversation = Conversation()
        _ = conversation.open()
        var failure: ProvisioningError?
        while failure == nil {
            _ = conversation.hear("$GPGGA,123519\r\n")
            failure = conversation.waitInVain().failure
        }
        guard case .unintelligible(let bytes) = failure else {
            Issue.record("found \(String(describing: failure))")
            return
        }
        #expect(bytes > 100)
    }

    @Test("Nothing that a module says makes the dialogue trap or send garbage", arguments: 0..<50)
    func hostileModule(round: UInt64) {
        var generator = SeededGenerator(seed: round)
        var conversation = Conversation()
        _ = conversation.open()
        let words = [
            "U", "OK", "ERROR", "ERROR ", "4E0C", "\r\n", "bt_loaded\r\n", "JTAG Selection", "Loading Done", "\0",
            "Correct Option", "AT+RSIBT_", "\u{FF}",
        ]
        for _ in 0..<500 {
            let actions =
                Bool.random(using: &generator)
                ? conversation.waitInVain() : conversation.hear(words.randomElement(using: &generator) ?? "")
            for text in actions.sent { #expect(text.utf8.count == 1 || text.hasPrefix("at+rsi"), "seed \(round)") }
            if actions.identity != nil { _ = conversation.tell(.assigned(conversation.configuration)) }
            if actions.failure != nil { return }
        }
    }
}
