import RealModule

/// Frequency and loudness of a subject at a receiver in one minute, in 16 bits.
///
/// The upper 6 bits hold the count on a logarithmic scale of 6 steps per octave, the lower 10 bits the mean RSSI in
/// steps of 1/8 dB. Both are rounded to the nearest step, so the count is accurate to 6 % and the RSSI to 1/16 dB.
///
/// Codes are ordered by count, then by RSSI. Of two codes of one receiver and minute, the greater one is based on more
/// advertisements. Records that arrive twice, late or in any order therefore lead to the same code.
package struct HearingCode: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Steps per octave of the count.
    static let stepsPerOctave = 6
    /// Steps per decibel of the RSSI.
    static let stepsPerDecibel = 8
    /// RSSI of level 0, in dBm: no receiver reports less.
    static let weakest = -127.0

    /// Encodes a count and an RSSI.
    ///
    /// - Parameters:
    ///   - count: advertisements in 60 s of listening, clamped to 1...1448.
    ///   - rssi: mean, in dBm, clamped to -127...0.875.
    package init(count: Double, rssi: Double) {
        let octaves = Double.log2(min(max(count, 1), 1448))
        let steps = UInt16((octaves * Double(Self.stepsPerOctave)).rounded())
        let level = ((min(max(rssi, Self.weakest), 0.875) - Self.weakest) * Double(Self.stepsPerDecibel)).rounded()
        rawValue = min(steps, 63) << 10 | UInt16(min(level, 1023))
    }

    /// Logarithm of the count, in steps from 0 to 63.
    var countSteps: Int { Int(rawValue >> 10) }
    /// RSSI above `weakest`, in steps from 0 to 1023.
    var level: Int { Int(rawValue & 1023) }

    /// Advertisements in 60 s of listening.
    package var count: Double { Double.exp2(Double(countSteps) / Double(Self.stepsPerOctave)) }
    /// Mean RSSI, in dBm.
    package var rssi: Double { Self.weakest + Double(level) / Double(Self.stepsPerDecibel) }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Signal of a subject at one receiver in one minute.
package struct Hearing: Hashable, Sendable {
    /// Number of the receiver.
    package var receiver: Int64
    package var code: HearingCode

    package init(receiver: Int64, code: HearingCode) {
        self.receiver = receiver
        self.code = code
    }
}
