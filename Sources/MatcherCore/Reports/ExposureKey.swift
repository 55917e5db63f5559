package import BeaconModel
import Crypto
import CryptoExtras

/// A temporary exposure key, from which all identifiers follow that a phone with Exposure Notification transmits for up
/// to a day (Google and Apple, "Exposure Notification Cryptography Specification" 1.2).
package struct ExposureKey: Sendable {
    /// Length of an interval in seconds; each interval has an identifier of its own.
    package static let interval: Int64 = 600
    /// Maximum number of intervals of a key, which are those of a day.
    static let longestPeriod: Int64 = 144
    /// Maximum difference between clocks of phones, in seconds: an identifier counts if it is heard within this time of
    /// its interval.
    package static let tolerance: Int64 = 7200

    private let identifierKey: SymmetricKey

    /// Creates a key.
    ///
    /// - Parameter bytes: 16 bytes.
    package init(bytes: [UInt8]) {
        identifierKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), info: Array("EN-RPIK".utf8), outputByteCount: 16)
    }

    /// Returns the identifier that a phone transmits in an interval.
    ///
    /// - Parameter interval: number of the interval since 1970.
    package func identifier(ofInterval interval: UInt32) -> RollingProximityIdentifier {
        var block = Array("EN-RPI".utf8) + [UInt8](repeating: 0, count: 6)
        block += withUnsafeBytes(of: interval.littleEndian, Array.init)
        do {
            try AES.permute(&block, key: identifierKey)
        } catch {
            preconditionFailure("a block of AES-128 has 16 bytes, and so has its key: \(error)")
        }
        return RollingProximityIdentifier(bits: block.reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
    }
}
