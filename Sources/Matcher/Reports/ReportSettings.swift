import RecordContract

/// Settings for positive reports.
struct ReportSettings: Sendable {
    var authorities: [HealthAuthority] = []
    /// Audience that authorities' tokens must have: `aud`.
    var audience: String = "beacon-matcher"
    /// Number of days for which reports are kept.
    var retention: Int64 = 28
    /// Present and former keys by which gateways name phones.
    var pseudonymKeys: [[UInt8]] = []

    /// Identifiers of the keys under which phones are found, in a line without the keys; `nil` if there are none.
    var pseudonymKeysLine: String? {
        if pseudonymKeys.isEmpty { return nil }
        return "phones are found under keys \(pseudonymKeys.map(Pseudonymizer.keyID(of:)).joined(separator: ", "))"
    }
}
