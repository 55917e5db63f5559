import BeaconModel

/// Reception of the modules' beacons.
extension Fleet {
    mutating func heard(_ event: AdvertisingWatch.Event, _ now: Duration) -> [Action] {
        switch event {
        case .listening:
            receptions.begin()
            for (device, port) in ports {
                guard let module = port.provisioned, receptions.any(of: module) == nil else { continue }
                ports[device]?.expectHearing(now)
            }
        case .deaf: receptions.end()
        case .audible(let reception):
            receptions.add(reception)
            guard let device = device(of: reception.address, reception.beacon) else { return [] }
            if ports[device]?.provisioned?.configuration.measuredPower != reception.measuredPower {
                // Another party has changed the module's configuration.
                return insist(device, now)
            }
            ports[device]?.heard()
        case .silent(let beacon, let address):
            receptions.remove(beacon, address)
            return device(of: address, beacon).map { insist($0, now) } ?? []
        }
        return []
    }

    private func device(of address: BluetoothAddress, _ beacon: BeaconID) -> String? {
        ports.first { _, port in
            port.provisioned?.address == address && port.provisioned?.configuration.beacon == beacon
        }?.key
    }

    /// Checks a module that should be heard but is not, then provisions it from a reset, at increasing intervals.
    mutating func insist(_ device: String, _ now: Duration) -> [Action] {
        guard receptions.isListening, let port = ports[device], let module = port.provisioned,
            receptions.right(of: module) == nil, let attempt = ports[device]?.insist(now)
        else { return [] }
        if attempt == 0 { return [.post(device: device, .check)] }
        var actions: [Action] = [.post(device: device, .provisionAgain)]
        if attempt == 1, let name = port.entry { actions.append(.happened(event(.notHeard, name, port))) }
        return actions
    }
}
