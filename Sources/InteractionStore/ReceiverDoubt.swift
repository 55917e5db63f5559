/// The reason why a receiver is not relied on.
package enum ReceiverDoubt: String, Sendable, CaseIterable {
    /// The receiver claims to have heard many subjects loudest that no other receiver on its floor heard.
    case claims
    /// The receiver's clock is off, as people's walks show; the amount is the lead in seconds.
    case clock
}
