/// A client of live positions, by how it is authenticated.
package enum LiveReader: String, CaseIterable, Sendable {
    /// An operator of the role `operator`.
    case `operator`
    /// An operator of the role `officer`.
    case officer
    /// A subject, with its own secret.
    case subject
}
