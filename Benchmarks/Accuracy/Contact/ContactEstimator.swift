/// A way from the packets of a pair's window to whether they were in contact.
///
/// To add one, conform to this and name it in `ContactEvaluation.own`. For each scenario it is copied fresh, fitted on
/// the windows of all other scenarios, of whichever experiment (they are of the same phones), and then asked about those
/// of that scenario.
protocol ContactEstimator: Sendable {
    /// As in the names of figures.
    var name: String { get }
    /// Learns from windows with truth (`labels`, and `metres` of the packets).
    mutating func fit(_ training: [ContactWindow])
    /// The higher, the rather in contact; of a window without packets too. The truth of `window` is blanked.
    func rank(_ window: ContactWindow, within metres: Double) -> Double
    /// The probability that they were within `metres`, one of `ContactTruth.radii`, for half of the time or longer;
    /// `nil` of who only ranks.
    func probability(_ window: ContactWindow, within metres: Double) -> Double?
    /// What it holds of the window's median distance; `nil` of the unheard, and of who says nothing of it.
    func distance(_ window: ContactWindow) -> (any Posterior)?
}

extension ContactEstimator {
    func rank(_ window: ContactWindow, within metres: Double) -> Double {
        probability(window, within: metres) ?? -.infinity
    }

    func distance(_ window: ContactWindow) -> (any Posterior)? { nil }
}

extension ContactWindow {
    /// dBm; `nil` of the unheard.
    var meanRSSI: Double? { packets.map(\.rssi).mean }
}
