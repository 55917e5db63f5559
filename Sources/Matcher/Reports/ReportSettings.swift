/// What the configuration says of positive reports.
struct ReportSettings: Sendable {
    var authorities: [HealthAuthority] = []
    /// For whom authorities' tokens have to be: `aud`.
    var audience: String = "beacon-matcher"
    /// For how many days they are kept.
    var retention: Int64 = 28
    /// That of the gateways.
    var pseudonymKey: [UInt8]?
}
