import RecordContract

/// Settings for positive reports.
package struct ReportSettings: Sendable {
    package var authorities: [HealthAuthority] = []
    /// Audience that authorities' tokens must have: `aud`.
    package var audience: String = "beacon-matcher"
    /// Number of days for which reports are kept.
    package var retention: Int64 = 28
    /// Present and former keys by which gateways name phones.
    package var pseudonymKeys: [[UInt8]] = []

    package init(
        authorities: [HealthAuthority] = [], audience: String = "beacon-matcher", retention: Int64 = 28,
        pseudonymKeys: [[UInt8]] = []
    ) {
        self.authorities = authorities
        self.audience = audience
        self.retention = retention
        self.pseudonymKeys = pseudonymKeys
    }

    /// Identifiers of the keys under which phones are found, in a line without the keys; `nil` if there are none.
    package var pseudonymKeysLine: String? {
        if pseudonymKeys.isEmpty { return nil }
        return
            "phones are matched by pseudonym keys "
            + "\(pseudonymKeys.map(Pseudonymizer.keyID(of:)).joined(separator: ", "))"
    }
}
