/// When a measurement at one distance is enough, and when it is given up.
package struct CalibrationRules: Equatable, Sendable {
    /// Fading changes within seconds: a shorter look could be all of one kind.
    package var shortest: Duration = .seconds(20)
    var fewestPackets = 30
    /// Seconds in which something was heard: fewer say nothing about what lasts.
    var fewestSeconds = 10
    /// Standard error of the centre, dB. 0.7 dB are 8 % of distance.
    var largestError = 0.7
    /// After this it is given up, with the reason.
    package var longest: Duration = .seconds(120)
    /// A beacon that wasn't heard once in so long isn't there.
    package var silence: Duration = .seconds(15)
    /// dBm. Receivers begin to lose packets some dB above their limit of about -95, the weak ones first, and what is
    /// left looks too strong.
    package var weakest = -85.0
}
