/// The nine parameters of `at+rsibt_advertise` (4.4).
struct AdvertisingParameters: Equatable, Sendable {
    var start: Bool
    /// Advertising type, 128 to 132.
    var type: Int
    /// Minimum interval in units of 0.625 ms, which is the one that this module uses.
    var intervalUnits: Int
    var usesRandomAddress: Bool

    init(_ fields: [ArraySlice<UInt8>]) throws(CommandError) {
        guard fields.count == 9, let numbers = decimals(fields[0..<4] + fields[5..<9]),
            numbers.count == 8
        else { throw .invalidHCIParameter }
        let (status, type, filter, directKind) = (numbers[0], numbers[1], numbers[2], numbers[3])
        let (shortest, longest, ownKind, channels) = (numbers[4], numbers[5], numbers[6], numbers[7])
        guard status <= 1, (128...132).contains(type), filter <= 3, directKind <= 3, ownKind <= 3,
            (32...16_384).contains(shortest), (32...16_384).contains(longest), shortest <= longest,
            (1...7).contains(channels)
        else { throw .invalidHCIParameter }
        let isDirected = type == 129 || type == 132
        guard address(fields[4]) != nil || (!isDirected && decimal(fields[4]) == 0) else {
            throw .invalidHCIParameter
        }
        start = status == 1
        self.type = Int(type)
        intervalUnits = Int(shortest)
        usesRandomAddress = ownKind == 1 || ownKind == 3
    }

    var isDirected: Bool { type == 129 || type == 132 }
}
