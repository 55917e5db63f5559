import BeaconModel
import Testing

@testable import ModuleDialogues

/// Which answer belongs to which command when some are late, lost or doubled, spoken by hand.
@Suite struct RS9116SynchronisationTests {
    private static let version = "OK1610.2.5.2.0.4\0\r\n"
    private static let question = "at+rsi_fwversion?\r\n"
    private static let start = "at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n"

    @Test("The late answer to a question that was given up isn't taken for that of the next command")
    func givenUp() {
        var conversation = Conversation()
        _ = conversation.tell(.opened)
        _ = conversation.waitInVain()
        _ = conversation.hear(Self.version)
        _ = conversation.hear("OK 88-DA-1A-E8-06-6F\r\n")
        let mark = ConfigurationFingerprint(conversation.configuration)
        #expect(conversation.hear("OK F,\(mark)n\r\n").sent == ["at+rsibt_getdevstate?\r\n"])
        while conversation.waitInVain().identity == nil {}
        // Before anything is sent that the answer could be taken for, a question separates the times.
        #expect(conversation.tell(.assigned(conversation.configuration)).sent == [Self.question])
        #expect(conversation.hear("OK 1\r\n").sent == [])
        // There was one before it.
        #expect(conversation.hear(Self.version).sent == [])
        #expect(conversation.hear(Self.version).sent == [Self.start])
    }

    @Test("The address that a module was asked for before a phone came isn't taken for its version")
    func abandoned() {
        var conversation = Conversation()
        conversation.provision()
        #expect(conversation.waitInVain().sent == ["at+rsibt_getlocalbdaddr?\r\n"])
        let connected = conversation.hear("AT+RSIBT_LE_DEVICE_ENHANCE_CONNECTED=1,6B-63-FE-FE-3D-FD,0\r\n")
        #expect(connected.losses == [.central])
        #expect(connected.sent == [Self.question])
        #expect(conversation.hear("OK 88-DA-1A-E8-06-6F\r\n").sent == [])
        #expect(conversation.hear(Self.version).sent == ["at+rsibt_disconnect=6B-63-FE-FE-3D-FD\r\n"])
    }

    @Test("An address that comes later still is neither the answer to the next command nor a version")
    func abandonedForLong() {
        var conversation = Conversation()
        conversation.provision()
        _ = conversation.waitInVain()
        _ = conversation.hear("AT+RSIBT_LE_DEVICE_ENHANCE_CONNECTED=1,6B-63-FE-FE-3D-FD,0\r\n")
        #expect(conversation.waitInVain().sent == [Self.question])
        #expect(conversation.waitInVain().sent == ["at+rsibt_disconnect=6B-63-FE-FE-3D-FD\r\n"])
        #expect(conversation.hear("OK 88-DA-1A-E8-06-6F\r\n").sent == [])
        for _ in 0..<2 { #expect(conversation.hear(Self.version).sent == []) }
        // The module was told to leave its phone, and says so.
        #expect(conversation.hear("OK\r\n") == [.wait(.seconds(2))])
    }

    @Test("A late address isn't taken for the version of a module that is looked for anew")
    func addressDuringHandshake() {
        var conversation = Conversation()
        _ = conversation.tell(.opened)
        _ = conversation.waitInVain()
        #expect(conversation.hear("OK 88-DA-1A-E8-06-6F\r\n").sent == [])
        let found = conversation.hear(Self.version)
        #expect(found.steps == [.firmwareVersion("1610.2.5.2.0.4")])
        #expect(found.sent == ["at+rsibt_getlocalbdaddr?\r\n"])
    }

    @Test("A question that is lost is asked again, each time with more patience")
    func lostQuestion() {
        var conversation = Conversation()
        conversation.bootUntilAdvertise()
        let question = ModuleStep.send(Array(Self.question.utf8))
        #expect(conversation.waitInVain() == [question, .wait(.seconds(2))])
        #expect(conversation.waitInVain() == [question, .wait(.seconds(4))])
        #expect(conversation.hear(Self.version).sent == [Self.start])
    }

    @Test("The second answer to a question that was sent twice isn't taken for that of the next command")
    func askedTwice() {
        var conversation = Conversation()
        conversation.boot()
        #expect(conversation.waitInVain().sent == [Self.question])
        #expect(conversation.hear(Self.version).sent.first?.hasPrefix("at+rsi_opermode=") == true)
        #expect(conversation.hear(Self.version).sent == [])
        #expect(conversation.hear("OK\r\nbt_loaded\r\n").sent == ["at+rsibt_getlocalbdaddr?\r\n"])
    }

    @Test("The answer to a second handshake isn't taken for that of the command that follows the first")
    func handshakeSentTwice() {
        var conversation = Conversation()
        _ = conversation.findMarked()
        var other = conversation.configuration
        other.beacon.minor += 1
        #expect(conversation.tell(.assigned(other)).sent == ["at+rsi_reset\r\n"])
        for _ in 0..<2 { #expect(conversation.waitInVain().sent == [Self.question]) }
        #expect(conversation.hear(Self.version).sent == ["at+rsibt_getlocalbdaddr?\r\n"])
        #expect(conversation.hear(Self.version).sent == [])
    }

    @Test("An OK without a version doesn't answer the question for it", arguments: [true, false])
    func emptyAnswer(isHandshaking: Bool) {
        var conversation = Conversation()
        if isHandshaking {
            _ = conversation.tell(.opened)
            _ = conversation.waitInVain()
        } else {
            conversation.boot()
        }
        #expect(conversation.hear("OK\r\n") == [])
        #expect(conversation.hear(Self.version).steps == [.firmwareVersion("1610.2.5.2.0.4")])
    }

    @Test("A module that refuses data or a start although it has its mark is reset", arguments: [true, false])
    func refusedProof(isData: Bool) {
        var conversation = Conversation()
        _ = conversation.findMarked()
        _ = conversation.tell(.assigned(conversation.configuration))
        _ = conversation.hear("ERROR 4E0C\r\n")
        _ = conversation.hear("OK\r\n")
        if !isData { #expect(conversation.hear("OK\r\n").sent == [Self.start]) }
        let actions = conversation.refuse("4E11")
        #expect(actions.sent == ["at+rsi_reset\r\n"])
        #expect(actions.provisioned == nil)
    }

    @Test("A key of the boot loader that is lost is pressed three times in all")
    func lostKey() {
        var conversation = Conversation()
        _ = conversation.open()
        _ = conversation.hear("U")
        _ = conversation.hear("JTAG Selection\r\n")
        for _ in 0..<3 {
            #expect(conversation.waitInVain() == [.send([UInt8(ascii: "1")]), .wait(.seconds(10))])
        }
        #expect(conversation.waitInVain().failure == .firmwareNotLoaded)
    }

    @Test("A damaged key is pressed again a second after the boot loader has called it unknown")
    func damagedKey() {
        var conversation = Conversation()
        _ = conversation.open()
        _ = conversation.hear("U")
        _ = conversation.hear("JTAG Selection\r\n")
        #expect(conversation.waitInVain().sent == ["1"])
        let refusal = "q\r\nInvalid Option\r\n\r\nWaiting for Correct Option...\r\n"
        #expect(conversation.hear(refusal) == [.wait(.seconds(1))])
        #expect(conversation.waitInVain().sent == ["1"])
        // What takes long has its time from its beginning.
        #expect(conversation.hear("1\r\nLoading...\r\n") == [.wait(.seconds(10))])
        #expect(conversation.hear("Loading Done\r\n").sent == [Self.question])
    }
}
