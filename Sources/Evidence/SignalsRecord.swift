package import BeaconModel

/// The contents of a message on the `signals` topic: all subjects that one receiver heard in a second.
package struct SignalsRecord: Equatable, Sendable {
    /// The gateway as `site/building/floor/gateway`.
    package var gateway: String
    /// The gateway, followed by the remote receiver if it is one.
    package var receiver: String
    package var place: PlaceName
    /// Position of the receiver on the plan of its floor; `nil` if it is not configured.
    package var position: Place.Position?
    package var boot: UInt64
    /// Number of the message in this boot, over all receivers of the gateway. A gap is a message that was lost.
    package var number: UInt64
    /// Start of the second, in seconds since 1970.
    package var second: Int64
    /// Part of the second in which the receiver is taken to listen; 0 if it was deaf.
    package var listened: Double
    package var clockIsSynchronized: Bool
    /// Subjects in the order of their identities, without duplicates. More of the same second can be in other messages.
    package var subjects: [Subject]

    package typealias Subject = ReadingsRecord.Subject

    package init(
        gateway: String, receiver: String, place: PlaceName, position: Place.Position?, boot: UInt64, number: UInt64,
        second: Int64, listened: Double, clockIsSynchronized: Bool, subjects: [Subject]
    ) {
        self.gateway = gateway
        self.receiver = receiver
        self.place = place
        self.position = position
        self.boot = boot
        self.number = number
        self.second = second
        self.listened = listened
        self.clockIsSynchronized = clockIsSynchronized
        self.subjects = subjects
    }
}
