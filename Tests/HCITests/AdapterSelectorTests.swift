import BeaconModel
import Testing

@testable import HCI

@Suite("AdapterSelector")
struct AdapterSelectorTests {
    private let one = AdapterDescription(
        adapter: Adapter(index: 0), address: BluetoothAddress(bits: 0x001A_7DDA_7113), isUp: true)
    private let other = AdapterDescription(
        adapter: Adapter(index: 1), address: BluetoothAddress(bits: 0x001A_7DDA_7114), isUp: true)

    @Test("An adapter is named by its number or by its address")
    func texts() {
        #expect(AdapterSelector("hci1") == .index(Adapter(index: 1)))
        #expect(AdapterSelector("00:1A:7D:DA:71:13") == .address(one.address))
        #expect(AdapterSelector("wlan0") == nil)
        #expect(AdapterSelector("00:1A:7D:DA:71") == nil)
    }

    @Test("A number means the adapter that has it")
    func number() {
        #expect(AdapterSelector.index(Adapter(index: 1)).choose(from: [one, other], lastAddress: nil) == other)
        #expect(AdapterSelector.index(Adapter(index: 2)).choose(from: [one, other], lastAddress: nil) == nil)
    }

    @Test("An adapter that was plugged in again is found under its new number")
    func replugged() {
        let selector = AdapterSelector.index(Adapter(index: 0))
        #expect(selector.choose(from: [other], lastAddress: other.address) == other)
        #expect(selector.choose(from: [one, other], lastAddress: other.address) == other)
    }

    @Test("When it isn't there, another one that has its number takes its place")
    func replaced() {
        let selector = AdapterSelector.index(Adapter(index: 0))
        #expect(selector.choose(from: [one], lastAddress: other.address) == one)
    }

    @Test("An address means that adapter and no other")
    func address() {
        let selector = AdapterSelector.address(other.address)
        #expect(selector.choose(from: [one, other], lastAddress: nil) == other)
        #expect(selector.choose(from: [one], lastAddress: nil) == nil)
    }
}
