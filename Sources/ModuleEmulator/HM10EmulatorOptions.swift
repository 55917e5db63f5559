package import BeaconModel

extension HM10Emulator {
    /// Everything in which modules sold as HM-10 differ.
    package struct Options: Sendable {
        package var address = BluetoothAddress(bits: 0x8833_14DD_1AE8)
        /// The reply to `AT+VERS?` and `AT+VERR?`.
        package var firmwareVersion = "HMSoft V552"
        /// In bit/s, as an earlier `AT+BAUD` left it: 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200 or 230400;
        /// any other number is 9600.
        package var baud = 9600
        /// A command ends with `\r\n` instead of silence, and so do the replies, as in clones (BT05, AT-09).
        package var needsLineEnd = false
        /// Commands in either case, with or without `\r\n`, are answered in the style in which they came, as since
        /// V603.
        package var acceptsAnyStyle = false
        /// Each reply ends with `\r\n`.
        package var repliesWithLineEnd = false
        /// The silence that ends a command; up to twice as long.
        package var commandGap: Duration = .milliseconds(50)
        /// Before each reply.
        package var responseDelay: Duration = .zero
        /// From `OK+RESET` until the module advertises and listens again.
        package var rebootDelay: Duration = .milliseconds(500)
        /// `AT+IBE0` to `AT+IBE3`, since V520.
        package var hasBeaconUUID = true
        /// `AT+ADTY`, since V519.
        package var hasAdvertisingType = true
        package var measuredPowerCommand: MeasuredPowerCommand = .meas
        /// `OK+CONN` and `OK+LOST` when a central comes and goes, as with `AT+NOTI1`.
        package var announcesConnections = false
        /// A central is connected when the module is found: what the host writes goes there.
        package var centralIsConnected = false
        /// Never answers anything.
        package var isMute = false
        /// Every byte is a chunk of its own.
        package var oneBytePerChunk = false
        /// Every Nth byte of the output is another byte; 0 for none.
        package var corruptedBytePeriod = 0
        /// Every Nth byte of the output is lost; 0 for none.
        package var droppedBytePeriod = 0

        package init() {}

        /// The command for the measured power.
        package enum MeasuredPowerCommand: Sendable {
            /// `AT+MEAS0xC5`, since V519.
            case meas
            /// `AT+MEA0xC5`, in clones.
            case mea
            /// None.
            case missing
        }
    }
}
