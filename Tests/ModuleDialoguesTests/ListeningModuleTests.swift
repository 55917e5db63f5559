import Advertisement
import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// A module that listens to the others.
@Suite struct ListeningModuleTests {
    private static let neighbour = OnAir(
        advertising: true, type: 131, intervalUnits: 160,
        data: IBeacon.advertisingData(
            BeaconID(uuid: ProximityUUID(bits: 3), major: 1, minor: 2), measuredPower: -59),
        address: BluetoothAddress(bits: 0x88DA_1AE8_0777))

    @Test("What the neighbours advertise is passed on, with address and RSSI", arguments: [false, true])
    func hears(isRunning: Bool) {
        var options = RS9116Emulator.Options()
        if isRunning { options.initialState = .atMode(opermodeDone: true) }
        var line = EmulatedSerialLine(receiving: RS9116Emulator(options: options))
        line.run(until: .seconds(30)) { $0.isReceiving }
        line.disturb { $0.hear(Self.neighbour, rssi: -63) }
        line.run(until: line.now + .seconds(1))
        #expect(
            line.receptions == [
                ModuleReception(address: Self.neighbour.address, rssi: RSSI(dBm: -63), data: Self.neighbour.data)
            ])
        #expect(line.steps.contains(.address(options.address)))
        line.stopReceiving()
        line.run(until: line.now + .seconds(5))
        #expect(line.isFinished)
        #expect(line.sent.last.map { String(decoding: $0, as: UTF8.self) } == "at+rsibt_scan=0,0,0,0,160,40\r\n")
    }

    @Test("A mute module is named as such")
    func mute() {
        var options = RS9116Emulator.Options()
        options.isMute = true
        var line = EmulatedSerialLine(receiving: RS9116Emulator(options: options))
        line.run(until: .seconds(200))
        #expect(line.failure == .silent)
    }

    @Test("The reference's line is read, in either spelling; damaged ones aren't")
    func lines() {
        let rest =
            ",addr_type:1,addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:0,adv_data_len:A,adv_data:2,1,1A,6,9,48,65,6C,6C,6F"
        let expected = ModuleReception(
            address: BluetoothAddress(bits: 0x47AC_F8C0_C1D8), rssi: RSSI(dBm: -63),
            data: [2, 1, 0x1A, 6, 9, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        #expect(ModuleReception(line: "AT+RSIBT_ADVRTISE" + rest) == expected)
        #expect(ModuleReception(line: "AT+RSIBT_ADVERTISE" + rest) == expected)
        #expect(ModuleReception(line: "AT+RSIBT_ADVRTISE" + rest + ",1") == nil)
        #expect(
            ModuleReception(line: "AT+RSIBT_ADVRTISE" + rest.replacing("adv_data_len:A", with: "adv_data_len:FF"))
                == nil)
        #expect(ModuleReception(line: "AT+RSIBT_ADVRTISE" + rest.replacing("47-AC", with: "47-A")) == nil)
        #expect(ModuleReception(line: "AT+RSIBT_ADVRTISE") == nil)
        #expect(ModuleReception(line: "") == nil)
    }
}
