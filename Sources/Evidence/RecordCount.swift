/// The fields that identify a record among its gateway's records, whatever else it contains.
struct RecordCount: Decodable {
    var data: Payload

    package struct Payload: Decodable {
        var boot: UInt64
        var sequence: UInt64
        var place: Place
    }

    package struct Place: Decodable, RecordPlace {
        var site: String
        var building: String
        var floor: String
        var gateway: String
    }
}

/// The place of a gateway, as records state it.
package protocol RecordPlace {
    var site: String { get }
    var building: String { get }
    var floor: String { get }
    var gateway: String { get }
}
