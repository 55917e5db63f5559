import FloorPlans
import RealModule

/// What one receiver is expected to report of a subject in each cell of one floor, for a subject of the reference power.
struct RadioMap: Sendable {
    /// Expected RSSI by cell in dBm. Empty for a receiver so many floors away that all cells are alike.
    var mean: [Float]
    /// Expected RSSI where `mean` is empty, in dBm.
    var constant: Float
    /// Inverse variance by cell in 1/dB². Empty if it is `usualPrecision` everywhere.
    var precision: [Float] = []
    /// Half of the logarithm of `precision` by cell; empty where that is.
    var logPrecision: [Float] = []
    /// Inverse variance where `precision` is empty, in 1/dB².
    let usualPrecision: Float

    /// Number of floors between a receiver and a subject up to which cells differ.
    private static let floorsApart = 2

    /// Creates the map of a receiver.
    ///
    /// - Parameters:
    ///   - elevation: height of the subject's floor above that of the receiver, in metres.
    ///   - ceilings: attenuation of the ceilings between both floors, in dB; `nil` on the same floor.
    ///   - floorsApart: number of floors between them; 0 on the same floor.
    init(
        _ receiver: ReceiverSite, _ grid: FloorGrid, _ barriers: Barriers, elevation: Double, ceilings: Double,
        floorsApart: Int, settings: RadioSettings
    ) {
        usualPrecision = Float(1 / (settings.deviation * settings.deviation))
        let rise = elevation + settings.carryingHeight - receiver.height
        let base = settings.referencePower + receiver.offset - ceilings
        func power(_ distance: Double) -> Double {
            base - 10 * settings.exponent * .log10(max(settings.leastDistance, distance))
        }
        constant = Float(power(abs(rise)))
        guard floorsApart <= Self.floorsApart else {
            mean = []
            return
        }
        // A path between two floors runs on the subject's floor for half of its way, about.
        let wallShare = floorsApart == 0 ? 1.0 : 0.5
        var mean = [Float](repeating: Float(base - 200), count: grid.count)
        for index in grid.inside {
            let center = grid.center(of: Int(index))
            let flat = center.distance(to: receiver.position)
            let walls = barriers.attenuation(PlanSegment(center, receiver.position), doorShare: settings.doorShare)
            mean[Int(index)] = Float(power((flat * flat + rise * rise).squareRoot()) - walls * wallShare)
        }
        self.mean = mean
    }
}
