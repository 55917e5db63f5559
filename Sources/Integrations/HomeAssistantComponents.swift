import BeaconModel
import RecordContract

extension HomeAssistantOutput {
    package var status: String { gateway.topics.status }

    package static let isOnline = "value_json.state == 'online'"

    /// Returns a template that yields `None`, which means "unknown", for a missing value.
    package static func value(_ expression: String, of parent: String? = nil) -> String {
        guard let parent else { return "{{ \(expression) | default('None', true) if \(expression) != 0 else 0 }}" }
        return "{{ \(expression) if \(parent) is defined and \(parent) else 'None' }}"
    }

    /// Returns the template with a fallback for a topic that may be emptied and is then not JSON.
    static func guarded(_ template: String, otherwise: String = "None") -> String {
        "{% if value_json is defined %}\(template){% else %}\(otherwise){% endif %}"
    }

    package func component(
        _ platform: String, _ id: String, _ name: String, _ topic: String, _ template: String,
        _ further: [String: JSONValue]
    ) -> JSONValue {
        var members = further
        members["platform"] = .string(platform)
        members["unique_id"] = .string(gateway.identifier + "_" + id)
        members["name"] = .string(name)
        members["state_topic"] = .string(topic)
        members["value_template"] = .string(template)
        return .object(members)
    }

    package func discovery(_ device: [String: JSONValue], _ components: [String: JSONValue]) -> JSONValue {
        [
            "dev": .object(device),
            "o": ["name": "beacon-gateway", "sw_version": .string(gateway.version)],
            "availability": [
                [
                    "topic": .string(status),
                    // `stopping` and `lost` both mean offline here.
                    "value_template": "{{ 'online' if \(Self.isOnline) else 'offline' }}",
                ]
            ],
            "cmps": .object(components),
        ]
    }
}
