import BeaconModel

/// Instants as texts.
package enum InstantText {
    /// RFC 3339 in whole seconds, `2026-10-20T08:00:00Z`.
    ///
    /// - Parameter seconds: since 1970.
    package static func utc(_ seconds: Int64) -> String {
        let clamped = min(max(seconds, 0), Timestamp.latest.microseconds / 1_000_000)
        return String(Timestamp(microseconds: clamped * 1_000_000).rfc3339.dropLast(5)) + "Z"
    }
}
