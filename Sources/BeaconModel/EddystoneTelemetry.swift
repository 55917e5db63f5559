/// What an Eddystone beacon says of itself (Google, "Unencrypted TLM Frame Specification" and "Encrypted TLM Frame
/// Specification").
public enum EddystoneTelemetry: Hashable, Sendable {
    case plain(Plain)
    /// Readable only with the identity key of an Eddystone-EID beacon.
    case encrypted

    public struct Plain: Hashable, Sendable {
        /// `nil` when the beacon doesn't measure it.
        public var batteryMillivolts: UInt16?
        /// -127.996 to 127.996 °C in steps of 1/256; `nil` when the beacon doesn't measure it.
        public var temperature: Double? { rawTemperature == Int16.min ? nil : Double(rawTemperature) / 256 }
        /// Advertisements since the beacon started.
        public var advertisements: UInt32
        /// Since the beacon started; resolution 0.1 s.
        public var uptime: Duration { .milliseconds(100 * Int64(deciseconds)) }

        private var rawTemperature: Int16
        private var deciseconds: UInt32

        /// - Parameters:
        ///   - battery: mV; 0 for a beacon that doesn't measure it.
        ///   - temperature: °C in units of 1/256; -128 °C for a beacon that doesn't measure it.
        ///   - deciseconds: since the beacon started, in units of 0.1 s.
        public init(battery: UInt16, temperature: Int16, advertisements: UInt32, deciseconds: UInt32) {
            batteryMillivolts = battery == 0 ? nil : battery
            rawTemperature = temperature
            self.advertisements = advertisements
            self.deciseconds = deciseconds
        }
    }
}
