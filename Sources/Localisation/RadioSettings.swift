/// Constants of the radio model.
///
/// The values are presets for a building in which nothing is calibrated. They fit six anchors in a furnished flat and a
/// library with 24 beacons equally well, and must not be tuned to one building.
package struct RadioSettings: Equatable, Sendable {
    /// Received power at one metre without obstacles, in dBm.
    ///
    /// Each subject's deviation from it is unknown and estimated, so the value itself matters little.
    package var referencePower = -59.0
    /// Path-loss exponent. Free space is 2; rooms with reflections measure 1.5 to 2.
    ///
    /// It is fixed: a fit on heard packets alone gives values that are too small, because weak packets are missing.
    package var exponent = 1.7
    /// Standard deviation of one reading from the model in dB: shadowing, the body, and fading together.
    package var deviation = 5.0
    /// Share of a reading's log-likelihood that counts if readings arrive once a second.
    ///
    /// Successive readings share their fading and shadowing, so they are not independent.
    package var temper = 0.6
    /// Standard deviation of a subject's transmit power from `referencePower` in dB, before anything is heard.
    package var offsetDeviation = 10.0
    /// Standard deviation of the difference that the direction of the subject's body makes, in dB, per axis.
    ///
    /// A body takes 8 dB or so: a receiver in front hears 4 dB more, and one behind 4 dB less.
    package var bodyDeviation = 3.0
    /// Level below which it means nothing that a receiver does not hear a subject, in dBm.
    package var surelyUnheard = -88.0
    /// Level from which a receiver hears a subject if it hears anything, in dBm.
    package var surelyHeard = -74.0
    /// Share of windows in which a receiver misses a subject that another one hears, by collisions and scanning.
    package var missed = 0.5
    /// Growth of the variance of a subject's power while it is tracked, in dB² per second.
    package var offsetDrift = 0.05
    /// Standard deviation of a subject's displacement in one second along each axis, in metres.
    package var speed = 0.8
    /// Least distance in metres; a nearer receiver hears no more.
    package var leastDistance = 0.5
    /// Height at which subjects carry their device above the floor, in metres.
    package var carryingHeight = 1.2
    /// Share of a wall's attenuation that remains where a signal passes through a door, which may be open.
    package var doorShare = 0.25
    /// Power by which a posterior distribution is flattened for positions and their regions, from 0 to 1.
    ///
    /// Errors of the model do not average out over time, so the distribution itself is too narrow: at 1, regions of 90
    /// % cover 70 to 80 %. Rooms are decided without it.
    package var flattening = 0.75
    /// The same for regions on a floor without rooms.
    ///
    /// Most of what the model has wrong is walls. Without any, 24 beacons of a library cover 96 to 99 % at 0.75, and 91 to 96
    /// % at 1.
    package var openRegionFlattening = 1.0
    /// The same for positions of settled distributions, which more readings that share their errors have narrowed.
    package var settledFlattening = 0.5
    /// The same for regions of settled distributions.
    ///
    /// At 0.625 they cover 95 to 98 % in a library and 90 to 95 % in a flat, at 0.75 91 to 94 % and 88 to 93 %.
    package var settledRegionFlattening = 0.75
    /// Probability per second that a subject moves to any cell of any floor near it, against errors of the plan.
    package var leak = 1e-4
    /// Probability per second that a subject that is at stairs or a lift leaves the floor there.
    package var passageRate = 0.1
    /// Time after which a subject that is not heard is forgotten, in seconds.
    package var memory = 30.0

    package init() {}
}
