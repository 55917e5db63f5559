import BeaconModel
import RecordContract

extension HomeAssistantOutput {
    /// Returns the device of a beacon with the entities that this gateway adds.
    package func device(of named: NamedBeacon) -> JSONValue {
        var device: [String: JSONValue] = [
            "identifiers": [.string("bg_" + Self.identifier(named.beacon))], "name": .string(named.name),
            "model": .string(named.module == nil ? "iBeacon" : "iBeacon module"),
        ]
        if let module = named.module {
            // A module is plugged into this gateway; a portable beacon belongs to no gateway.
            device["via_device"] = .string(gateway.identifier)
            device["suggested_area"] = module.room.map { .string($0) }
        }
        let id = Self.identifier(named.beacon)
        let room = gateway.presenceName
        let presence = gateway.topics.presence(named.beacon)
        var components: [String: JSONValue] = [
            "presence": component(
                "binary_sensor", id + "_presence", "\(room) presence", presence,
                Self.guarded(
                    "{{ 'None' if value_json.present is none else 'ON' if value_json.present else 'OFF' }}"),
                [
                    "device_class": "presence", "json_attributes_topic": .string(presence),
                    "json_attributes_template": .string(
                        Self.guarded(
                            "{{ {'since': value_json.since, 'ear': value_json.ear | default(none)} | to_json }}",
                            otherwise: "{}")),
                ]),
            "distance": component(
                "sensor", id + "_distance", "\(room) distance", presence,
                Self.guarded(Self.value("value_json.distance.metres", of: "value_json.distance")),
                [
                    "device_class": "distance", "unit_of_measurement": "m", "state_class": "measurement",
                    "suggested_display_precision": 1, "json_attributes_topic": .string(presence),
                    "json_attributes_template": .string(
                        Self.guarded(
                            "{% set d = value_json.distance | default({}) %}"
                                + "{{ {'lower': d.get('lower'), 'upper': d.get('upper')} | to_json }}",
                            otherwise: "{}")),
                ]),
            "proximity": component(
                "sensor", id + "_proximity", "\(room) proximity", presence,
                Self.guarded(
                    "{% set p = value_json.proximity | default('unknown') %}"
                        + "{{ 'None' if p == 'unknown' else p }}"),
                ["device_class": "enum", "options": ["immediate", "near", "far"]]),
        ]
        if let module = named.module {
            let state = gateway.topics.moduleState(module.name)
            components["module"] = component(
                "sensor", id + "_module", "Module", state, Self.guarded(Self.value("value_json.state")),
                [
                    "device_class": "enum",
                    "options": .array(ModuleStates.all.map { .string($0) }), "entity_category": "diagnostic",
                    "json_attributes_topic": .string(state),
                    "json_attributes_template": .string(
                        Self.guarded(
                            "{{ {'error': value_json.error | default(none), 'remedy': value_json.remedy | default(none)}"
                                + " | to_json }}", otherwise: "{}")),
                ])
        }
        return discovery(device, components)
    }
}
