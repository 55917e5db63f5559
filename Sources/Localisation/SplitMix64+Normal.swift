import BeaconModel
import RealModule

extension SplitMix64 {
    /// Returns a number of the standard normal distribution (Box and Muller).
    mutating func normal() -> Double {
        (-2 * .log(1 - uniform())).squareRoot() * .cos(2 * .pi * uniform())
    }
}
