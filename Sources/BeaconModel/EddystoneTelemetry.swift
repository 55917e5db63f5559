/// Telemetry of an Eddystone beacon (Google, "Unencrypted TLM Frame Specification" and "Encrypted TLM Frame
/// Specification").
public enum EddystoneTelemetry: Hashable, Sendable {
    /// Telemetry that anybody can read.
    case plain(Plain)
    /// Encrypted telemetry. It can be read only with the identity key of an Eddystone-EID beacon.
    case encrypted

    /// Telemetry of a beacon without encryption.
    public struct Plain: Hashable, Sendable {
        /// Battery voltage in mV; `nil` when the beacon does not measure it.
        public var batteryMillivolts: UInt16?
        /// Temperature, -127.996 to 127.996 °C in steps of 1/256; `nil` when the beacon does not measure it.
        public var temperature: Double? { rawTemperature == Int16.min ? nil : Double(rawTemperature) / 256 }
        /// Number of advertisements since the beacon started.
        public var advertisements: UInt32
        /// Time since the beacon started; resolution 0.1 s.
        public var uptime: Duration { .milliseconds(100 * Int64(deciseconds)) }

        private var rawTemperature: Int16
        private var deciseconds: UInt32

        /// Creates telemetry from the values of a frame.
        ///
        /// - Parameters:
        ///   - battery: the voltage in mV; 0 for a beacon that does not measure it.
        ///   - temperature: the temperature in units of 1/256 °C; -128 °C for a beacon that does not measure it.
        ///   - deciseconds: the time since the beacon started, in units of 0.1 s.
        public init(battery: UInt16, temperature: Int16, advertisements: UInt32, deciseconds: UInt32) {
            batteryMillivolts = battery == 0 ? nil : battery
            rawTemperature = temperature
            self.advertisements = advertisements
            self.deciseconds = deciseconds
        }
    }
}
