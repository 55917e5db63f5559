/// What a run gives.
struct ContactsResults: Sendable {
    var world = World.Name.offices
    var seed: UInt64 = 1
    var losses: [LossResult]
    /// What the policies would find if every distance from a gateway were known exactly.
    var exact: [Question: Score] = [:]
    /// Lines of `PairDump`.
    var dump: [String] = []
}

/// What is found when a share of the packets is lost.
struct LossResult: Sendable {
    /// 0 to 1.
    var loss: Double
    var methods: [PairQuestion: [Method: MethodScore]] = [:]
    var scores: [Question: Score] = [:]
    /// By policy.
    var ranges: [String: RangeCheck] = [:]
    var distances = DistanceCheck()
    var counts = GatewayChain.Counts()
    var interactions = 0
    /// Floors and rooms of stays: without anything, with modules, and with these and a survey.
    var placed = RoomShare()
    var modules = RoomShare()
    var surveyed = RoomShare()

    init(loss: Double) { self.loss = loss }

    var percent: Int { Int((loss * 100).rounded()) }
}
