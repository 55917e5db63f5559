package import BeaconModel

extension RS9116Emulator {
    /// Differences between real modules, and behaviour that the reference leaves uncertain (rs9116-at-protocol.md,
    /// section 13). The defaults are the behaviour that the reference calls faithful.
    package struct Options: Sendable {
        /// Bytes with which the bootloader measures the baud rate (2.1).
        package var acceptedABRD: ABRD = .both
        package var bootloader: Bootloader = .redpine
        /// Number of blank lines before each text of the bootloader and before each reply; at most 8.
        package var extraBlankLines = 0
        /// Warnings printed before the menu (2.4).
        package var bootWarnings: [BootWarning] = []
        /// Whether a NUL follows the version in the reply to `at+rsi_fwversion?` (3).
        package var nulInVersionReply = true
        /// Format of non-Bluetooth errors (3).
        package var commonErrors: CommonErrorForm = .ascii
        /// Behaviour after an opermode with Bluetooth.
        package var bluetoothStart: BluetoothStart = .announced
        /// Error, for example 0x4E11, with which starting adv_type 131 is refused; `nil` accepts it.
        package var nonConnectableRejection: UInt16?
        package var localNameReply: LocalNameReply = .lengthAndName
        /// Name until it is set; 1 to 16 ASCII characters.
        package var localName = "RS9116W"
        /// Error, for example 0x4FF8, with which setting the name is refused; `nil` accepts it.
        package var refusesLocalName: UInt16?
        /// Whether `at+rsibt_disconnect` ends a connection. It is unknown whether `LE_DISCONNECTED` follows; here it
        /// does not.
        package var takesDisconnect = true
        /// Whether `at+rsibt_getdevstate?` always returns 0, as in firmware with the defect that 2.11 fixed (4.6).
        package var deviceStateIsAlwaysZero = false
        package var advertisingDataWhileAdvertising: DataWhileAdvertising = .takesEffect
        /// Whether stopping what is already stopped returns `ERROR 4E0C` instead of `OK`.
        package var stopWhileStoppedIsDisallowed = false
        /// Form of `at+rsibt_advertise=0` that stops advertising (4.4).
        package var stopForm: StopForm = .allParameters
        /// Response to starting advertising while advertising (4.4).
        package var doubleStart: DoubleStart = .refused
        /// Error, for example 0x0026, with which an opermode with another transmit power than 31 is refused; `nil`
        /// accepts it (4.1).
        package var powerInOpermodeRejection: UInt16?
        /// Response to `at+rsi_reset` (4.2).
        package var softReset: SoftReset = .works
        /// Whether `Loading Done` is printed (2.2).
        package var loadingIsAnnounced = true
        /// Numbers of the AT commands whose replies are lost, counted from 1 since the start.
        package var lostReplies: [Int] = []
        /// Whether `Invalid Option` is printed as noise before `Loading...` (2.3).
        package var invalidOptionNoise = false
        /// Whether a scan report is sent between each command and its `OK`.
        package var eventBeforeOK = false
        /// Behaviour of advertising and scanning at the same time. No AT-mode example of it is known (10).
        package var scanning: Scanning = .besideAdvertising
        /// Response to starting a scan during a scan.
        package var doubleScan: DoubleStart = .refused
        /// Time after which a scan ends by itself, without a message; `nil` for never.
        package var scanEndsAfter: Duration?
        /// Number of reports per second from simulated devices during a scan, each from a different device; 0 for none,
        /// at most 5000.
        package var crowd = 0
        /// Whether a scan report is inserted into the middle of each reply during a scan.
        package var reportsWithinReplies = false
        /// Period of truncated reports: every Nth report is cut off, without a line end; 0 for none.
        package var truncatedReportPeriod = 0
        /// Period of malformed reports: in every Nth report the length does not match the data; 0 for none.
        package var malformedReportPeriod = 0
        /// Period of anonymous reports: every Nth report from the simulated devices has no address; 0 for none.
        package var anonymousReportPeriod = 0
        /// Time from `Loading...` to `Loading Done`.
        package var loadingDelay: Duration = .milliseconds(700)
        /// Time from the `OK` of opermode to `bt_loaded`.
        package var bluetoothLoadingDelay: Duration = .milliseconds(300)
        /// Time from the `OK` of `at+rsi_reset` until the bootloader accepts input.
        package var resetDelay: Duration = .milliseconds(100)
        /// Delay before each reply; 10 ms is realistic.
        package var responseDelay: Duration = .zero
        /// Delays before successive replies of the firmware, used cyclically; they replace `responseDelay`. The
        /// firmware starts a command when it has answered the previous one.
        package var responseDelays: [Duration] = []
        /// Rate in bit/s of a module that starts past its ABRD byte.
        package var baud = 115_200
        /// Fastest rate in bit/s that the bootloader can measure. At a faster rate it does not respond.
        package var fastestBaud = 921_600
        /// Period of lost output above 115200 bit/s: every Nth byte is lost, as without RTS/CTS; 0 for none.
        package var droppedBytePeriodWhenFast = 0
        /// Whether the port is native USB: it is absent after each reset, and its rate has no meaning (9).
        package var portVanishesOnReset = false
        /// Time for which the port is absent.
        package var portAbsence: Duration = .milliseconds(300)
        /// Family of the silicon. Firmware of the other family cannot be burnt.
        package var siliconFamily: EmulatedFamily = .rs9116w
        /// Interpretation of the byte after `#` by the bootloader's Kermit, for which there are two accounts (8).
        package var kermitPrefixing: KermitPrefixing = .standard
        /// Time from the end of a transfer to the bootloader's next message, and from there to the result.
        package var upgradeDelay: Duration = .milliseconds(500)
        /// Time without a packet after which a transfer has failed. Detection can take a third longer.
        package var transferTimeout: Duration = .seconds(30)
        /// Number of image bytes after which the first transfer gets no more answers. The module then responds only to
        /// a sender that aborts. `nil` for never.
        package var firstTransferStall: Int?
        /// Initial state of the module.
        package var initialState: InitialState = .waitingForABRD
        /// Whether GPIO-based bypass is enabled (2.4): each reset leads directly into the firmware.
        package var bypassesBootloader = false
        package var address = BluetoothAddress(bits: 0x88DA_1AE8_066F)
        /// Firmware version in the reply, without `OK`.
        package var firmwareVersion = "1610.2.5.2.0.4"
        /// Number of answered AT commands after which the module resets itself once, without output (6).
        package var silentResetAfterCommands: Int?
        /// Numbers of answered AT commands since the start after each of which the module resets itself in the same
        /// way.
        package var silentResets: [Int] = []
        /// Whether the module never answers.
        package var isMute = false
        /// Whether every byte is a separate chunk.
        package var oneBytePerChunk = false
        /// Size in bytes of the pieces of the output, which are sent at the speed of the line; 0 sends complete texts.
        package var pacedPiece = 0
        /// Share of the host's bytes, 0 to 1, that are received as other bytes.
        package var damagedInput = 0.0
        /// Seed of the random numbers for damaged bytes.
        package var seed: UInt64 = 1
        /// Text after the result of the key `K` (8).
        package var textAfterIntegrityCheck: TextAfterIntegrityCheck = .invitation
        /// Period of corrupted output: every Nth byte is replaced by another; 0 for none. 1 simulates a wrong baud
        /// rate.
        package var corruptedBytePeriod = 0
        /// Period of lost output: every Nth byte is lost; 0 for none.
        package var droppedBytePeriod = 0
        /// Whether the flash memory contains no firmware, so that `Loading Done` does not appear (2.4).
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
            /// `ERROR` and the two bytes of the code, lower byte first.
            case binary
        }

