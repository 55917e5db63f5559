package import BeaconModel

extension RS9116Emulator {
    /// Everything in which real modules differ or in which the reference isn't sure
    /// (rs9116-at-protocol.md, section 13). The defaults are the behaviour that it calls faithful.
    package struct Options: Sendable {
        /// The bytes by which the bootloader measures the baud rate (2.1).
        package var acceptedABRD: ABRD = .both
        package var bootloader: Bootloader = .redpine
        /// Blank lines before each text of the bootloader and before each reply; at most 8.
        package var extraBlankLines = 0
        /// Printed before the menu (2.4).
        package var bootWarnings: [BootWarning] = []
        /// A NUL behind the version in the reply to `at+rsi_fwversion?` (3).
        package var nulInVersionReply = true
        /// The form of errors that aren't Bluetooth's (3).
        package var commonErrors: CommonErrorForm = .ascii
        /// What follows an opermode with Bluetooth.
        package var bluetoothStart: BluetoothStart = .announced
        /// The error, for example 0x4E11, with which starting adv_type 131 is refused; `nil` accepts it.
        package var nonConnectableRejection: UInt16?
        package var localNameReply: LocalNameReply = .lengthAndName
        /// Until it is set; 1 to 16 characters of ASCII.
        package var localName = "RS9116W"
        /// The error, for example 0x4FF8, with which setting the name is refused; `nil` accepts it.
        package var refusesLocalName: UInt16?
        /// `at+rsibt_disconnect` ends a connection. Nobody has seen whether `LE_DISCONNECTED` follows; here it doesn't.
        package var takesDisconnect = true
        /// `at+rsibt_getdevstate?` tells nothing, as in firmware with the fault that 2.11 corrected (4.6).
        package var deviceStateIsAlwaysZero = false
        package var advertisingDataWhileAdvertising: DataWhileAdvertising = .takesEffect
        /// `ERROR 4E0C` instead of `OK` for stopping what is stopped.
        package var stopWhileStoppedIsDisallowed = false
        /// The form of `at+rsibt_advertise=0` that stops (4.4).
        package var stopForm: StopForm = .allParameters
        /// What becomes of starting what advertises already (4.4).
        package var doubleStart: DoubleStart = .refused
        /// The error, for example 0x0026, with which an opermode with another transmit power than 31 is refused; `nil`
        /// accepts it (4.1).
        package var powerInOpermodeRejection: UInt16?
        /// What becomes of `at+rsi_reset` (4.2).
        package var softReset: SoftReset = .works
        /// `Loading Done` is said (2.2).
        package var loadingIsAnnounced = true
        /// The replies to these AT commands, counted from 1 since the module was found, get lost.
        package var lostReplies: [Int] = []
        /// `Invalid Option` noise before `Loading...` (2.3).
        package var invalidOptionNoise = false
        /// A scan report between each command and its `OK`.
        package var eventBeforeOK = false
        /// What becomes of advertising and scanning at the same time, of which no AT-mode example is known (10).
        package var scanning: Scanning = .besideAdvertising
        /// What becomes of starting a scan while one goes on.
        package var doubleScan: DoubleStart = .refused
        /// A scan ends by itself after this time, and nothing says so; `nil` for never.
        package var scanEndsAfter: Duration?
        /// Reports a second of a crowd of devices while it scans, each of a device of its own; 0 for none, at most 5000.
        package var crowd = 0
        /// A report in the middle of each reply while it scans.
        package var reportsWithinReplies = false
        /// Every Nth report ends before its end, without a line end; 0 for none.
        package var truncatedReportPeriod = 0
        /// Every Nth report has another length than data; 0 for none.
        package var malformedReportPeriod = 0
        /// Every Nth report of the crowd is of a device that doesn't say who it is; 0 for none.
        package var anonymousReportPeriod = 0
        /// From `Loading...` to `Loading Done`.
        package var loadingDelay: Duration = .milliseconds(700)
        /// From the `OK` of opermode to `bt_loaded`.
        package var bluetoothLoadingDelay: Duration = .milliseconds(300)
        /// From the `OK` of `at+rsi_reset` until the bootloader listens.
        package var resetDelay: Duration = .milliseconds(100)
        /// Before each reply; 10 ms is realistic.
        package var responseDelay: Duration = .zero
        /// Before the replies of the firmware, one after the other, and then again from the first; in the place of
        /// `responseDelay`. The firmware begins with a command when it has answered the one before.
        package var responseDelays: [Duration] = []
        /// The rate in bit/s of a module that is found past its ABRD byte.
        package var baud = 115_200
        /// The fastest rate in bit/s that the bootloader measures; at a faster one it is silent.
        package var fastestBaud = 921_600
        /// Above 115200 bit/s every Nth byte of the output is lost, as without RTS/CTS; 0 for none.
        package var droppedBytePeriodWhenFast = 0
        /// Native USB: the port is away after each reset, and its rate means nothing (9).
        package var portVanishesOnReset = false
        /// How long the port is away.
        package var portAbsence: Duration = .milliseconds(300)
        /// Firmware of the other family can't be burnt.
        package var siliconFamily: EmulatedFamily = .rs9116w
        /// How the bootloader's Kermit reads what follows `#`, of which there are two accounts (8).
        package var kermitPrefixing: KermitPrefixing = .standard
        /// From the end of a transfer to the bootloader's next words, and from there to the result.
        package var upgradeDelay: Duration = .milliseconds(500)
        /// A transfer without a packet for this long has failed. It may take a third longer to notice.
        package var transferTimeout: Duration = .seconds(30)
        /// Bytes of the image after which the first transfer gets no more answers; the module then heeds only a sender
        /// that gives up. `nil` for never.
        package var firstTransferStall: Int?
        /// The state in which the module is found.
        package var initialState: InitialState = .waitingForABRD
        /// GPIO-based bypass (2.4): each reset leads straight into the firmware.
        package var bypassesBootloader = false
        package var address = BluetoothAddress(bits: 0x88DA_1AE8_066F)
        /// Without `OK`.
        package var firmwareVersion = "1610.2.5.2.0.4"
        /// Once, after this many answered AT commands, the module resets itself and prints nothing (6).
        package var silentResetAfterCommands: Int?
        /// The same, after each of these numbers of answered AT commands since the module was found.
        package var silentResets: [Int] = []
        /// Never answers anything.
        package var isMute = false
        /// Every byte is a chunk of its own.
        package var oneBytePerChunk = false
        /// Bytes of a piece of the output; the pieces follow each other at the speed of the line. 0 for whole texts.
        package var pacedPiece = 0
        /// The share of the bytes from the host, from 0 to 1, that arrive as other bytes.
        package var damagedInput = 0.0
        /// Where the random numbers for damaged bytes begin.
        package var seed: UInt64 = 1
        /// What follows the result of the key `K` (8).
        package var textAfterIntegrityCheck: TextAfterIntegrityCheck = .invitation
        /// Every Nth byte of the output is another byte; 0 for none. 1 is what a wrong baud rate looks like.
        package var corruptedBytePeriod = 0
        /// Every Nth byte of the output is lost; 0 for none.
        package var droppedBytePeriod = 0
        /// No firmware in the flash: no `Loading Done` (2.4).
        package var imageIsMissing = false

        package init() {}

        package enum ABRD: Sendable {
            /// 0x7C, as in Silicon Labs' scripts.
            case verticalBar
            /// 0x1C, as in Redpine's older manuals.
            case fileSeparator
            case both
        }

        package enum Bootloader: Sendable {
            /// `WELCOME TO REDPINE SIGNALS`, version 1.0.
            case redpine
            /// `WELCOME TO SILICON LABS`, version 1.1, with `Enter 'U'` after 0x1C.
            case siliconLabs
        }

        package enum BootWarning: String, Sendable {
            case configurationNotSaved = "LAST CONFIGURATION NOT SAVED"
            case checksumFailed = "BOOTUP OPTIONS CHECKSUM FAILED"
        }

        package enum CommonErrorForm: Sendable {
            /// `ERROR 0021`.
            case ascii
            /// `ERROR` and the two bytes of the code, the lower one first.
            case binary
        }

        package enum BluetoothStart: Sendable {
            case announced
            /// Bluetooth works after its delay, but nothing says so.
            case unannounced
            /// Bluetooth never gets ready: its commands fail with 4D03.
            case never
        }

        /// The reply to `at+rsibt_getlocalname?`, whose form is unknown (4.6).
        package enum LocalNameReply: Sendable {
            /// `OK B,RS9116W_BLE`.
            case lengthAndName
            /// `OK RS9116W_BLE`.
            case nameOnly
            /// `ERROR 4FF8`.
            case refused
        }

        package enum TextAfterIntegrityCheck: CaseIterable, Sendable {
            case nothing
            /// `Enter Next Command`.
            case invitation
            /// The whole menu.
            case menu
        }

        package enum StopForm: Sendable {
            /// All nine parameters; others are 4E12.
            case allParameters
            /// `=0` alone; others are 4E12.
            case statusOnly
            case either
        }

        package enum DoubleStart: Sendable {
            /// `ERROR 4E0C`.
            case refused
            /// `OK`; it advertises as the second command says.
            case accepted
        }

        /// What a scan does to the advertising.
        package enum Scanning: Sendable, Equatable {
            /// Nothing: both are on.
            case besideAdvertising
            /// Starting a scan ends the advertising, and starting to advertise ends the scan; neither says so.
            case endsAdvertising
            /// The module is silent on the air while it scans, and says nothing of it but by `getdevstate`. Starting to
            /// advertise is refused with 4E0C, as if it advertised.
            case silencesAdvertising
            /// Each is refused with 4E0C while the other is on.
            case refusedWhileAdvertising
            /// Always refused, with this error: 0x4FF8 where the command isn't known.
            case refused(UInt16)
        }

        package enum SoftReset: Sendable {
            /// `OK`, and then the reset.
            case works
            /// The reset without a word.
            case worksSilently
            /// `OK`, and nothing happens.
            case ignored
            /// `ERROR FFF8`.
            case refused
        }

        /// What becomes of advertising data that is set while advertising (4.3).
        package enum DataWhileAdvertising: Sendable {
            case takesEffect
            /// `ERROR 4E0C`.
            case refused
        }

        /// How a byte behind the control prefix of a Kermit packet is read.
        package enum KermitPrefixing: Sendable {
            /// Control characters, `?` and `_` stand for what is 64 away; all else is literal, so that `##` is `#`.
            case standard
            /// Everything stands for what is 64 away, so that `#c` is `#`, and `##` is `c`.
            case alwaysControl
        }

        package enum InitialState: Sendable {
            case waitingForABRD
            /// The menu was printed before anybody listened.
            case menu
            /// The firmware has been loaded and hasn't seen its first command.
            case firmwareLoaded
            /// The firmware runs in AT mode, with or without the opermode of the BLE scripts (851968).
            case atMode(opermodeDone: Bool)
            /// The first command wasn't an AT command: silent until a reset.
            case binaryMode
        }
    }
}

extension RS9116Emulator.Options.ABRD {
    package func accepts(_ byte: UInt8) -> Bool {
        switch self {
        case .verticalBar: byte == 0x7C
        case .fileSeparator: byte == 0x1C
        case .both: byte == 0x7C || byte == 0x1C
        }
    }
}
