import RecordContract

/// What the configuration says of positive reports.
struct ReportSettings: Sendable {
    var authorities: [HealthAuthority] = []
    /// For whom authorities' tokens have to be: `aud`.
    var audience: String = "beacon-matcher"
    /// For how many days they are kept.
    var retention: Int64 = 28
    /// Those by which gateways name phones, or did.
    var pseudonymKeys: [[UInt8]] = []

    /// By which keys phones are found, without the keys; `nil` without any.
    var pseudonymKeysLine: String? {
        if pseudonymKeys.isEmpty { return nil }
        return "phones are found under keys \(pseudonymKeys.map(Pseudonymizer.keyID(of:)).joined(separator: ", "))"
    }
}
