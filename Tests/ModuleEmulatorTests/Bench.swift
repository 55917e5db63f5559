import ModuleEmulator

/// A module on the bench: text in, text out, and time passes when the test says so.
struct Bench {
    private(set) var emulator: RS9116Emulator
    /// The host's rate in bit/s.
    var baud = 115_200
    private(set) var chunks: [[UInt8]] = []
    private(set) var scheduled: [(timer: RS9116Emulator.Timer, delay: Duration)] = []

    init(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) {
        var options = RS9116Emulator.Options()
        change(&options)
        emulator = RS9116Emulator(options: options)
    }

    /// A module whose firmware runs, with opermode done.
    static func withBluetooth(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) -> Bench {
        Bench {
            $0.initialState = .atMode(opermodeDone: true)
            change(&$0)
        }
    }

    /// A module whose firmware runs, without opermode.
    static func withFirmware(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) -> Bench {
        Bench {
            $0.initialState = .atMode(opermodeDone: false)
            change(&$0)
        }
    }

    /// - Returns: the answer at once, each byte a scalar.
    mutating func type(_ text: String) -> String { type(bytes: Array(text.utf8)) }

    mutating func type(bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { answer, byte in answer += take(emulator.receive([byte], baud: baud)) }
    }

    /// Types a command and its line end.
    mutating func command(_ text: String) -> String { type(text + "\r\n") }

    /// Lets everything happen that is due some time.
    mutating func settle() -> String {
        var answer = ""
        while !scheduled.isEmpty { answer += take(emulator.fire(scheduled.removeFirst().timer)) }
        return answer
    }

    mutating func forgetTimers() { scheduled.removeAll() }

    /// Fires the timer, however old.
    mutating func fire(_ timer: RS9116Emulator.Timer) -> String { take(emulator.fire(timer)) }

    mutating func reset() { emulator.reset() }

    mutating func connect() -> String { take(emulator.centralConnects()) }

    mutating func disconnect() -> String { take(emulator.centralDisconnects()) }

    mutating func hear(_ air: OnAir, rssi: Int8) -> String { take(emulator.hear(air, rssi: rssi)) }

    private mutating func take(_ outputs: [RS9116Emulator.Output]) -> String {
        var answer = ""
        for output in outputs {
            switch output {
            case .send(let bytes):
                chunks.append(bytes)
                answer.unicodeScalars.append(contentsOf: bytes.map { UnicodeScalar($0) })
            case .schedule(let timer, let delay): scheduled.append((timer, delay))
            }
        }
        return answer
    }
}

/// The literals of rs9116-at-protocol.md.
enum Transcript {
    static let menu =
        "\r\nWELCOME TO REDPINE SIGNALS\r\n" + "BootLoader Version 1.0\r\n" + "\r\n"
        + "1 Load Default Wireless Firmware\r\n" + "A Load Wireless Firmware (Image No : 0-f)\r\n"
        + "B Burn Wireless Firmware (Image No : 0-f)\r\n"
        + "5 Select Default Wireless Firmware (Image No : 0-f)\r\n"
        + "K Check Wireless Firmware Integrity (Image No : 0-f)\r\n" + "7 Enable GPIO Based Bypass Mode\r\n"
        + "8 Disable GPIO Based Bypass Mode\r\n" + "Q Update KEY\r\n" + "Z JTAG Selection\r\n"
    static let invalidOption = "\r\n\r\nInvalid Option\r\n\r\nWaiting for Correct Option...\r\n\r\n"
    static let opermode = "at+rsi_opermode=851968,0,1,2147483648,2150629376,3221225472,0,1075773440"
    static let iBeacon =
        "at+rsibt_setadvertisedata=1E,2,1,6,1A,FF,4C,0,2,15,E2,C5,6D,B5,DF,FB,48,D2,B0,60,D0,F5,A7,10,96,E0,0,1,0,2,C5"
    static let iBeaconBytes: [UInt8] = [
        0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15, 0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0,
        0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0, 0x00, 0x01, 0x00, 0x02, 0xC5,
    ]
    static let start = "at+rsibt_advertise=1,131,0,0,0,160,160,0,7"
    static let stop = "at+rsibt_advertise=0,131,0,0,0,160,160,0,7"
    /// What a host types in section 5, in pieces between which time passes.
    static let session = [
        "|", "U", "1", "at+rsi_fwversion?\r\n", opermode + "\r\n", "at+rsibt_setlocalname=11,RS9116W_BLE\r\n",
        "at+rsibt_getlocalbdaddr?\r\n", iBeacon + "\r\n", start + "\r\n",
    ]
}