        package enum BluetoothStart: Sendable {
            case announced
            /// Bluetooth works after its delay, but there is no message.
            case unannounced
            /// Bluetooth never becomes ready: its commands fail with 4D03.
            case never
        }

        /// Reply to `at+rsibt_getlocalname?`, whose format is unknown (4.6).
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
            /// The complete menu.
            case menu
        }

        package enum StopForm: Sendable {
            /// All nine parameters; other forms return 4E12.
            case allParameters
            /// `=0` alone; other forms return 4E12.
            case statusOnly
            case either
        }

        package enum DoubleStart: Sendable {
            /// `ERROR 4E0C`.
            case refused
            /// `OK`; the module then advertises according to the second command.
            case accepted
        }

        /// Effect of a scan on advertising.
        package enum Scanning: Sendable, Equatable {
            /// No effect: both are active.
            case besideAdvertising
            /// Starting a scan ends advertising, and starting advertising ends the scan, both without a message.
            case endsAdvertising
            /// The module transmits nothing while it scans, and only `getdevstate` shows it. Starting to advertise is
            /// refused with 4E0C, as if the module were advertising.
            case silencesAdvertising
            /// Each is refused with 4E0C while the other is active.
            case refusedWhileAdvertising
            /// Scanning is always refused with this error: 0x4FF8 when the command is unknown.
            case refused(UInt16)
        }

        package enum SoftReset: Sendable {
            /// `OK`, then the reset.
            case works
            /// The reset without a reply.
            case worksSilently
            /// `OK`, but no reset.
            case ignored
            /// `ERROR FFF8`.
            case refused
        }

        /// Response to setting advertising data while advertising (4.3).
        package enum DataWhileAdvertising: Sendable {
            case takesEffect
            /// `ERROR 4E0C`.
            case refused
        }

        /// Interpretation of a byte after the control prefix of a Kermit packet.
        package enum KermitPrefixing: Sendable {
            /// Bytes from `?` to `_` (0x3F to 0x5F) stand for the control character 64 away; all other bytes are
            /// literal, so that `##` is `#`.
            case standard
            /// Every byte stands for the one 64 away, so that `#c` is `#`, and `##` is `c`.
            case alwaysControl
        }

        package enum InitialState: Sendable {
            case waitingForABRD
            /// The menu was printed before the host connected.
            case menu
            /// The firmware has been loaded and has not received its first command.
            case firmwareLoaded
            /// The firmware runs in AT mode, with or without the opermode of the BLE scripts (851968).
            case atMode(opermodeDone: Bool)
            /// The first command was not an AT command: the module stays silent until a reset.
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
