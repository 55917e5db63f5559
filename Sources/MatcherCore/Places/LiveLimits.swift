/// Limits of what is kept of live positions.
///
/// A subject costs 4 bytes for each cell of each floor on which it can be, up to three: a floor has about 2,000 cells,
/// so 8 to 24 kB, and 5,000 subjects at most 120 MB.
package struct LiveLimits: Equatable, Sendable {
    /// Maximum number of subjects. When there are more, the one that was not heard for longest is dropped.
    package var subjects = 5_000
    /// Maximum number of receivers that are remembered.
    package var receivers = 10_000
    /// Maximum number of receivers of one gateway that are remembered: itself, 64 remote ones, and 64 modules that
    /// listen.
    package var receiversOfGateway = 129
    /// Maximum number of receivers in the model of one building.
    package var receiversOfBuilding = 1_000
    /// Maximum number of messages of one gateway in a second: 129 receivers, and some with more than 500 subjects twice.
    package var messagesPerSecond = 150
    /// Maximum number of subjects in the messages of one gateway in a second.
    package var readingsPerSecond = 6_000
    /// Maximum number of subjects that a gateway can make known in a second. A class that enters is known in 3 s.
    package var newcomersPerSecond = 50
    /// Number of subjects in a building from which moving ones are computed every 2 s.
    package var crowd = 400

    package init() {}
}
