import BeaconModel
import RecordContract

extension HomeAssistantOutput {
    /// The device of the gateway itself.
    var gatewayDevice: JSONValue {
        let place = gateway.place
        var device: [String: JSONValue] = [
            "identifiers": [.string(gateway.identifier)], "name": "Beacon gateway \(place.gateway)",
            "manufacturer": "Beacon Gateway", "model": "beacon-gateway", "sw_version": .string(gateway.version),
        ]
        device["suggested_area"] = place.room.map { .string($0) }
        return discovery(
            device,
            [
                "connected": component(
                    "binary_sensor", "connected", "Connected", status, "{{ 'ON' if \(Self.isOnline) else 'OFF' }}",
                    // This entity shows exactly the condition that makes the others unavailable, so it is always
                    // available itself.
                    ["device_class": "connectivity", "entity_category": "diagnostic", "availability": []]),
                "radio": component(
                    "sensor", "radio", "Radio", status, "{{ value_json.radio | default('off') }}",
                    [
                        "device_class": "enum", "options": ["hearing", "quiet", "deaf", "off"],
                        "entity_category": "diagnostic",
                    ]),
                "problem": component(
                    "binary_sensor", "problem", "Problem", status,
                    "{{ 'ON' if value_json.radio | default('') == 'deaf' or value_json.adapters | default([]) "
                        + "| selectattr('state', 'eq', 'deaf') | list | count > 0 else 'OFF' }}",
                    [
                        "device_class": "problem", "entity_category": "diagnostic",
                        "json_attributes_topic": .string(status),
                        "json_attributes_template":
                            "{{ {'adapters': value_json.adapters | default([])} | to_json }}",
                    ]),
                "reports": component(
                    "sensor", "reports", "Reports", gateway.topics.health,
                    Self.value("value_json.reportsPerSecond"),
                    [
                        "unit_of_measurement": "reports/s", "state_class": "measurement",
                        "entity_category": "diagnostic", "expire_after": 120,
                    ]),
                "outbox_records": component(
                    "sensor", "outbox_records", "Outbox records", gateway.topics.health,
                    Self.value("value_json.outbox.records"),
                    [
                        "unit_of_measurement": "records", "state_class": "measurement",
                        "entity_category": "diagnostic", "expire_after": 120,
                    ]),
                "outbox_time_left": component(
                    "sensor", "outbox_time_left", "Outbox time left", gateway.topics.health,
                    Self.value("value_json.outbox.secondsLeft"),
                    [
                        "device_class": "duration", "unit_of_measurement": "s", "entity_category": "diagnostic",
                        "expire_after": 120,
                    ]),
                "modules": component(
                    "sensor", "modules", "Modules advertising", gateway.topics.info,
                    "{{ value_json.modules | default([]) | selectattr('state', 'eq', 'advertising') | list | count }}",
                    [
                        "unit_of_measurement": "modules", "entity_category": "diagnostic",
                        "json_attributes_topic": .string(gateway.topics.info),
                        "json_attributes_template":
                            .string(
                                "{{ dict(zip(value_json.modules | map(attribute='name'), "
                                    + "value_json.modules | map(attribute='state'))) | to_json }}"),
                    ]),
            ])
    }
}
