import BeaconModel

/// Instants as text.
package enum InstantText {
    /// Returns an instant in RFC 3339 form in whole seconds, `2026-10-20T08:00:00Z`.
    ///
    /// - Parameter seconds: the instant in seconds since 1970.
    package static func utc(_ seconds: Int64) -> String {
        let clamped = min(max(seconds, 0), Timestamp.latest.microseconds / 1_000_000)
        return String(Timestamp(microseconds: clamped * 1_000_000).rfc3339.dropLast(5)) + "Z"
    }
}
