import Advertisement
import BeaconModel
import Testing

@testable import ModuleDialogues

@Suite struct RS9116CommandTests {
    @Test("Advertising data is sent as hexadecimal length and bytes, without leading zeros")
    func advertisingData() throws {
        let uuid = try #require(ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
        let data = IBeacon.advertisingData(BeaconID(uuid: uuid, major: 1, minor: 2), measuredPower: -59)
        let line =
            "at+rsibt_setadvertisedata=1E,2,1,6,1A,FF,4C,0,2,15,E2,C5,6D,B5,DF,FB,48,D2,B0,60,D0,F5,A7,10,96,E0,0,1,0,2,C5"
        #expect(RS9116Command.setAdvertisingData(data).text == line)
        #expect(RS9116Command.setAdvertisingData(data).bytes.count == 111)
    }

    @Test("Advertising is started and stopped with nine decimal fields")
    func advertise() {
        #expect(
            RS9116Command.advertise(.nonConnectable, .appleIBeacon).text
                == "at+rsibt_advertise=1,131,0,0,0,160,160,0,7")
        #expect(
            RS9116Command.stopAdvertising(.connectable, .appleIBeacon).text
                == "at+rsibt_advertise=0,128,0,0,0,160,160,0,7")
    }

    @Test("The operating mode is the vendor's line for a BLE peripheral")
    func operatingMode() {
        #expect(
            RS9116Command.operatingMode(transmitPower: nil).text
                == "at+rsi_opermode=851968,0,1,2147483648,2150629376,3221225472,0,1075773440")
    }

    @Test("A transmit power is bits 16 to 23 of the operating mode's last field")
    func transmitPower() {
        #expect(RS9116Command.operatingMode(transmitPower: 1).text.hasSuffix(",\(0x4001_0000)"))
        #expect(RS9116Command.operatingMode(transmitPower: 82).text.hasSuffix(",\(0x4052_0000)"))
    }

    @Test("A name has its length in decimal, and an address its bytes between hyphens")
    func others() {
        #expect(RS9116Command.setLocalName("bg0123456789abn").text == "at+rsibt_setlocalname=15,bg0123456789abn")
        #expect(
            RS9116Command.disconnect(BluetoothAddress(bits: 0x6B63_FEFE_3DFD)).text
                == "at+rsibt_disconnect=6B-63-FE-FE-3D-FD")
    }

    @Test(
        "An interval is rounded to units of 0.625 ms, and refused outside 20 ms to 10.24 s",
        arguments: [
            (Duration.milliseconds(20), 32), (.milliseconds(100), 160), (.microseconds(100_300), 160),
            (.milliseconds(10_240), 16_384),
        ])
    func interval(duration: Duration, units: Int) {
        #expect(AdvertisingInterval(duration)?.units == units)
        #expect(AdvertisingInterval(.milliseconds(19)) == nil)
        #expect(AdvertisingInterval(.milliseconds(10_241)) == nil)
    }
}
