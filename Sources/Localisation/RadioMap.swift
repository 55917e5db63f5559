import FloorPlans
import RealModule

/// What one receiver is expected to report of a subject in each cell of one floor, for a subject of the reference
/// power.
struct RadioMap: Sendable {
    /// Expected RSSI by cell in dBm. Empty for a receiver so many floors away that all cells are alike.
    var mean: [Cells]
    /// Direction of the receiver from each cell: cosine and sine; empty where `mean` is.
    var cosine: [Cells] = []
    var sine: [Cells] = []
    /// Expected RSSI where `mean` is empty, in dBm.
    var constant: Float
    /// Inverse variance by cell in 1/dB². Empty if it is `usualPrecision` everywhere.
    var precision: [Cells] = []
    /// Half of the logarithm of `precision` by cell; empty where that is.
    var logPrecision: [Cells] = []
    /// Inverse variance where `precision` is empty, in 1/dB².
    let usualPrecision: Float
    /// Half of its logarithm.
    let usualLogPrecision: Float

    /// Number of floors between a receiver and a subject up to which cells differ.
    private static let floorsApart = 2

    /// Creates the map of a receiver.
    ///
    /// - Parameters:
    ///   - elevation: height of the subject's floor above that of the receiver, in metres.
    ///   - ceilings: attenuation of the ceilings between both floors, in dB; 0 on the same floor.
    ///   - floorsApart: number of these ceilings; 0 on the same floor.
    init(
        _ receiver: ReceiverSite, _ grid: FloorGrid, _ barriers: Barriers, elevation: Double, ceilings: Double,
        floorsApart: Int, settings: RadioSettings
    ) {
        usualPrecision = Float(1 / (settings.deviation * settings.deviation))
        usualLogPrecision = .log(usualPrecision) / 2
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
        let groups = Cells.groups(grid.count)
        // Nobody is outside.
        var mean = Array(repeating: Cells(repeating: Float(base - 200)), count: groups)
        cosine = Array(repeating: .zero, count: groups)
        sine = cosine
        for index in grid.inside {
            let center = grid.center(of: Int(index))
            let flat = center.distance(to: receiver.position)
            let walls = barriers.attenuation(PlanSegment(center, receiver.position), doorShare: settings.doorShare)
            if flat > 0 {
                cosine[Int(index) / 8][Int(index) % 8] = Float((receiver.position.x - center.x) / flat)
                sine[Int(index) / 8][Int(index) % 8] = Float((receiver.position.y - center.y) / flat)
            }
            mean[Int(index) / 8][Int(index) % 8] = Float(
                power((flat * flat + rise * rise).squareRoot()) - walls * wallShare)
        }
        self.mean = mean
    }
}
