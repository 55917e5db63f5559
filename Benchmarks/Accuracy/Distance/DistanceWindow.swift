/// What one receiver heard of one transmitter for at most ten seconds, while neither moved (far).
struct DistanceWindow: Sendable {
    enum Link: Sendable {
        /// A phone on a body heard by a phone on a body.
        case phone
        /// A fixed beacon heard by something carried, or the other way around.
        case beacon
    }

    /// As in the names of figures: `mit_matrix`.
    var dataSet: String
    /// What is left out together: parameters are fitted on the windows of the other groups.
    var group: String
    /// Recording, for messages.
    var run: String
    var link: Link
    /// Models, or an anchor's or beacon's name; `nil` where the recording doesn't say.
    var receiver: String?
    var transmitter: String?
    /// Transmit power in dBm, where the recording says it. It isn't the RSSI at 1 m.
    var powerHint: Double?
    /// At least one, in the order of time, cleaned.
    let packets: [Packet]
    let medianRSSI: Double
    let meanRSSI: Double
    /// Whether the run is a walk, of which this is a part, and not a stay at one distance.
    var isOfWalk = false
    /// By the gateway's filter at the end of the window, as `SmoothedRSSI` fills it in.
    var smoothed: SmoothedRSSI?

    /// The truth, in metres.
    private(set) var metres: Double
    /// The truth of whether this is within 3 m, where the recording has a label of its own.
    private(set) var isWithinThreeMetres: Bool?

    init(
        dataSet: String, group: String, run: String, link: Link, packets: [Packet], metres: Double,
        isWithinThreeMetres: Bool? = nil, receiver: String? = nil, transmitter: String? = nil, powerHint: Double? = nil
    ) {
        self.dataSet = dataSet
        self.group = group
        self.run = run
        self.link = link
        self.packets = packets
        self.metres = metres
        self.isWithinThreeMetres = isWithinThreeMetres
        self.receiver = receiver
        self.transmitter = transmitter
        self.powerHint = powerHint
        let values = packets.map(\.rssi)
        medianRSSI = values.median ?? .nan
        meanRSSI = values.mean ?? .nan
    }

    /// Whether this is within `radius` metres, in truth.
    func isWithin(_ radius: Double) -> Bool {
        if radius == 3, let label = isWithinThreeMetres { return label }
        return metres <= radius
    }

    /// False for a nominal distance that the recording's own label contradicts: neither fitted nor scored in metres.
    var metresAreTrusted: Bool { isWithinThreeMetres.map { $0 == (metres <= 3) } ?? true }

    /// The same without the truth, as estimators are given it.
    var blind: DistanceWindow {
        var window = self
        window.metres = .nan
        window.isWithinThreeMetres = nil
        return window
    }

    /// The RSSI at 1 m that such a device would say: -59 dBm of one that sends with 0 dBm (the usual measured power
    /// of an iBeacon).
    var nominalMeasuredPower: Double { -59 + (link == .beacon ? powerHint ?? 0 : 0) }
}
