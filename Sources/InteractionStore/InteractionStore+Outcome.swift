package import Evidence
package import RecordContract

extension InteractionStore {
    /// The result of storing records.
    package struct Outcome: Equatable, Sendable {
        /// Records of interactions that are newer than the stored state.
        package var stored = 0
        /// Records that changed nothing: the store had the same record or a later one of the same interaction.
        package var known = 0
        /// Records that are not stored and never will be, counted by reason.
        package var refused: [Refusal: Int] = [:]
        /// Records that the database rejects, with its error. They are not stored, and count as received.
        package var rejected: [Rejection] = []
        /// The position up to which the records of each gateway concerned are stored without a gap.
        package var progress: [String: RecordPosition] = [:]
        /// Receivers whose claim to a place's beacon was refused.
        package var refusedClaims: Set<PlaceClaimRefusal> = []

        package init() {}
    }

    package struct Rejection: Equatable, Sendable {
        package var gateway: String
        package var position: RecordPosition
        package var because: String

        package init(gateway: String, position: RecordPosition, because: String) {
            self.gateway = gateway
            self.position = position
            self.because = because
        }
    }

    package enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// The interaction ended before the retention period.
        case expired
        /// The interaction is more than a day ahead: the gateway's clock is wrong.
        case future
        /// The subject has been erased since.
        case erased
        /// The record gives an interaction another subject or another start time than an earlier record.
        case changed
        /// An operator revoked the gateway.
        case revoked
        /// The gateway has used up its quota for that day.
        case overQuota = "over-quota"
        /// The record has the gateway, boot and sequence of an earlier record but different contents, of the same
        /// interaction or of another.
        case contradicting
        /// The records cover more days than are possible, while the time is unknown.
        case manyDays = "many-days"
    }
}
