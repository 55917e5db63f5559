/// What says which of a gateway's records one is, whatever else is in it.
struct RecordCount: Decodable {
    var data: Payload

    struct Payload: Decodable {
        var boot: UInt64
        var sequence: UInt64
        var place: Place
    }

    struct Place: Decodable, RecordPlace {
        var site: String
        var building: String
        var floor: String
        var gateway: String
    }
}

/// Where a gateway is, as records say it.
protocol RecordPlace {
    var site: String { get }
    var building: String { get }
    var floor: String { get }
    var gateway: String { get }
}
