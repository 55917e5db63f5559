extension DistanceModel {
    /// Models by their configuration names.
    public static let presets: [(name: String, model: DistanceModel)] = [
        ("general", .general), ("open-office", .openOffice), ("corridor", .corridor), ("shelves", .shelves),
        ("rooms", .rooms), ("phone-to-gateway", .phoneToGateway), ("phone-to-phone", .phoneToPhone),
    ]

    /// Badge or beacon received by a fixed gateway in an unknown building: between the exponents and the noise of the
    /// models below.
    public static let general = DistanceModel(
        exponent: 2.1, shadowing: 6, priorMedian: 3, priorSpread: 1, defaultMeasuredPower: -59)

    /// Open office: exponent and noise of the UJI office recordings (G. M. Mendoza-Silva et al., Data 2019, 4, 12),
    /// rounded, with 3 dB for the differences between devices.
    public static let openOffice = DistanceModel(
        exponent: 2.2, shadowing: 5.5, priorMedian: 4, priorSpread: 0.9, defaultMeasuredPower: -59)

    /// Corridor or long living room that guides waves. The exponent of the recordings of Riesebos et al. (IEEE 9926639)
    /// is 1.2, rounded up because those recordings are free of people.
    public static let corridor = DistanceModel(
        exponent: 1.4, shadowing: 5.5, priorMedian: 4, priorSpread: 1, defaultMeasuredPower: -59)

    /// Area between shelves: the UJI library recordings (Mendoza-Silva et al.), with 3 dB for the devices.
    public static let shelves = DistanceModel(
        exponent: 3, shadowing: 6, priorMedian: 5, priorSpread: 0.7, defaultMeasuredPower: -59)

    /// Rooms with walls between them: the flat in the recordings of M. Kolakowski (2021, doi 10.5281/zenodo.5457591).
    public static let rooms = DistanceModel(
        exponent: 2.4, shadowing: 7.5, priorMedian: 3.5, priorSpread: 0.8, defaultMeasuredPower: -59)

    /// Phone on the body that does not state its transmit power, received by a fixed gateway.
    public static let phoneToGateway = DistanceModel(
        exponent: 1.5, shadowing: 9.5, priorMedian: 3, priorSpread: 1, defaultMeasuredPower: -65.6)

    /// Two phones on bodies. Exponent, noise (of devices and ways to carry them) and RSSI at 1 m are those of the PACT
    /// MIT matrix recordings; the prior describes people in a room.
    public static let phoneToPhone = DistanceModel(
        exponent: 1.4, shadowing: 9.5, priorMedian: 1.9, priorSpread: 0.7, defaultMeasuredPower: -65.6)
}
