import RecordContract

/// The `$description` documents, which list devices, nodes and properties.
enum HomieDescription {
    static func root(name: String, children: [String]) -> JSONValue {
        [
            "homie": "5.0", "name": .string(name), "type": "beacon-gateway",
            "children": .array(children.map { .string($0) }),
            "nodes": [
                "gateway": [
                    "name": "Gateway",
                    "properties": [
                        "radio": property("Radio", "enum", format: "off,hearing,quiet,deaf"),
                        "reports-per-second": property("Reports per second", "float", format: "0:"),
                        "outbox-records": property("Outbox records", "integer", format: "0:", unit: "#"),
                        "outbox-time-left": property("Outbox time left", "integer", format: "0:", unit: "s"),
                    ],
                ]
            ],
        ]
    }

    static func child(name: String, root: String, isModule: Bool) -> JSONValue {
        var nodes: [String: JSONValue] = [
            "beacon": [
                "name": "Beacon",
                "properties": [
                    "presence": property("Presence", "enum", format: "present,absent,unknown"),
                    "proximity": property("Proximity", "enum", format: "immediate,near,far,unknown"),
                    "distance": property("Distance", "float", format: "0:", unit: "m"),
                    "distance-lower": property("Distance, lower bound of 90 %", "float", format: "0:", unit: "m"),
                    "distance-upper": property("Distance, upper bound of 90 %", "float", format: "0:", unit: "m"),
                ],
            ]
        ]
        if isModule {
            nodes["module"] = [
                "name": "Module",
                "properties": ["state": property("State", "enum", format: ModuleStates.all.joined(separator: ","))],
            ]
        }
        return [
            "homie": "5.0", "name": .string(name), "type": "ibeacon", "root": .string(root), "nodes": .object(nodes),
        ]
    }

    /// Returns the document with a version. The version must change whenever the document does, so it is derived from
    /// the document itself, within the 53 bits that every JSON reader preserves.
    static func payload(_ description: JSONValue) -> String {
        let digest = TopicLevel.digestBytes(of: String(decoding: JSON.encode(description), as: UTF8.self), count: 6)
        let version = digest.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard case .object(var members) = description else { return "{}" }
        members["version"] = .integer(version)
        return String(decoding: JSON.encode(JSONValue.object(members)), as: UTF8.self)
    }

    private static func property(
        _ name: String, _ datatype: String, format: String, unit: String? = nil
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "datatype": .string(datatype), "format": .string(format),
        ]
        members["unit"] = unit.map { .string($0) }
        return .object(members)
    }
}
