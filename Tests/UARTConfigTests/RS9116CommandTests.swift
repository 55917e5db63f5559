import BeaconModel
import Testing

@testable import UARTConfig

@Suite struct RS9116CommandTests {
    @Test("Advertising data is sent as hexadecimal length and bytes, without leading zeros")
    func advertisingData() throws {
        let uuid = try #require(ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
        let dialogue = Conversation(BeaconID(uuid: uuid, major: 1, minor: 2), measuredPower: -59)
        let line =
            "at+rsibt_setadvertisedata=1E,2,1,6,1A,FF,4C,0,2,15,E2,C5,6D,B5,DF,FB,48,D2,B0,60,D0,F5,A7,10,96,E0,0,1,0,2,C5"
        #expect(RS9116Command.setAdvertisingData(dialogue.advertisingData).text == line)
        #expect(RS9116Command.setAdvertisingData(dialogue.advertisingData).bytes.count == 111)
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
            RS9116Command.operatingMode.text
                == "at+rsi_opermode=851968,0,1,2147483648,2150629376,3221225472,0,1075773440")
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
