package import BeaconModel

extension HM10Emulator {
    /// Differences between modules sold as HM-10.
    package struct Options: Sendable {
        package var address = BluetoothAddress(bits: 0x8833_14DD_1AE8)
        /// Reply to `AT+VERS?` and `AT+VERR?`.
        package var firmwareVersion = "HMSoft V552"
        /// Rate in bit/s set by an earlier `AT+BAUD`: 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200 or 230400;
        /// any other number means 9600.
        package var baud = 9600
        /// Whether a command ends with `\r\n` instead of silence, and so do the replies, as in clones (BT05, AT-09).
        package var needsLineEnd = false
        /// Whether commands in either case, with or without `\r\n`, are accepted and answered in the same style, as
        /// since V603.
        package var acceptsAnyStyle = false
        /// Whether each reply ends with `\r\n`.
        package var repliesWithLineEnd = false
        /// Silence that ends a command. The actual silence can be up to twice as long.
        package var commandGap: Duration = .milliseconds(50)
        /// Delay before each reply.
        package var responseDelay: Duration = .zero
        /// Time from `OK+RESET` until the module advertises and accepts input again.
        package var rebootDelay: Duration = .milliseconds(500)
        /// Whether `AT+IBE0` to `AT+IBE3` are supported, as since V520.
        package var hasBeaconUUID = true
        /// Whether `AT+ADTY` is supported, as since V519.
        package var hasAdvertisingType = true
        package var measuredPowerCommand: MeasuredPowerCommand = .meas
        /// Whether the module sends `OK+CONN` and `OK+LOST` when a central connects and disconnects, as with
        /// `AT+NOTI1`.
        package var announcesConnections = false
        /// Whether a central is connected initially. The host's output then goes to the central.
        package var centralIsConnected = false
        /// Whether the module never answers.
        package var isMute = false
        /// Whether every byte is a separate chunk.
        package var oneBytePerChunk = false
        /// Period of corrupted output: every Nth byte is replaced by another; 0 for none.
        package var corruptedBytePeriod = 0
        /// Period of lost output: every Nth byte is lost; 0 for none.
        package var droppedBytePeriod = 0

        package init() {}

        /// The command for the measured power.
        package enum MeasuredPowerCommand: Sendable {
            /// `AT+MEAS0xC5`, as since V519.
            case meas
            /// `AT+MEA0xC5`, as in clones.
            case mea
            /// No command.
            case missing
        }
    }
}
