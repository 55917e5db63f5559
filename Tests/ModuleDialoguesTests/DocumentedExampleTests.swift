import BeaconModel
import ModuleDialogues
import Testing

@Suite struct DocumentedExampleTests {
    // ModuleDialogues.docc shows this code.
    @Test func `The example of the module's documentation asks the module for its firmware`() {
        let beacon = BeaconID(uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 3, minor: 1)
        let configuration = BeaconConfiguration(beacon: beacon, measuredPower: -59)

        var dialogue = TimedDialogue(ModuleKind.rs9116.dialogue(expected: configuration))
        var steps = dialogue.handle(.opened, now: .zero)
        if let deadline = dialogue.nextDeadline { steps += dialogue.advance(to: deadline) }
        steps += dialogue.handle(.bytes(Array("U".utf8)), now: .milliseconds(120))
        #expect(steps.contains(.line(.send(Array("at+rsi_fwversion?\r\n".utf8)))))
        #expect(!dialogue.isOver)
    }
}
