/// The best values that were measured or published on these recordings before, from the project's collection of
/// public material on proximity ("BLE proximity, contact matching and indoor position"); they are of more runs and
/// scenarios than may be at hand.
struct Published {
    /// Mean absolute error in metres, and AUC at 1.5, 2, 3 and 6 m.
    var meanError: Double?
    var areas: [Double?]
    /// The section it comes from.
    var section: String

    /// Those of a zone of UJI are of one of its phones, and stand beside each.
    static func distance(_ dataSet: String) -> Published? {
        distance[dataSet] ?? dataSet.lastIndex(of: "_").flatMap { distance[String(dataSet[..<$0])] }
    }

    /// To two decimals, as values were published.
    static func isAtLeast(_ value: Double, _ target: Double) -> Bool {
        (value * 100).rounded() >= (target * 100).rounded()
    }

    private static let distance: [String: Published] = [
        "mit_matrix": Published(meanError: 0.97, areas: [0.63, 0.64, 0.65, nil], section: "2.1"),
        "range_angle": Published(meanError: 1.07, areas: [0.52, 0.54, 0.55, nil], section: "2.1"),
        "h0h1": Published(meanError: 0.54, areas: [0.59, 0.69, 0.69, nil], section: "2.1"),
        "human_human": Published(meanError: 0.92, areas: [0.72, 0.73, 0.74, nil], section: "2.1"),
        "uji_lib_12dbm": Published(meanError: 1.47, areas: [nil, 0.96, 0.92, 0.89], section: "2.2"),
        "uji_geo_12dbm": Published(meanError: 1.95, areas: [nil, 0.95, 0.91, 0.88], section: "2.2"),
        "kolakowski_flat": Published(meanError: 1.47, areas: [nil, 0.80, 0.80, 0.76], section: "2.2"),
    ]

    /// AUC of five-minute windows at 1.5, 2, 3 and 6 m.
    static let contact: [String: Published] = [
        "dp3t_exp05": Published(meanError: nil, areas: [nil, 0.769, 0.763, 0.771], section: "2.3"),
        "dp3t_exp34": Published(meanError: nil, areas: [nil, 0.708, 0.696, 0.697], section: "2.3"),
    ]

    /// Targets.
    static let coverage90 = 0.87...0.93
    static let contactBrier = 0.204
    static let falseEndsPerHour = 1.0
}
