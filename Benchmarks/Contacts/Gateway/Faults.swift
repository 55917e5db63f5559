/// What is wrong with the gateways.
struct Faults: Sendable {
    /// One hears nothing for a while.
    struct Deafness: Equatable, Sendable {
        /// Since the building opened.
        var seconds: Range<Int>
        /// The gateway says so; otherwise it seems to have nothing to hear.
        var isKnown: Bool
    }

    /// By gateway.
    let deafness: [Deafness?]
    /// By which gateways' clocks are ahead, in microseconds.
    let clocks: [Int64]

    /// - Parameters:
    ///   - deaf: so many gateways are deaf for one to four hours of each day; every second one says so.
    ///   - clockError: seconds by which clocks are ahead or behind, at most.
    ///   - seconds: of a day.
    init(gateways: Int, deaf: Int, clockError: Double, seconds: Int, seed: UInt64) {
        var random = SplitMix(seed: seed, .fault)
        var deafness: [Deafness?] = Array(repeating: nil, count: gateways)
        for (index, gateway) in Array(0..<gateways).shuffled(using: &random).prefix(deaf).enumerated() {
            let length = min(seconds, random.number(in: 3600...14_400))
            let start = random.number(in: 0...(seconds - length))
            deafness[gateway] = Deafness(seconds: start..<(start + length), isKnown: index.isMultiple(of: 2))
        }
        self.deafness = deafness
        clocks = (0..<gateways).map { _ in
            clockError > 0 ? Int64(1e6 * random.number(in: -clockError...clockError)) : 0
        }
    }
}
