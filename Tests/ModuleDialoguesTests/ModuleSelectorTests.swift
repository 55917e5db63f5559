import BeaconModel
import ModuleDialogues
import Testing

@Suite struct ModuleSelectorTests {
    @Test(
        "A module is meant by address, USB serial number, port, or as any",
        arguments: [
            ("88:DA:1A:E8:06:6F", ModuleSelector.address(BluetoothAddress(bits: 0x88DA_1AE8_066F))),
            ("usb:A50285BI", .usbSerial("A50285BI")), ("/dev/ttyUSB0", .port("/dev/ttyUSB0")), ("any", .anyNew),
        ])
    func forms(text: String, selector: ModuleSelector) {
        #expect(ModuleSelector(text) == selector)
        #expect(selector.description == text)
    }

    @Test("Case matters only in serial numbers and paths, and an address may have hyphens")
    func lenient() {
        #expect(ModuleSelector("Any") == .anyNew)
        #expect(ModuleSelector("USB:a5") == .usbSerial("a5"))
        #expect(ModuleSelector("88-da-1a-e8-06-6f") == ModuleSelector("88:DA:1A:E8:06:6F"))
    }

    @Test(
        "Anything else means no module",
        arguments: [
            "", " any", "COM3", "ttyUSB0", "./tty", "/", "/dev/tty\u{0}", "/dev/\u{1B}[2J", "usb:", "usb:a b",
            "usb:a/b",
            "usb:é", "88:DA:1A:E8:06", "88:DA:1A:E8:06:6F:00", "usb:" + String(repeating: "a", count: 127),
            "/" + String(repeating: "a", count: 4095),
        ])
    func others(text: String) { #expect(ModuleSelector(text) == nil) }
}

@Suite struct ModuleKindTests {
    @Test("Each kind has its indices of transmit power")
    func transmitPower() {
        let rs9116 = (-1...300).filter { ModuleKind.rs9116.allows(transmitPower: $0) }
        #expect(rs9116 == Array(1...31) + Array(33...82))
        #expect((-1...300).filter { ModuleKind.hm10.allows(transmitPower: $0) } == [0, 1, 2, 3])
    }

    @Test("An HM-10 has 16 intervals, an RS9116 all")
    func intervals() throws {
        let short = try #require(AdvertisingInterval(.milliseconds(20)))
        let long = try #require(AdvertisingInterval(.milliseconds(10_240)))
        #expect(ModuleKind.rs9116.allows(short) && ModuleKind.rs9116.allows(long))
        #expect(ModuleKind.rs9116.nearest(to: short) == short)
        let texts = ModuleKind.hm10.intervals?.map(\.description)
        let expected = [
            "100 ms", "152.5 ms", "211.25 ms", "318.75 ms", "417.5 ms", "546.25 ms", "760 ms", "852.5 ms", "1022.5 ms",
            "1285 ms", "2000 ms", "3000 ms", "4000 ms", "5000 ms", "6000 ms", "7000 ms",
        ]
        #expect(texts == expected)
        #expect(ModuleKind.hm10.nearest(to: short).description == "100 ms")
        #expect(ModuleKind.hm10.nearest(to: long).description == "7000 ms")
        #expect(try #require(AdvertisingInterval(.milliseconds(1500))).nearestOfHM10 == "1285 ms")
    }
}

extension AdvertisingInterval {
    fileprivate var nearestOfHM10: String { ModuleKind.hm10.nearest(to: self).description }
}
