/// Criteria for completing or giving up a measurement at one distance.
package struct CalibrationRules: Equatable, Sendable {
    /// Shortest measuring time. Fading changes within seconds; a shorter measurement could catch only one state of it.
    package var shortest: Duration = .seconds(20)
    var fewestPackets = 30
    /// Minimum number of seconds with a packet. Fewer say nothing about the long-term mean.
    var fewestSeconds = 10
    /// Largest standard error of the mean, in dB. 0.7 dB are 8 % of distance.
    var largestError = 0.7
    /// Longest measuring time. After this the measurement fails with the reason.
    package var longest: Duration = .seconds(120)
    /// Time without a packet after which the beacon counts as absent.
    package var silence: Duration = .seconds(15)
    /// Weakest usable mean, in dBm. Receivers begin to lose packets some dB above their limit of about -95 dBm, the
    /// weak ones first, and the remaining packets look too strong.
    package var weakest = -85.0
}
