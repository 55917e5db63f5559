import TestValues
import Testing

@testable import HCI

/// Against the Core Specification 5.4, Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64 and 7.8.65, and 7.7.14 and 7.7.15.
@Suite("HCICommand")
struct HCICommandTests {
    @Test("LE Set Scan Parameters asks for passive scanning all the time, from everybody")
    func legacyParameters() {
        let command = ScanMode.legacy.parameters
        #expect(command.opCode == 0x200B)
        // Passive; interval and window 16 * 0.625 ms; public address; every advertisement.
        #expect(command.parameters == [0x00, 0x10, 0x00, 0x10, 0x00, 0x00, 0x00])
    }

    @Test("LE Set Scan Enable switches on and off with the duplicate filter off")
    func legacyEnable() {
        #expect(ScanMode.legacy.enable.opCode == 0x200C)
        #expect(ScanMode.legacy.enable.parameters == [0x01, 0x00])
        #expect(ScanMode.legacy.disable.opCode == 0x200C)
        #expect(ScanMode.legacy.disable.parameters == [0x00, 0x00])
    }

    @Test("LE Set Extended Scan Parameters asks for passive scanning all the time on the 1M PHY, from everybody")
    func extendedParameters() {
        let command = ScanMode.extended.parameters
        #expect(command.opCode == 0x2041)
        // Public address; every advertisement; LE 1M; passive; interval and window 16 * 0.625 ms.
        #expect(command.parameters == [0x00, 0x00, 0x01, 0x00, 0x10, 0x00, 0x10, 0x00])
    }

    @Test("LE Set Extended Scan Enable switches on and off, unlimited, with the duplicate filter off")
    func extendedEnable() {
        #expect(ScanMode.extended.enable.opCode == 0x2042)
        #expect(ScanMode.extended.enable.parameters == [0x01, 0x00, 0x00, 0x00, 0x00, 0x00])
        #expect(ScanMode.extended.disable.opCode == 0x2042)
        #expect(ScanMode.extended.disable.parameters == [0x00, 0x00, 0x00, 0x00, 0x00, 0x00])
    }

    @Test("Read Local Supported Commands has no parameters")
    func supportedCommands() {
        #expect(HCICommand.readLocalSupportedCommands.opCode == 0x1002)
        #expect(HCICommand.readLocalSupportedCommands.parameters.isEmpty)
    }

    // MARK: - Answers

    private func answer(_ packet: [UInt8], to command: HCICommand = ScanMode.legacy.enable) -> [UInt8]? {
        command.answer(in: packet[...])
    }

    @Test("Command Complete of the command answers with its return parameters")
    func complete() {
        #expect(answer(EventPacket.event(0x0E, [0x01, 0x0C, 0x20, 0x00])) == [0x00])
        #expect(answer(EventPacket.event(0x0E, [0x01, 0x0C, 0x20, 0x0C, 0xAA, 0xBB])) == [0x0C, 0xAA, 0xBB])
    }

    @Test("Command Complete without return parameters answers with none")
    func completeWithoutParameters() {
        #expect(answer(EventPacket.event(0x0E, [0x01, 0x0C, 0x20])) == [])
    }

    @Test("Command Complete of another command is no answer")
    func completeOfAnother() {
        #expect(answer(EventPacket.event(0x0E, [0x01, 0x0B, 0x20, 0x00])) == nil)
        #expect(answer(EventPacket.event(0x0E, [0x01, 0x0C, 0x0C, 0x00])) == nil)
        // "No command: more may be sent."
        #expect(answer(EventPacket.event(0x0E, [0x01, 0x00, 0x00])) == nil)
    }

    @Test("Command Status with an error answers with the error")
    func failedStatus() {
        #expect(answer(EventPacket.event(0x0F, [0x0C, 0x01, 0x0C, 0x20])) == [0x0C])
    }

    @Test("Command Status with success is no answer yet")
    func pendingStatus() {
        #expect(answer(EventPacket.event(0x0F, [0x00, 0x01, 0x0C, 0x20])) == nil)
    }

    @Test("Command Status of another command is no answer")
    func statusOfAnother() {
        #expect(answer(EventPacket.event(0x0F, [0x01, 0x01, 0x0B, 0x20])) == nil)
    }

    @Test("Other events and other packets are no answer")
    func others() {
        #expect(answer(EventPacket.legacy(EventPacket.legacyReport())) == nil)
        #expect(answer([0x02, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00]) == nil)
    }

    @Test("The answer is found at whatever index the slice begins")
    func slices() {
        let buffer = [0xFF, 0xFF] + EventPacket.event(0x0E, [0x01, 0x0C, 0x20, 0x05])
        #expect(ScanMode.legacy.enable.answer(in: buffer[2...]) == [0x05])
    }

    @Test("A truncated event is no answer, or one without its last return parameters")
    func truncations() {
        let complete = EventPacket.event(0x0E, [0x01, 0x0C, 0x20, 0x00])
        for length in 0..<6 { #expect(answer(Array(complete.prefix(length))) == nil) }
        let status = EventPacket.event(0x0F, [0x0C, 0x01, 0x0C, 0x20])
        for length in 0..<7 { #expect(answer(Array(status.prefix(length))) == nil) }
    }

    @Test("Random packets never trap and answer only what has the command's opcode")
    func randomPackets() {
        var generator = SeededGenerator("random answers")
        for _ in 0..<20_000 {
            var packet = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            if packet.count > 1, generator.next() % 4 != 0 {
                packet[0] = 0x04
                packet[1] = generator.next() % 2 == 0 ? 0x0E : 0x0F
            }
            if answer(packet) != nil, !packet.dropFirst(3).contains(0x20) {
                Issue.record("\(packet) was taken for an answer; \(generator.comment)")
                return
            }
        }
    }
}
