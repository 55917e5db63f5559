/// What a new start of the program would be good for.
package enum Vitality: Sendable, Hashable {
    /// The program does what it is for.
    case working
    /// The program has not finished its start.
    case starting
    /// Something fails that a new start does not mend: a person, another program or the network has to.
    case waiting
    /// Something fails that a new start may mend: one sentence without a full stop.
    case stuck(String)
}
