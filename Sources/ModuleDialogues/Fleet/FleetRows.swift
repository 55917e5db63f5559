/// Which port belongs to which row of the inventory, as far as it is known.
struct FleetRows: Sendable {
    /// Names of the rows, by the device of the port.
    private var names: [String: String] = [:]
    /// Devices of the ports, by the name of the row. Of several candidates it is the first by name.
    private var devices: [String: String] = [:]

    init(_ ports: [String: PortSupervisor]) {
        let held = Set(ports.values.compactMap(\.entry))
        for (device, port) in ports.sorted(by: { $0.key < $1.key }) {
            guard let name = port.entry ?? Self.expected(port, held) else { continue }
            names[device] = name
            if devices[name] == nil { devices[name] = device }
        }
    }

    /// Returns the row that a port is expected to have, unless a module has it already.
    private static func expected(_ port: PortSupervisor, _ held: Set<String>) -> String? {
        guard !port.isUnassigned, let name = port.expected, !held.contains(name) else { return nil }
        return name
    }

    func device(of name: String) -> String? { devices[name] }

    func hasRow(_ device: String) -> Bool { names[device] != nil }
}
